import type { exportAccount } from "~/account/export.server";
import { sessionLifetime } from "~/members/lifetime";
import type { MailKind } from "~/outbox/owe-mail.server";

/**
 * Whoever asked for such a mail had nothing left to rate, the operator's songs included, or has rated the song that
 * it is about.
 */
export const kindsThatTell: MailKind[] = ["songs_again", "release"];

type Everything = Awaited<ReturnType<typeof exportAccount>>;

/** True for a whole value; otherwise the fields of the object, or of each object in the list. */
type Shown<Value> =
  | true
  | (NonNullable<Value> extends readonly (infer Row)[] ? ShownFields<Row> : ShownFields<Value>);
type ShownFields<Row> = { [Field in keyof NonNullable<Row>]?: Shown<NonNullable<Row>[Field]> };

const song = { songId: true, title: true, spotifyUrl: true } as const;

/**
 * What does not change with what its user does with somebody else's song. Totals, times of activity, and what
 * is drawn for the user are left out.
 */
const shownFields: ShownFields<Everything> = {
  format: true,
  exportedAt: true,
  person: {
    spotifyId: true,
    displayName: true,
    ownName: true,
    imageUrl: true,
    email: true,
    ownEmail: true,
    submittedCount: true,
    ownArtists: true,
    createdAt: true,
  },
  waysIn: true,
  tier: true,
  mail: true,
  subscription: {
    status: true,
    tier: true,
    subscriptionId: true,
    customerId: true,
    startedAt: true,
    cancelAt: true,
    renewsAt: true,
    price: true,
    failedAt: true,
    retryAt: true,
    endedAt: true,
  },
  sessions: { device: true, way: true, spotifyClientId: true, createdAt: true },
  songs: {
    ...song,
    trackId: true,
    artists: true,
    artistIds: true,
    album: true,
    artUrl: true,
    smallerArt: true,
    durationMs: true,
    isrc: true,
    fetchedAt: true,
    createdAt: true,
    entitled: true,
    received: true,
    owed: true,
    owedSince: true,
    lineSince: true,
    restingSince: true,
    withdrawn: true,
    takenOut: true,
    submissions: { number: true, createdAt: true, completedAt: true },
    shared: true,
    ratingsShown: true,
    reasonsShown: true,
    inPlaylistsShown: true,
    releaseWishesShown: true,
    release: true,
  },
  ratingsGiven: {
    ...song,
    score: true,
    label: true,
    createdAt: true,
    reasons: true,
    inPlaylist: true,
    wantsRelease: true,
  },
  listens: { ...song, requiredSeconds: true, startedAt: true, finishedAt: true },
  songsNotPlayed: { ...song, askedAt: true, foundToPlayAt: true },
  songsPassedOn: { ...song, reason: true, passedAt: true },
  songsPutIntoPlaylists: { ...song, playlistId: true, playlistName: true, addedAt: true },
  releasesWishedFor: { ...song, askedAt: true },
  reports: { ...song, words: true, reportedAt: true },
  accountDeletedBefore: { deletedAt: true, songsNotOfferedAgain: true },
  mails: {
    kind: true,
    state: true,
    to: true,
    subject: true,
    text: true,
    fault: true,
    sentAt: true,
  },
  log: { kind: true, songId: true, score: true, createdAt: true },
  operatorDecisions: true,
  submissionLocks: true,
};

/**
 * What an operator who has songs gets of somebody's export. Nothing in it tells whether that person has
 * heard, rated, passed on or reported a song of the operator's. Times are days, because the operator knows
 * the minute of each rating received.
 */
export function exportForOwner(everything: Everything, ownIds: string[], now: number): object {
  const isOwn = new Set<unknown>(ownIds);
  const shown = pick(
    {
      ...everything,
      // An older login is there only if its user was active since.
      sessions: everything.sessions.filter(
        ({ createdAt }) => new Date(createdAt).getTime() > now - sessionLifetime.idleMs,
      ),
      // An open one ends when another song begins.
      listens: everything.listens.filter(({ finishedAt }) => finishedAt !== null),
      mails: everything.mails.filter(({ kind }) => !kindsThatTell.includes(kind)),
    },
    shownFields,
  );
  return JSON.parse(JSON.stringify(shown), (name, value) => {
    if (Array.isArray(value)) return value.filter((entry) => !isOwn.has(entry?.songId));
    return /(At|Since)$/.test(name) && typeof value === "string" ? value.slice(0, 10) : value;
  });
}

function pick(value: unknown, fields: unknown): unknown {
  if (fields === true || typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((one) => pick(one, fields));
  const parts = Object.entries(fields as object).map(([name, shown]) => [
    name,
    pick((value as Record<string, unknown>)[name], shown),
  ]);
  return Object.fromEntries(parts);
}
