import { and, asc, desc, eq, getTableColumns, notInArray, type SQL, sql } from "drizzle-orm";
import type { SelectedFields, SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Database } from "~/db/client.server";
import { runBatch } from "~/db/gated";
import { columnToTheMinute } from "~/db/minute";
import * as schema from "~/db/schema";
import {
  activityLog,
  departures,
  listens,
  mailedProofs,
  operatorLog,
  outbox,
  packageSongs,
  packages,
  passes,
  playlistAdds,
  poolWindows,
  ratingMarks,
  ratings,
  recordings,
  releases,
  releaseWishes,
  reports,
  roundMembers,
  rounds,
  sessions,
  shares,
  songs,
  songWishes,
  submissionLocks,
  submissions,
  subscriptions,
  unplayableReports,
  users,
} from "~/db/schema";
import { settledOnly } from "~/db/settled";
import { songColumns } from "~/db/song-columns";
import { countReasons, reasonsOf } from "~/exchange/rating/reasons";
import { isScore, ratingLabel } from "~/exchange/rating/scale";
import { scoresShown } from "~/exchange/round/round.server";
import { mailTopics } from "~/mailing/email-preferences";
import { selectEmailPreferences } from "~/mailing/email-preferences.server";
import { fingerprintOf, toSuppressed } from "~/mailing/suppression.server";
import type { Way } from "~/members/identity";
import type { Viewer } from "~/members/viewer.server";
import { countInPlaylists, countReleaseWishes } from "~/results/in-playlists";
import { selectVisibleRatings } from "~/results/received.server";

export const accountFile = "fivefold-account.json";

/**
 * Everything that is stored about a user, as plain objects for JSON. Of the ratings received it contains
 * those that the tier shows and nobody can change any more, without anything about the rater. Tokens and the keys of sessions and links are
 * left out. One round trip.
 */
export async function exportAccount(
  db: Database,
  viewer: Pick<Viewer, "userId" | "address" | "tierConfig">,
  { now, secret }: { now: number; secret: string },
) {
  const { address } = viewer;
  const fingerprint = await fingerprintOf(secret, address);
  const { lists, ...read } = await runBatch(db, selectAccount(db, viewer, fingerprint));
  const { uploads, shared, received, departed } = read;
  const { ended = [], ...mail } = read.preferences[0] ?? {};
  const uploadsOf = Map.groupBy(uploads, ({ songId }) => songId);
  const sharedOf = new Map(shared.map(({ songId, ...rest }) => [songId, rest]));
  const releasedOf = new Map(read.released.map(({ songId, ...rest }) => [songId, rest]));
  const receivedOf = Map.groupBy(received, ({ songId }) => songId);
  return withReadableTimes({
    format: "fivefold-account-1",
    exportedAt: now,
    person: read.profile[0] ?? {},
    waysIn: {
      spotify: read.profile.some(({ spotifyId }) => spotifyId !== null),
      email: read.profile.some(({ ownEmail }) => ownEmail !== null),
    } satisfies Record<Way, boolean>,
    tier: viewer.tierConfig.tier,
    mail: {
      ...mail,
      unsubscribedFrom: mailTopics.filter((topic) => ended.includes(topic)),
      returned: toSuppressed(ended).returned,
      addressesAskedToConfirm: read.addresses,
    },
    subscription: read.subscription[0] ?? null,
    ...lists,
    songs: read.ownSongs.map((own) => {
      const newest = receivedOf.get(own.songId) ?? [];
      const settled = settledOnly({ seen: newest.toReversed(), received: own.received, now });
      return {
        ...own,
        submissions: (uploadsOf.get(own.songId) ?? []).map(({ songId: _songId, ...rest }) => rest),
        shared: sharedOf.get(own.songId) ?? null,
        ratingsShown: settled.seen.toReversed().map(({ score, ratedAt }) => ({
          score,
          label: labelOf(score),
          ratedAt,
        })),
        reasonsShown: countReasons(settled),
        inPlaylistsShown: countInPlaylists(settled),
        releaseWishesShown: countReleaseWishes(settled),
        release: releasedOf.get(own.songId) ?? null,
      };
    }),
    ratingsGiven: read.given.map((one) => ({
      ...one,
      label: labelOf(one.score),
      reasons: one.reasons === null ? null : reasonsOf(one.reasons),
    })),
    songsPassed: read.windows[0] ?? null,
    mailAskedForWhenThereAreSongs: read.wishes[0] ?? null,
    accountDeletedBefore: departed[0]
      ? {
          deletedAt: Math.max(...departed.map(({ deletedAt }) => deletedAt)),
          songsNotOfferedAgain: departed.flatMap(({ songId, title }) =>
            songId ? [{ songId, title }] : [],
          ),
        }
      : null,
  });
}

const song = { songId: songs.id, title: songs.title, spotifyUrl: songs.spotifyUrl };

/** True for what is exported under its own name; a text says why it is not; else what stands in its place. */
type Shown = true | string | Record<string, SQLiteColumn | SQL.Aliased>;
const tables = { ...schema };
type Tables = typeof tables;

const whose = "It is the user, or a row that is exported.";
const key = "It only tells rows apart.";
const secret = "Whoever reads it could do something in the user's name.";
const inner = "It serves the product's own work alone, or says again what another column says.";
const others = "It would tell of somebody else (rule 5, anonymity), or of what comes next.";
const nobody = "It names no user.";
/** It is under `mail`, as `selectEmailPreferences` reads it. */
const inMail = {};

/** Every column that is stored, in the order of the export. The compiler asks for one that is not here. */
const exported = {
  users: {
    id: key,
    spotifyId: true,
    displayName: true,
    spotifyName: true,
    ownName: true,
    imageUrl: true,
    email: true,
    ownEmail: true,
    ownMailbox: inner,
    addressFingerprint: inner,
    credits: true,
    ratedCount: true,
    ratedWithdrawn: true,
    passedCount: true,
    submittedCount: true,
    ownArtists: true,
    visit: true,
    slide: true,
    lastActiveAt: true,
    hearsSpotifyUntil: true,
    ratingsSeenAt: true,
    ratingsNewsSince: true,
    playlistLeaseUntil: inner,
    createdAt: true,
    updatedAt: true,
  },
  sessions: {
    id: secret,
    userId: whose,
    device: true,
    way: true,
    clientId: { spotifyClientId: sessions.clientId },
    accessToken: secret,
    refreshToken: secret,
    refreshLeaseUntil: inner,
    createdAt: true,
    lastSeenAt: true,
    expiresAt: true,
    tokenExpiresAt: true,
    hasSpotifyPremium: true,
    mayAddToPlaylists: true,
    endedBySpotify: inner,
  },
  recordings: {
    id: { recordingId: recordings.id },
    ownerId: whose,
    title: true,
    artist: true,
    state: true,
    type: true,
    bytes: true,
    durationMs: true,
    hash: { sha256: recordings.hash, file: recordingPath("audio").as("file") },
    drawnFrom: inner,
    audioStart: inner,
    audioEnd: inner,
    coverType: true,
    coverBytes: {
      coverBytes: recordings.coverBytes,
      cover: sql<string | null>`iif(cover_type IS NULL, NULL, ${recordingPath("cover")})`.as(
        "cover",
      ),
    },
    mixOf: true,
    loudness: { loudnessLufs: sql<number | null>`loudness / 10.0`.as("loudness_lufs") },
    made: true,
    agreedCost: true,
    hearing: true,
    createdAt: { uploadedAt: recordings.createdAt },
    fileEndedAt: true,
  },
  fileDeletions: nobody,
  songs: {
    id: song,
    ownerId: whose,
    trackId: true,
    artists: true,
    album: true,
    artUrl: { artUrl: songColumns.artUrl },
    smallerArt: true,
    tint: true,
    durationMs: true,
    isrc: true,
    title: true,
    spotifyUrl: true,
    explicit: true,
    made: true,
    soundsGeneratedSince: others,
    artistIds: true,
    entitled: true,
    received: true,
    owed: true,
    owedSince: true,
    // To the minute, because they show when another song was rated, or when somebody played this one.
    lineSince: { lineSince: columnToTheMinute(songs.lineSince).as("line_since") },
    restingSince: { restingSince: columnToTheMinute(songs.restingSince).as("resting_since") },
    withdrawn: true,
    takenOut: true,
    newsSince: true,
    fetchedAt: { fetchedAt: columnToTheMinute(songs.fetchedAt).as("fetched_at") },
    createdAt: true,
    ownRecordingId: whose,
    recording: inner,
    decidedAt: inner,
    mixAskedAt: true,
    activeAt: inner,
    // Where listeners are is nobody's business.
    ratedFrom: inner,
  },
  shares: {
    songId: { songId: shares.songId },
    token: true,
    snapshot: true,
    picture: inner,
    publishedAt: true,
  },
  spotifyWaits: nobody,
  submissions: {
    id: key,
    songId: { songId: submissions.songId },
    ownerId: whose,
    ownRecordingId: whose,
    number: true,
    allotment: inner,
    spent: { creditsSpent: submissions.spent },
    limited: true,
    sealed: true,
    requestKey: inner,
    createdAt: true,
    completedAt: { completedAt: columnToTheMinute(submissions.completedAt).as("completed_at") },
  },
  rounds: {
    id: key,
    hostId: whose,
    name: true,
    token: true,
    seats: true,
    gatherUntil: true,
    listenMs: true,
    createdAt: true,
    begunAt: true,
    endsAt: true,
    endedAt: true,
    openedAt: true,
    remindedAt: true,
  },
  roundMembers: {
    roundId: {
      round: sql<string>`(SELECT name FROM rounds WHERE rounds.id = round_members.round_id)`.as(
        "round",
      ),
      scoresShown: scoresShown.as("scores_shown"),
    },
    userId: whose,
    songId: song,
    joinedAt: true,
    listenedAt: true,
    openedAt: true,
    shownAt: true,
  },
  packages: { id: key, userId: whose, number: true, drawnAt: true },
  packageSongs: { packageId: whose, songId: song, position: inner, favoritedAt: true },
  poolWindows: {
    userId: whose,
    hearsSpotify: inner,
    seenTo: { passedUntilAt: poolWindows.seenTo },
    waiting: {
      stillWaiting: sql<number>`json_array_length(${poolWindows.waiting})`.as("still_waiting"),
    },
    updatedAt: { writtenAt: poolWindows.updatedAt },
  },
  listens: {
    id: key,
    userId: whose,
    songId: song,
    requiredSeconds: true,
    startedAt: true,
    finishedAt: true,
    evidence: true,
    doubtedAt: onceEnded("doubtedAt"),
    observedAt: onceEnded("observedAt"),
    heardMs: onceEnded("heardMs"),
    positionMs: onceEnded("positionMs"),
    recheckAt: onceEnded("recheckAt"),
    closedAt: true,
    deliveredMs: others,
  },
  unplayableReports: {
    songId: song,
    userId: whose,
    createdAt: { askedAt: unplayableReports.createdAt },
    answeredAt: { foundToPlayAt: unplayableReports.answeredAt },
  },
  passes: {
    id: key,
    userId: whose,
    songId: song,
    packageId: whose,
    slot: inner,
    reason: true,
    createdAt: { passedAt: passes.createdAt },
    recording: inner,
  },
  reports: {
    id: key,
    songId: song,
    reporterId: whose,
    words: true,
    createdAt: { reportedAt: reports.createdAt },
    closedAt: others,
    mailedAt: others,
  },
  ratings: {
    id: others,
    songId: song,
    ownerId: others,
    raterId: whose,
    listenId: whose,
    score: true,
    createdAt: true,
    reasons: true,
    inPlaylist: true,
    wantsRelease: true,
    recording: inner,
    roundId: {
      round: sql<string | null>`(SELECT name FROM rounds WHERE rounds.id = ratings.round_id)`.as(
        "round",
      ),
    },
    sealed: others,
    owesMail: others,
  },
  releases: { songId: { songId: releases.songId }, url: true, mailsAt: true, mailed: others },
  releaseWishes: { userId: whose, songId: song, askedAt: true },
  playlistAdds: {
    userId: whose,
    songId: song,
    playlistId: true,
    playlistName: true,
    addedAt: true,
  },
  subscriptions: {
    userId: whose,
    status: true,
    tier: true,
    subscriptionId: true,
    customerId: true,
    checkoutId: true,
    checkoutNumber: true,
    returnTo: true,
    startedAt: true,
    renewsAt: true,
    price: true,
    cancelAt: true,
    failedAt: true,
    retryAt: true,
    endedAt: true,
    matchedAddress: inner,
    updatedAt: true,
    syncedAt: true,
  },
  billingEvents: nobody,
  declarations: nobody,
  emailPreferences: {
    userId: whose,
    receiveRatingEmails: inMail,
    ratingMailRhythm: inMail,
    receiveSubscriptionEmails: inMail,
    updatedAt: inner,
  },
  mailedProofs: {
    id: secret,
    kind: inner,
    number: inner,
    address: true,
    askedBy: whose,
    fingerprint: inner,
    asker: inner,
    asker56: inner,
    asker48: inner,
    spotifyWay: inner,
    mailboxWay: inner,
    again: whose,
    next: inner,
    createdAt: true,
    expiresAt: true,
    usedAt: true,
    wrongTries: true,
    madeAccount: inner,
  },
  loginGrants: {
    codeId: secret,
    by: inner,
    verifiedAt: {
      verifiedAt: sql<number | null>`(SELECT min(verified_at) FROM login_grants
        WHERE code_id = ${mailedProofs.id})`.as("verified_at"),
    },
    ticket: secret,
    sessionId: secret,
  },
  departures: {
    id: key,
    userId: whose,
    leftAt: { deletedAt: sql<number>`max(${departures.leftAt})`.as("deleted_at") },
    recognisedAt: inner,
  },
  ratingMarks: {
    departureId: whose,
    songId: { songId: ratingMarks.songId, title: songs.title },
    recording: inner,
  },
  mailSuppressions: { fingerprint: inner, topic: inMail, bouncedAt: inner },
  songWishes: {
    id: key,
    userId: whose,
    askedAt: true,
    lookedAt: { lastLookedAt: songWishes.lookedAt },
    foundSince: { songsFoundSince: songWishes.foundSince },
  },
  communityFigures: nobody,
  communityDays: nobody,
  outbox: {
    id: key,
    userId: whose,
    kind: true,
    state: true,
    to: true,
    subject: true,
    // Only the reader of an address may have the link that confirms it.
    text: {
      text: sql<string | null>`iif(${outbox.kind} = 'confirmation', NULL, ${outbox.text})`.as(
        "text",
      ),
    },
    fault: true,
    sentAt: { sentAt: columnToTheMinute(outbox.sentAt).as("sent_at") },
    subjectId: others,
    dedupeKey: others,
    mailId: key,
    notBefore: others,
    attempts: inner,
    createdAt: others,
    bcc: others,
    html: inner,
  },
  activityLog: { id: key, kind: true, userId: whose, songId: true, createdAt: true },
  submissionLocks: { id: secret, userId: whose, reason: true, lockedAt: true },
  notices: nobody,
  operatorLog: {
    id: key,
    operator: others,
    action: true,
    target: true,
    userId: whose,
    reason: true,
    ground: true,
    createdAt: true,
  },
  jobRuns: nobody,
  dailyCounts: nobody,
  dailyStats: nobody,
} satisfies {
  [Name in keyof Tables]: string | { [Column in keyof Tables[Name]["$inferSelect"]]: Shown };
};

type Exported = typeof exported;
type Both<Parts> = (Parts extends unknown ? (part: Parts) => void : never) extends (
  part: infer All,
) => void
  ? All
  : never;
type Fields<Name extends keyof Tables> = {
  [Column in keyof Exported[Name] & keyof Tables[Name] as Exported[Name][Column] extends true
    ? Column
    : never]: Tables[Name][Column];
} & Both<Exclude<Exported[Name][keyof Exported[Name]], true | string>>;

/** What is exported of a table. */
function fieldsOf<Name extends keyof Tables>(name: Name): Fields<Name> {
  const columns: Record<string, SQLiteColumn> = getTableColumns(tables[name]);
  const parts = Object.entries<Shown>(exported[name]).map(([column, shown]) => {
    if (shown === true) return { [column]: columns[column] };
    return typeof shown === "string" ? {} : shown;
  });
  return Object.assign({}, ...parts);
}

/** Where the owner of an own recording can fetch its file, or its cover. */
function recordingPath(file: string) {
  return sql<string | null>`iif(file_ended_at IS NULL AND state <> 'arriving',
    '/recordings/' || id || '/' || ${file}, NULL)`;
}

/** NULL while the listen lasts, because spot checks would show when the next one is due. */
function onceEnded(name: "doubtedAt" | "observedAt" | "heardMs" | "positionMs" | "recheckAt") {
  const column = sql<number | null>`iif(${listens.finishedAt} IS NOT NULL
    OR ${listens.closedAt} IS NOT NULL, ${listens[name]}, NULL)`;
  return { [name]: column.as(name) };
}

function selectAccount(
  db: Database,
  { userId, tierConfig }: Pick<Viewer, "userId" | "tierConfig">,
  fingerprint: string | null,
) {
  /** Rows that are exported as they are read. */
  function list(name: keyof Tables, where: SQL | undefined, ...order: (SQLiteColumn | SQL)[]) {
    const table: SQLiteTable & { songId?: SQLiteColumn } = tables[name];
    const rows = db
      .select(fieldsOf(name) as SelectedFields)
      .from(table)
      .$dynamic();
    const named = table.songId ? rows.leftJoin(songs, eq(songs.id, table.songId)) : rows;
    return named.where(where).orderBy(...order);
  }
  const { address, usedAt, wrongTries, ...times } = fieldsOf("mailedProofs");
  return {
    profile: db.select(fieldsOf("users")).from(users).where(eq(users.id, userId)),
    preferences: selectEmailPreferences(db, userId, fingerprint),
    subscription: db
      .select(fieldsOf("subscriptions"))
      .from(subscriptions)
      .where(eq(subscriptions.userId, userId)),
    addresses: db
      .select({ address, ...times, usedAt })
      .from(mailedProofs)
      .where(eq(mailedProofs.askedBy, userId))
      .orderBy(asc(mailedProofs.createdAt), asc(mailedProofs.id)),
    ownSongs: db
      .select(fieldsOf("songs"))
      .from(songs)
      .where(eq(songs.ownerId, userId))
      .orderBy(asc(songs.createdAt), asc(songs.id)),
    uploads: db
      .select(fieldsOf("submissions"))
      .from(submissions)
      .where(eq(submissions.ownerId, userId))
      .orderBy(asc(submissions.createdAt), asc(submissions.id)),
    shared: db
      .select(fieldsOf("shares"))
      .from(shares)
      .innerJoin(songs, eq(songs.id, shares.songId))
      .where(eq(songs.ownerId, userId)),
    released: db
      .select(fieldsOf("releases"))
      .from(releases)
      .innerJoin(songs, eq(songs.id, releases.songId))
      .where(eq(songs.ownerId, userId)),
    received: selectVisibleRatings(db, userId, tierConfig),
    given: db
      .select(fieldsOf("ratings"))
      .from(ratings)
      .innerJoin(songs, eq(songs.id, ratings.songId))
      .where(eq(ratings.raterId, userId))
      .orderBy(asc(ratings.createdAt), asc(ratings.id)),
    windows: list("poolWindows", eq(poolWindows.userId, userId)),
    wishes: list("songWishes", eq(songWishes.userId, userId)),
    departed: db
      .select({ ...fieldsOf("departures"), ...fieldsOf("ratingMarks") })
      .from(departures)
      .leftJoin(ratingMarks, eq(ratingMarks.departureId, departures.id))
      .leftJoin(songs, eq(songs.id, ratingMarks.songId))
      .where(eq(departures.userId, userId))
      // Each way in of the account that was deleted has its own row.
      .groupBy(ratingMarks.songId),
    /** Exported as they are read. */
    lists: {
      sessions: list(
        "sessions",
        eq(sessions.userId, userId),
        desc(sessions.lastSeenAt),
        desc(sessions.id),
      ),
      // Codes for an address that the user has not confirmed may be a stranger's.
      loginCodes: db
        .select({ ...times, wrongTries, ...fieldsOf("loginGrants") })
        .from(mailedProofs)
        .where(
          sql`kind <> 'confirmation' AND fingerprint = ${fingerprint}
            AND EXISTS (SELECT 1 FROM users WHERE id = ${userId} AND own_email IS NOT NULL)`,
        )
        .orderBy(asc(mailedProofs.createdAt), asc(mailedProofs.id)),
      listens: list("listens", eq(listens.userId, userId), listens.startedAt, listens.id),
      songsToRate: db
        .select({ ...song, ...fieldsOf("packages"), ...fieldsOf("packageSongs") })
        .from(packages)
        .innerJoin(packageSongs, eq(packageSongs.packageId, packages.id))
        .innerJoin(songs, eq(songs.id, packageSongs.songId))
        .where(eq(packages.userId, userId))
        .orderBy(asc(packageSongs.position)),
      songsNotPlayed: list(
        "unplayableReports",
        eq(unplayableReports.userId, userId),
        unplayableReports.createdAt,
        unplayableReports.songId,
      ),
      songsPassedOn: list("passes", eq(passes.userId, userId), passes.createdAt, passes.id),
      roundsHosted: list("rounds", eq(rounds.hostId, userId), rounds.createdAt, rounds.id),
      roundsTakenPart: list("roundMembers", eq(roundMembers.userId, userId), roundMembers.joinedAt),
      songsPutIntoPlaylists: list(
        "playlistAdds",
        eq(playlistAdds.userId, userId),
        playlistAdds.addedAt,
        playlistAdds.songId,
        playlistAdds.playlistId,
      ),
      releasesWishedFor: list(
        "releaseWishes",
        eq(releaseWishes.userId, userId),
        releaseWishes.askedAt,
        releaseWishes.songId,
      ),
      reports: list("reports", eq(reports.reporterId, userId), reports.createdAt, reports.id),
      ownRecordings: list(
        "recordings",
        eq(recordings.ownerId, userId),
        recordings.createdAt,
        recordings.id,
      ),
      operatorDecisions: list(
        "operatorLog",
        // Owners do not hear of dismissed reports (rule 23, reports), nor of looks, which may follow one.
        and(eq(operatorLog.userId, userId), notInArray(operatorLog.action, ["dismiss", "look"])),
        operatorLog.createdAt,
        operatorLog.id,
      ),
      submissionLocks: db
        .selectDistinct(fieldsOf("submissionLocks"))
        .from(submissionLocks)
        .where(eq(submissionLocks.userId, userId)),
      mails: list(
        "outbox",
        // Neither the time at which it was owed nor a line per rating, because both would show when each was
        // given.
        sql`${eq(outbox.userId, userId)} AND coalesce(${outbox.mailId}, ${outbox.id}) = ${outbox.id}`,
        outbox.createdAt,
        outbox.id,
      ),
      log: list(
        "activityLog",
        eq(activityLog.userId, userId),
        activityLog.createdAt,
        sql`activity_log.rowid`,
      ),
    },
  };
}

function labelOf(score: number): string | null {
  return isScore(score) ? ratingLabel(score) : null;
}

/** Keys that end in `At` or `Since` hold epoch milliseconds. */
function withReadableTimes<T>(value: T): T {
  const readable = (key: string, item: unknown) =>
    /(At|Since|Until)$/.test(key) && typeof item === "number" ? new Date(item).toISOString() : item;
  return JSON.parse(JSON.stringify(value, readable)) as T;
}
