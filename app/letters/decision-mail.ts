import type { MailBody } from "~/outbox/letter";
import { button, heading, paragraph, song } from "./blocks";
import { ratingsUrl } from "./links";
import type { MailFrame, MailSong } from "./mail";
import { renderMail } from "./render";
import { quoted } from "./wording";

/** What the operator has decided about somebody's songs. */
export interface Decision {
  action: "take_out" | "put_back" | "lock" | "unlock";
  /** In the operator's own words. */
  reason: string;
  /** The song that it is about; null if it is about none, or the song is gone. */
  song: (MailSong & { songId: string }) | null;
}

/** Tells an owner what the operator has decided, why, and how to answer (rule 39). */
export function decisionMail(name: string, decision: Decision, frame: MailFrame): MailBody {
  const { reason, song: about } = decision;
  const { title, text } = textsOf(decision);
  const brings =
    decision.action === "put_back" && about
      ? [button("See your song", ratingsUrl(frame.appOrigin, [about.songId]))]
      : [];
  return renderMail(
    {
      subject: about ? `${title}: ${quoted(about.title)}` : title,
      preview: reason,
      name,
      namesSongs: about !== null,
      blocks: [
        heading(title),
        ...(about ? [song(about)] : []),
        paragraph(text),
        paragraph("The reason: ", { own: reason }),
        ...brings,
        paragraph("If you disagree, just answer this e-mail. A person will read it."),
      ],
      why: "You are receiving this e-mail because you should know what we decide about your songs. It cannot be switched off.",
    },
    frame,
  );
}

function textsOf({ action, song }: Decision): { title: string; text: string } {
  switch (action) {
    case "take_out":
      return {
        title: song ? "We have taken out your song" : "We have taken out a song of yours",
        text: "It is no longer offered to anybody, and it cannot be submitted again. Its ratings stay, and you still see them.",
      };
    case "put_back":
      return {
        title: song ? "We have put back your song" : "We have put back a song of yours",
        text: "It can be rated again. If you had taken it out yourself, or ten other songs of yours are waiting for ratings, it waits for you to bring it back.",
      };
    case "lock":
      return {
        title: "You cannot submit songs at the moment",
        text: "Everything else is as before: you can rate songs, see the ratings of your own, download your data and delete your account. The songs that you have submitted stay.",
      };
    case "unlock":
      return {
        title: "You can submit songs again",
        text: "The same rules apply as before.",
      };
  }
}
