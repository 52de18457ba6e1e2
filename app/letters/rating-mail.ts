import type { RatingMailRhythm } from "~/members/rating-mail-rhythm";
import type { MailBody } from "~/outbox/letter";
import { counted } from "~/platform/text";
import { button, heading, paragraph, quietParagraph, song } from "./blocks";
import { ratingsUrl, resultUrl } from "./links";
import type { Block, MailFrame, MailSong } from "./mail";
import { divider, labelList, lock, tally } from "./rating-blocks";
import { renderMail } from "./render";
import { type MailResult, result } from "./result-blocks";
import { onlyYouSeeRatings, quoted, whySongMails } from "./wording";

/** A song and its new ratings, without their raters. */
export interface RatedSong extends MailSong {
  songId: string;
  /** Labels of the new ratings that the owner may see, newest first. */
  labels: string[];
  /** Number of further new ratings, which only Premium shows. */
  hidden: number;
  /** Ratings so far, including the new ones. May exceed `entitled`. */
  received: number;
  entitled: number;
  /** The result, if one of the new ratings is the fifth of a submission. */
  result?: MailResult;
}

/** Songs that the mail shows; of others it gives the number, and the ratings page shows all. */
const maxSongs = 10;

/** The footer's words about the rhythm. */
const rhythmTexts: Record<RatingMailRhythm, string> = {
  each: "",
  daily: " You chose to get new ratings once a day.",
  weekly: " You chose to get new ratings once a week.",
};

/**
 * Tells an owner of new ratings of one or several songs, not of their raters. Ratings that a free user may
 * not see are only counted.
 */
export function ratingMail(
  name: string,
  songs: RatedSong[],
  { rhythm = "each", ...frame }: MailFrame & { rhythm?: RatingMailRhythm },
): MailBody {
  const [first] = songs;
  const single = songs.length === 1 && first ? first : null;
  const total = songs.reduce((sum, { labels, hidden }) => sum + labels.length + hidden, 0);
  const hidden = songs.reduce((sum, one) => sum + one.hidden, 0);
  const songIds = songs.map(({ songId }) => songId);
  return renderMail(
    {
      subject: single
        ? `${announced(total)}${progress(single)} for ${quoted(single.title)}`
        : `${announced(total)} for ${songs.length} of your songs`,
      preview: (single ? single.labels : songs.flatMap(({ title }) => (title ? quoted(title) : [])))
        .slice(0, 3)
        .join(", "),
      name,
      namesSongs: true,
      blocks: [
        ...(total > 1 ? [heading(announced(total))] : []),
        ...(single ? aboutOne(single) : aboutEach(songs)),
        ...(hidden > 0 ? [lock(hidden, `${frame.appOrigin}/subscribe`)] : []),
        single?.result
          ? button("See what the ratings say", resultUrl(frame.appOrigin, single.songId))
          : button(
              single ? "See the ratings of this song" : "See the ratings of my songs",
              ratingsUrl(frame.appOrigin, songIds),
            ),
        quietParagraph(onlyYouSeeRatings),
      ],
      why: `${whySongMails}${rhythmTexts[rhythm]}`,
    },
    frame,
  );
}

function announced(n: number): string {
  return n === 1 ? "New rating" : `${n} new ratings`;
}

function progress({ received, entitled }: RatedSong): string {
  return received > entitled ? "" : ` (${received} of ${entitled})`;
}

function aboutOne(rated: RatedSong): Block[] {
  return [
    paragraph("Your song was heard and rated:"),
    ...newLabels(rated, rated.labels.length === 1),
    song(rated),
    tally(rated, "alone"),
    ...(rated.result ? [result(rated.result)] : []),
  ];
}

function aboutEach(songs: RatedSong[]): Block[] {
  const left = songs.length - maxSongs;
  return [
    paragraph("Your songs were heard and rated:"),
    ...songs
      .slice(0, maxSongs)
      .flatMap((rated) => [
        song(rated),
        ...newLabels(rated, false),
        ...(rated.hidden > 0
          ? [quietParagraph(`${hiddenCount(rated)}, which only Premium shows.`)]
          : []),
        tally(rated, "inList"),
        ...(rated.result ? [result(rated.result)] : []),
        divider(),
      ]),
    ...(left > 0 ? [quietParagraph(`And ${counted(left, "more song")} with new ratings.`)] : []),
  ];
}

function hiddenCount({ labels, hidden }: RatedSong): string {
  return labels.length > 0 ? `And ${hidden} more` : counted(hidden, "new rating");
}

/** The labels of the new ratings, each once: hundreds of ratings make four lines. */
function newLabels({ labels }: RatedSong, isHeading: boolean): Block[] {
  if (labels.length === 0) return [];
  const counts = Map.groupBy(labels, (label) => label);
  const lines = [...counts].map(([label, { length }]) =>
    length > 1 ? `${label} × ${length}` : label,
  );
  return [labelList(lines, isHeading)];
}
