import { button, heading, paragraph, song } from "./blocks";
import { ratingsUrl } from "./links";
import type { MailBody, MailFrame, MailSong } from "./mail";
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
        paragraph("If you see it differently, answer this e-mail. It is read by a person."),
      ],
      why: "You are receiving this e-mail because it is about your songs on Fivefold and you have to know it. You cannot switch it off.",
    },
    frame,
  );
}

function textsOf({ action, song }: Decision): { title: string; text: string } {
  switch (action) {
    case "take_out":
      return {
        title: song ? "We have taken out your song" : "We have taken out a song of yours",
        text: "It is offered to nobody any more, and it cannot be submitted again. The ratings that it has stay, and you still see them.",
      };
    case "put_back":
      return {
        title: song ? "We have put back your song" : "We have put back a song of yours",
        text: "It can be rated again. If you had withdrawn it yourself, or ten other songs of yours are waiting for ratings, it waits for you to bring it back.",
      };
    case "lock":
      return {
        title: "We take no songs from you at the moment",
        text: "You can log in, rate songs, see the ratings of your own, download your data and delete your account as before. The songs that you have submitted stay.",
      };
    case "unlock":
      return {
        title: "You can submit songs again",
        text: "We take songs from you again, on the same terms as before.",
      };
  }
}
