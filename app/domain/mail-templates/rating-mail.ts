import { tierConfigs } from "~/domain/tiers/tiers";
import { ratingsUrl } from "./links";
import { type Block, type MailBody, type MailFrame, type MailSong, renderMail } from "./mail";
import { counted, quoted, whySongMails } from "./wording";

/** A song and what is new about it. Nothing in it tells who rated. */
export interface RatedSong extends MailSong {
  songId: string;
  /** Labels of the new ratings, newest first, as far as the owner may see them. */
  labels: string[];
  /** New ratings beyond those, which only premium shows. */
  hidden: number;
  /** Ratings so far, the new ones among them. May exceed `entitled`. */
  received: number;
  entitled: number;
}

/** A mail tells what is new; the rest is on the ratings page. */
const mostSongs = 10;
const mostLabels = 10;

/**
 * Tells the owner of one or several songs what ratings came in (design section 4, "Mail"). Says
 * nothing about who rated; what a free user may not see is only counted.
 */
export function ratingMail(name: string, songs: RatedSong[], frame: MailFrame): MailBody {
  const [first] = songs;
  const single = songs.length === 1 && first ? first : null;
  const total = songs.reduce((sum, song) => sum + newRatings(song), 0);
  return renderMail(
    {
      subject: single
        ? `${announced(total)}${progress(single)} for ${quoted(single.title)}`
        : `${announced(total)} for ${songs.length} of your songs`,
      preview: preview(songs),
      name,
      blocks: [
        ...(total > 1 ? [{ kind: "heading", text: announced(total) } as const] : []),
        ...(single ? about(single) : aboutEach(songs)),
        ...lock(songs, frame.appOrigin),
        {
          kind: "button",
          label: single ? "See the ratings of this song" : "See the ratings of my songs",
          url: ratingsUrl(
            frame.appOrigin,
            songs.map(({ songId }) => songId),
          ),
        },
        { kind: "paragraph", quiet: true, runs: ["Only you see the ratings of your songs."] },
      ],
      why: whySongMails,
    },
    frame,
  );
}

function newRatings({ labels, hidden }: RatedSong): number {
  return labels.length + hidden;
}

function announced(n: number): string {
  return n === 1 ? "New rating" : `${n} new ratings`;
}

function progress({ received, entitled }: RatedSong): string {
  return received > entitled ? "" : ` (${received} of ${entitled})`;
}

function preview(songs: RatedSong[]): string {
  const [first] = songs;
  const parts =
    songs.length === 1 && first ? first.labels : songs.map(({ title }) => quoted(title));
  return parts.slice(0, 3).join(", ");
}

function about(song: RatedSong): Block[] {
  return [
    { kind: "paragraph", runs: ["Your song was heard, and rated:"] },
    ...labels(song, song.labels.length === 1),
    { kind: "song", song },
    standing(song),
  ];
}

function aboutEach(songs: RatedSong[]): Block[] {
  const left = songs.length - mostSongs;
  return [
    { kind: "paragraph", runs: ["Your songs were heard, and rated:"] },
    ...songs
      .slice(0, mostSongs)
      .flatMap((song): Block[] => [
        { kind: "song", song },
        ...labels(song, false),
        ...(song.hidden > 0 ? [more(`And ${song.hidden} more, which only premium shows.`)] : []),
        standing(song),
        { kind: "divider" },
      ]),
    ...(left > 0 ? [more(`And ${counted(left, "more song")}, with new ratings too.`)] : []),
  ];
}

function labels(song: RatedSong, alone: boolean): Block[] {
  const left = song.labels.length - mostLabels;
  return [
    ...(song.labels.length > 0
      ? [{ kind: "labels", labels: song.labels.slice(0, mostLabels), alone } as const]
      : []),
    ...(left > 0 ? [more(`And ${counted(left, "more new rating")}.`)] : []),
  ];
}

function more(text: string): Block {
  return { kind: "paragraph", quiet: true, runs: [text] };
}

function standing({ received, entitled }: RatedSong): Block {
  const text =
    received > entitled
      ? `${counted(received, "rating")} received`
      : `${received} of ${counted(entitled, "rating")} received`;
  return { kind: "tally", made: received, of: entitled, text };
}

function lock(songs: RatedSong[], appOrigin: string): Block[] {
  const hidden = songs.reduce((sum, song) => sum + song.hidden, 0);
  if (hidden === 0) return [];
  const { free } = tierConfigs;
  return [
    {
      kind: "lock",
      strong: `You have ${counted(hidden, "more rating")}`,
      rest: `Only premium users can see all ratings. ${free.name} shows the ${counted(free.maxVisibleRatings, "most recent rating")} of each song.`,
      label: "Upgrade to Premium",
      url: `${appOrigin}/subscribe`,
    },
  ];
}
