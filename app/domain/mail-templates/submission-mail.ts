import { ratingsUrl } from "./links";
import { type MailBody, type MailFrame, type MailSong, renderMail } from "./mail";
import { counted, quoted, whySongMails } from "./wording";

/** A song just added; `entitled` counts all its uploads. */
export interface AddedSong extends MailSong {
  songId: string;
  entitled: number;
}

/** Confirms that a song was added (spec section 4, "Notification mail"). */
export function submissionMail(name: string, song: AddedSong, frame: MailFrame): MailBody {
  const entitled = counted(song.entitled, "rating");
  return renderMail(
    {
      subject: `Your song is added: ${quoted(song.title)}`,
      preview: `Entitled for ${entitled}.`,
      name,
      blocks: [
        { kind: "heading", text: "Your song is added" },
        { kind: "song", song },
        {
          kind: "paragraph",
          runs: [
            `Other musicians will listen to it and say what they think. It is entitled for ${entitled} in all; we write when one comes in.`,
          ],
        },
        {
          kind: "button",
          label: "See the ratings of this song",
          url: ratingsUrl(frame.appOrigin, [song.songId]),
        },
        { kind: "paragraph", quiet: true, runs: ["Only you see the ratings of your songs."] },
      ],
      why: whySongMails,
    },
    frame,
  );
}
