import type { MailBody } from "~/outbox/letter";
import { counted } from "~/platform/text";
import { button, heading, paragraph, quietParagraph, song } from "./blocks";
import { ratingsUrl } from "./links";
import type { MailFrame, MailSong } from "./mail";
import { renderMail } from "./render";
import { onlyYouSeeRatings, quoted, whySongMails } from "./wording";

/** A song that has begun to rest. */
export interface RestingSong extends MailSong {
  songId: string;
  /** Ratings that it is still owed. */
  owed: number;
}

/** Tells a song's owner that it rests because Spotify does not play it (rule 12). */
export function restingMail(name: string, resting: RestingSong, frame: MailFrame): MailBody {
  const owed = counted(resting.owed, "rating");
  return renderMail(
    {
      subject: `Your song is resting: ${quoted(resting.title)}`,
      preview: `It is still owed ${owed}.`,
      name,
      namesSongs: true,
      blocks: [
        heading("Your song is resting"),
        song(resting),
        paragraph(
          "Spotify does not play it at the moment, so nobody gets to rate it. Perhaps it has left Spotify, or is not available everywhere.",
        ),
        paragraph(
          `Nothing is lost: it keeps its ratings, and it is still owed ${owed}. Once Spotify plays it again, you can bring it back:`,
        ),
        button("Bring it back", ratingsUrl(frame.appOrigin, [resting.songId])),
        quietParagraph(onlyYouSeeRatings),
      ],
      why: whySongMails,
    },
    frame,
  );
}
