import { and, asc, desc, eq, notInArray, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Database } from "~/db/client.server";
import { runBatch } from "~/db/gated";
import { columnToTheMinute } from "~/db/minute";
import {
  activityLog,
  departures,
  emailConfirmations,
  listens,
  loginCodes,
  operatorLog,
  outbox,
  packageSongs,
  packages,
  passes,
  playlistAdds,
  poolWindows,
  ratingMarks,
  ratings,
  releases,
  releaseWishes,
  reports,
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
import { codeFingerprint } from "~/login/login-code.server";
import { mailTopics } from "~/mailing/email-preferences";
import { selectEmailPreferences } from "~/mailing/email-preferences.server";
import { fingerprintOf, toSuppressed } from "~/mailing/suppression.server";
import type { Viewer } from "~/members/viewer.server";
import { selectForExport } from "~/recordings/drafts.server";
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
  const fingerprints = {
    ofMails: await fingerprintOf(secret, address),
    ofCodes: address === null ? "" : await codeFingerprint(secret, address),
  };
  const { lists, ...read } = await runBatch(db, selectAccount(db, viewer, fingerprints));
  const { uploads, shared, received, departed } = read;
  const {
    id: _id,
    playlistLeaseUntil: _lease,
    addressFingerprint: _fingerprint,
    ownMailbox: _mailbox,
    ...person
  } = read.profile[0] ?? {};
  const { ended = [], ...mail } = read.preferences[0] ?? {};
  const uploadsOf = Map.groupBy(uploads, ({ songId }) => songId);
  const sharedOf = new Map(shared.map(({ songId, ...rest }) => [songId, rest]));
  const releasedOf = new Map(read.released.map(({ songId, ...rest }) => [songId, rest]));
  const receivedOf = Map.groupBy(received, ({ songId }) => songId);
  return withReadableTimes({
    format: "fivefold-account-1",
    exportedAt: now,
    person,
    waysIn: {
      spotify: read.profile.some(({ spotifyId }) => spotifyId !== null),
      email: read.profile.some(({ ownEmail }) => ownEmail !== null),
    },
    tier: viewer.tierConfig.tier,
    mail: {
      ...mail,
      unsubscribedFrom: mailTopics.filter((topic) => ended.includes(topic)),
      returned: toSuppressed(ended).returned,
      addressesAskedToConfirm: read.addresses,
    },
    subscription:
      read.subscription.map(({ userId: _user, matchedAddress: _match, ...record }) => record)[0] ??
      null,
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

function selectAccount(
  db: Database,
  { userId, tierConfig }: Pick<Viewer, "userId" | "tierConfig">,
  { ofMails, ofCodes }: { ofMails: string | null; ofCodes: string },
) {
  const song = { songId: songs.id, title: songs.title, spotifyUrl: songs.spotifyUrl };
  return {
    profile: db.select().from(users).where(eq(users.id, userId)),
    preferences: selectEmailPreferences(db, userId, ofMails),
    subscription: db.select().from(subscriptions).where(eq(subscriptions.userId, userId)),
    addresses: db
      .select({
        address: emailConfirmations.address,
        createdAt: emailConfirmations.createdAt,
        expiresAt: emailConfirmations.expiresAt,
        usedAt: emailConfirmations.usedAt,
      })
      .from(emailConfirmations)
      .where(eq(emailConfirmations.userId, userId))
      .orderBy(asc(emailConfirmations.createdAt), asc(emailConfirmations.id)),
    ownSongs: db
      .select({
        ...song,
        ...songColumns,
        artistIds: songs.artistIds,
        entitled: songs.entitled,
        received: songs.received,
        owed: songs.owed,
        owedSince: songs.owedSince,
        // To the minute, because they show when another song was rated, or when somebody played this one.
        lineSince: columnToTheMinute(songs.lineSince).as("line_since"),
        restingSince: columnToTheMinute(songs.restingSince).as("resting_since"),
        withdrawn: songs.withdrawn,
        takenOut: songs.takenOut,
        newsSince: songs.newsSince,
        fetchedAt: columnToTheMinute(songs.fetchedAt).as("fetched_at"),
        createdAt: songs.createdAt,
      })
      .from(songs)
      .where(eq(songs.ownerId, userId))
      .orderBy(asc(songs.createdAt), asc(songs.id)),
    uploads: db
      .select({
        songId: submissions.songId,
        number: submissions.number,
        creditsSpent: submissions.spent,
        limited: submissions.limited,
        createdAt: submissions.createdAt,
        completedAt: columnToTheMinute(submissions.completedAt).as("completed_at"),
      })
      .from(submissions)
      .where(eq(submissions.ownerId, userId))
      .orderBy(asc(submissions.createdAt), asc(submissions.id)),
    shared: db
      .select({
        songId: shares.songId,
        token: shares.token,
        snapshot: shares.snapshot,
        publishedAt: shares.publishedAt,
      })
      .from(shares)
      .innerJoin(songs, eq(songs.id, shares.songId))
      .where(eq(songs.ownerId, userId)),
    released: db
      .select({ songId: releases.songId, url: releases.url, mailsAt: releases.mailsAt })
      .from(releases)
      .innerJoin(songs, eq(songs.id, releases.songId))
      .where(eq(songs.ownerId, userId)),
    received: selectVisibleRatings(db, userId, tierConfig),
    given: db
      .select({
        ...song,
        score: ratings.score,
        createdAt: ratings.createdAt,
        reasons: ratings.reasons,
        inPlaylist: ratings.inPlaylist,
        wantsRelease: ratings.wantsRelease,
      })
      .from(ratings)
      .innerJoin(songs, eq(songs.id, ratings.songId))
      .where(eq(ratings.raterId, userId))
      .orderBy(asc(ratings.createdAt), asc(ratings.id)),
    windows: db
      .select({
        passedUntilAt: poolWindows.seenTo,
        stillWaiting: sql<number>`json_array_length(${poolWindows.waiting})`,
        writtenAt: poolWindows.updatedAt,
      })
      .from(poolWindows)
      .where(eq(poolWindows.userId, userId)),
    wishes: db
      .select({
        askedAt: songWishes.askedAt,
        lastLookedAt: songWishes.lookedAt,
        songsFoundSince: songWishes.foundSince,
      })
      .from(songWishes)
      .where(eq(songWishes.userId, userId)),
    departed: db
      .select({
        deletedAt: sql<number>`max(${departures.leftAt})`.as("deleted_at"),
        songId: ratingMarks.songId,
        title: songs.title,
      })
      .from(departures)
      .leftJoin(ratingMarks, eq(ratingMarks.departureId, departures.id))
      .leftJoin(songs, eq(songs.id, ratingMarks.songId))
      .where(eq(departures.userId, userId))
      // Each way in of the account that was deleted has its own row.
      .groupBy(ratingMarks.songId),
    /** Exported as they are read. */
    lists: {
      sessions: db
        .select({
          device: sessions.device,
          way: sessions.way,
          spotifyClientId: sessions.clientId,
          createdAt: sessions.createdAt,
          lastSeenAt: sessions.lastSeenAt,
          expiresAt: sessions.expiresAt,
          tokenExpiresAt: sessions.tokenExpiresAt,
          hasSpotifyPremium: sessions.hasSpotifyPremium,
          mayAddToPlaylists: sessions.mayAddToPlaylists,
        })
        .from(sessions)
        .where(eq(sessions.userId, userId))
        .orderBy(desc(sessions.lastSeenAt), desc(sessions.id)),
      // Codes for an address that the user has not confirmed may be a stranger's.
      loginCodes: db
        .select({
          createdAt: loginCodes.createdAt,
          expiresAt: loginCodes.expiresAt,
          wrongTries: loginCodes.wrongTries,
          verifiedAt: sql<number | null>`(SELECT min(verified_at) FROM login_grants
            WHERE code_id = ${loginCodes.id})`.as("verified_at"),
        })
        .from(loginCodes)
        .where(
          sql`fingerprint = ${ofCodes}
            AND EXISTS (SELECT 1 FROM users WHERE id = ${userId} AND own_email IS NOT NULL)`,
        )
        .orderBy(asc(loginCodes.createdAt), asc(loginCodes.id)),
      listens: db
        .select({
          ...song,
          requiredSeconds: listens.requiredSeconds,
          startedAt: listens.startedAt,
          finishedAt: listens.finishedAt,
          evidence: listens.evidence,
          ...onceListenEnded({
            doubtedAt: listens.doubtedAt,
            observedAt: listens.observedAt,
            heardMs: listens.heardMs,
            positionMs: listens.positionMs,
            recheckAt: listens.recheckAt,
          }),
          closedAt: listens.closedAt,
        })
        .from(listens)
        .innerJoin(songs, eq(songs.id, listens.songId))
        .where(eq(listens.userId, userId))
        .orderBy(asc(listens.startedAt), asc(listens.id)),
      songsToRate: db
        .select({
          ...song,
          number: packages.number,
          drawnAt: packages.drawnAt,
          favoritedAt: packageSongs.favoritedAt,
        })
        .from(packages)
        .innerJoin(packageSongs, eq(packageSongs.packageId, packages.id))
        .innerJoin(songs, eq(songs.id, packageSongs.songId))
        .where(eq(packages.userId, userId))
        .orderBy(asc(packageSongs.position)),
      songsNotPlayed: db
        .select({
          ...song,
          askedAt: unplayableReports.createdAt,
          foundToPlayAt: unplayableReports.answeredAt,
        })
        .from(unplayableReports)
        .innerJoin(songs, eq(songs.id, unplayableReports.songId))
        .where(eq(unplayableReports.userId, userId))
        .orderBy(asc(unplayableReports.createdAt), asc(songs.id)),
      songsPassedOn: db
        .select({ ...song, reason: passes.reason, passedAt: passes.createdAt })
        .from(passes)
        .innerJoin(songs, eq(songs.id, passes.songId))
        .where(eq(passes.userId, userId))
        .orderBy(asc(passes.createdAt), asc(passes.id)),
      songsPutIntoPlaylists: db
        .select({
          ...song,
          playlistId: playlistAdds.playlistId,
          playlistName: playlistAdds.playlistName,
          addedAt: playlistAdds.addedAt,
        })
        .from(playlistAdds)
        .innerJoin(songs, eq(songs.id, playlistAdds.songId))
        .where(eq(playlistAdds.userId, userId))
        .orderBy(asc(playlistAdds.addedAt), asc(songs.id), asc(playlistAdds.playlistId)),
      releasesWishedFor: db
        .select({ ...song, askedAt: releaseWishes.askedAt })
        .from(releaseWishes)
        .innerJoin(songs, eq(songs.id, releaseWishes.songId))
        .where(eq(releaseWishes.userId, userId))
        .orderBy(asc(releaseWishes.askedAt), asc(songs.id)),
      reports: db
        .select({ ...song, words: reports.words, reportedAt: reports.createdAt })
        .from(reports)
        .innerJoin(songs, eq(songs.id, reports.songId))
        .where(eq(reports.reporterId, userId))
        .orderBy(asc(reports.createdAt), asc(reports.id)),
      ownRecordings: selectForExport(db, userId),
      operatorDecisions: db
        .select({
          action: operatorLog.action,
          target: operatorLog.target,
          reason: operatorLog.reason,
          createdAt: operatorLog.createdAt,
        })
        .from(operatorLog)
        // Owners do not hear of dismissed reports (rule 23), nor of looks, which may follow one.
        .where(
          and(eq(operatorLog.userId, userId), notInArray(operatorLog.action, ["dismiss", "look"])),
        )
        .orderBy(asc(operatorLog.createdAt), asc(operatorLog.id)),
      submissionLocks: db
        .selectDistinct({ reason: submissionLocks.reason, lockedAt: submissionLocks.lockedAt })
        .from(submissionLocks)
        .where(eq(submissionLocks.userId, userId)),
      mails: db
        .select({
          kind: outbox.kind,
          state: outbox.state,
          to: outbox.to,
          subject: outbox.subject,
          // Only the reader of an address may have the link that confirms it.
          text: sql<string | null>`iif(${outbox.kind} = 'confirmation', NULL, ${outbox.text})`.as(
            "text",
          ),
          fault: outbox.fault,
          sentAt: columnToTheMinute(outbox.sentAt).as("sent_at"),
        })
        .from(outbox)
        // Neither the time at which it was owed nor a line per rating, because both would show when each was
        // given.
        .where(
          sql`${eq(outbox.userId, userId)} AND coalesce(${outbox.mailId}, ${outbox.id}) = ${outbox.id}`,
        )
        .orderBy(asc(outbox.createdAt), asc(outbox.id)),
      log: db
        .select({
          kind: activityLog.kind,
          songId: activityLog.songId,
          score: activityLog.score,
          createdAt: activityLog.createdAt,
        })
        .from(activityLog)
        .where(eq(activityLog.userId, userId))
        .orderBy(asc(activityLog.createdAt), sql`rowid`),
    },
  };
}

/** NULL while the listen lasts, because spot checks would show when the next one is due. */
function onceListenEnded<Name extends string>(columns: Record<Name, SQLiteColumn>) {
  const hasListenEnded = sql`(${listens.finishedAt} IS NOT NULL OR ${listens.closedAt} IS NOT NULL)`;
  return Object.fromEntries(
    Object.entries<SQLiteColumn>(columns).map(([name, column]) => [
      name,
      sql<number | null>`iif(${hasListenEnded}, ${column}, NULL)`.as(name),
    ]),
  ) as Record<Name, SQL.Aliased<number | null>>;
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
