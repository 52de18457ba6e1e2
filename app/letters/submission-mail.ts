import type { MailBody } from "~/outbox/letter";
import { counted } from "~/platform/text";
import { button, heading, paragraph, quietParagraph, song } from "./blocks";
import { ratingsUrl } from "./links";
import type { MailFrame, MailSong } from "./mail";
import { renderMail } from "./render";
import { onlyYouSeeRatings, quoted, whySongMails } from "./wording";

/** A song that was just added. */
export interface AddedSong extends MailSong {
  songId: string;
  /** The ratings it is entitled to, from all its uploads. */
  entitled: number;
}

/** Confirms that a song was added. */
export function submissionMail(name: string, added: AddedSong, frame: MailFrame): MailBody {
  const entitled = counted(added.entitled, "rating");
  return renderMail(
    {
      subject: added.title ? `Your song was added: ${quoted(added.title)}` : "Your song was added",
      preview: `It gets ${entitled} in all.`,
      name,
      namesSongs: true,
      blocks: [
        heading("Your song was added"),
        song(added),
        paragraph(
          `Other musicians will listen to it and say what they think. It gets ${entitled} in all. We will write to you when they come in.`,
        ),
        button("See the ratings of this song", ratingsUrl(frame.appOrigin, [added.songId])),
        quietParagraph(onlyYouSeeRatings),
      ],
      why: whySongMails,
    },
    frame,
  );
}
