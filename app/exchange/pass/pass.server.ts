import { and, eq, type SQL, sql } from "drizzle-orm";
import type { Database } from "~/db/client.server";
import { gated, hasRow, runBatch } from "~/db/gated";
import { insertSelect } from "~/db/insert-select";
import { maxPassesPerDay, maxPassesPerPackage, maxReportsPerDay } from "~/db/rules";
import {
  listens,
  packageSongs,
  packages,
  passes,
  ratings,
  reports,
  songs,
  users,
} from "~/db/schema";
import { songColumns } from "~/db/song-columns";
import { listenErrors } from "~/exchange/listening/errors";
import { drawPackage } from "~/exchange/pool/draw";
import type { Place } from "~/exchange/pool/place";
import { selectPool, toPool } from "~/exchange/pool/pool.server";
import { reportUnplayable } from "~/exchange/rotation/unplayable.server";
import { advanceRounds, roundOf } from "~/exchange/round/round.server";
import { hearsSpotify } from "~/members/hearing";
import type { Viewer } from "~/members/viewer.server";
import { visitAt } from "~/members/visit";
import type { MailQueue } from "~/outbox/mail-queue.server";
import { dayMs } from "~/platform/dates";
import { logEvent } from "~/platform/log";
import { type Rejection, reject } from "~/platform/rejection";
import { type Song, toSong } from "~/sources/song";
import type { SourceOf } from "~/sources/source";
import {
  type PassesUsed,
  type PassReason,
  passesLeftText,
  passObstacle,
  passReasons,
} from "./pass";
import { noteSoundsGenerated } from "./sounds-generated.server";

/** More replacements than one, because another tab may have taken the first ones. */
const candidateCount = 1 + maxPassesPerPackage;

export interface PassServices {
  db: Database;
  place: Place | null;
  sourceOf: SourceOf;
  mailQueue: MailQueue;
  now(): number;
  random(): number;
}

export interface PassRequest {
  songId: string;
  reason: PassReason;
  words: string;
}

/**
 * Removes a song from the viewer's package for good and draws another in its place (rule 22, passes). If the song
 * is said not to play, only Spotify's answer counts against it or, of an own recording, a listen of it that ended
 * here. With no pass left, a report draws no
 * replacement (rule 23, reports). Of a pass and a rating of one song, only the first counts.
 */
export async function passSong(
  services: PassServices,
  viewer: Viewer,
  { songId, reason, words }: PassRequest,
): Promise<{ ok: true } | Rejection> {
  const { db } = services;
  const { userId, slide, tierConfig } = viewer;
  const at = services.now();
  const read = await runBatch(db, {
    song: selectPassable(db, userId, songId, at),
    offered: selectRecordings(db, userId),
    pool: selectPool(db, userId, { hears: hearsSpotify(viewer), place: services.place }),
  });
  const [song] = read.song;
  const pool = toPool(read.pool, viewer, { now: at });
  const rejection = rejectPass(song, userId, reason);
  if (rejection) return rejection;
  if (!song || isHandled(song, reason)) return { ok: true };

  const isUnplayable =
    reason === "unplayable" && (await services.sourceOf(song.track).doesNotPlay(song.deliveredMs));
  const now = services.now();
  const inPackage = new Set(read.offered.map((row) => row.recording));
  const draw = {
    visit: visitAt(viewer, now),
    slide,
    tier: tierConfig.tier,
    packageSize: candidateCount,
  };
  const others = pool.eligible.filter((one) => !inPackage.has(one.recording));
  const drawn = drawPackage(others, draw, services.random).map((one) => one.songId);
  const id = crypto.randomUUID();
  const isPassed = hasRow(passes, id);
  const { roundId } = song;
  const written = await runBatch(db, {
    pass: writePass(db, { id, userId, songId, reason, drawn, now }),
    round: roundId === null ? null : advanceRounds(db, sql`rounds.id = ${roundId}`, now),
    report: reason === "report" ? writeReport(db, { userId, songId, words, now }) : null,
    generated: reason === "generated" ? noteSoundsGenerated(db, { songId, now }) : null,
    unplayable: isUnplayable ? reportUnplayable(services, viewer, { songId, now }, isPassed) : null,
    song: selectPassable(db, userId, songId, now),
  });
  if (written.pass.gate.length > 0) logEvent("song_passed", { kind: reason });
  const [latest] = written.song;
  if (latest && isHandled(latest, reason)) return { ok: true };
  // Another tab has already handled this song, or has used the last pass.
  return rejectPass(latest, userId, reason) ?? reject(409, listenErrors.notInPackage);
}

export interface PassView {
  songId: string;
  track: Song;
  passed: boolean;
  obstacle: string | null;
  reasons: (typeof passReasons)[number][];
  left: string;
}

export async function loadPass(
  { db, now }: Pick<PassServices, "db" | "now">,
  { userId }: Viewer,
  songId: string,
): Promise<PassView | null> {
  const [song] = await selectPassable(db, userId, songId, now());
  if (!song || song.ratingId || isHandled(song, "report")) return null;
  const passed = song.passId !== null;
  if (!passed && !song.inPackage) return null;
  const used = usedOf(song);
  return {
    songId,
    track: toSong(song.track),
    passed,
    obstacle: passObstacle(used, passed ? "report" : "taste"),
    reasons: passReasons.filter(
      ({ reason }) => rejectPass(song, userId, reason) === null && !isHandled(song, reason),
    ),
    left: passesLeftText(used),
  };
}

type PassableSong = Awaited<ReturnType<typeof selectPassable>>[number];

function selectPassable(db: Database, userId: string, songId: string, now: number) {
  return db
    .select({
      track: songColumns,
      ownerId: songs.ownerId,
      ratingId: sql<string | null>`${ratings.id}`.as("rating_id"),
      passId: sql<string | null>`${passes.id}`.as("pass_id"),
      roundId: roundOf(userId, sql`songs.id`).as("round"),
      inPackage: packageOf(userId, sql`songs.id`).as("in_package"),
      reportId: sql<string | null>`(
        SELECT id FROM reports WHERE song_id = ${songs.id} AND reporter_id = ${userId})`.as(
        "report_id",
      ),
      // How far an own recording has come that could not be played to its end.
      deliveredMs: sql<number>`coalesce((SELECT delivered_ms FROM listens
        WHERE user_id = ${userId} AND song_id = ${songs.id}
          AND closed_at IS NULL AND finished_at IS NULL), 0)`.as("delivered"),
      passedHere: passesIn(packageOf(userId, sql`songs.id`)).as("passed_here"),
      passedToday: passesToday(userId, now).as("passed_today"),
      reportsToday: reportsToday(userId, now).as("reports_today"),
    })
    .from(songs)
    .leftJoin(ratings, and(eq(ratings.raterId, userId), eq(ratings.songId, songs.id)))
    .leftJoin(passes, and(eq(passes.userId, userId), eq(passes.songId, songs.id)))
    .where(eq(songs.id, songId));
}

/** Where a song is offered to somebody, whose two passes are used up together: in a package or a round; or NULL. */
function packageOf(userId: string, songId: SQL): SQL<string | null> {
  return sql<string | null>`coalesce(
    (SELECT packages.id FROM packages JOIN package_songs ON package_songs.package_id = packages.id
      WHERE packages.user_id = ${userId} AND package_songs.song_id = ${songId}),
    ${roundOf(userId, songId)} || ':' || ${userId})`;
}

function selectRecordings(db: Database, userId: string) {
  return db
    .select({ recording: songs.recording })
    .from(packages)
    .innerJoin(packageSongs, eq(packageSongs.packageId, packages.id))
    .innerJoin(songs, eq(songs.id, packageSongs.songId))
    .where(eq(packages.userId, userId));
}

function passesIn(packageId: SQL): SQL<number> {
  return sql<number>`(
    SELECT count(*) FROM passes WHERE package_id = ${packageId} AND slot IS NOT NULL)`;
}

function passesToday(userId: string, now: number): SQL<number> {
  return sql<number>`(SELECT count(*) FROM passes
    WHERE user_id = ${userId} AND created_at > ${now - dayMs} AND slot IS NOT NULL)`;
}

function reportsToday(userId: string, now: number): SQL<number> {
  return sql<number>`(
    SELECT count(*) FROM reports WHERE reporter_id = ${userId} AND created_at > ${now - dayMs})`;
}

function usedOf({ passedHere, passedToday, reportsToday }: PassableSong): PassesUsed {
  return { inPackage: passedHere, today: passedToday, reportsToday };
}

function isHandled({ passId, reportId }: PassableSong, reason: PassReason): boolean {
  return passId !== null && (reason !== "report" || reportId !== null);
}

function rejectPass(
  song: PassableSong | undefined,
  userId: string,
  reason: PassReason,
): Rejection | null {
  if (!song) return reject(404, listenErrors.noSong);
  if (song.ownerId === userId) return reject(403, listenErrors.ownSong);
  if (isHandled(song, reason)) return null;
  if (song.ratingId) return reject(409, listenErrors.alreadyRated);
  if (!song.passId && !song.inPackage) return reject(409, listenErrors.notInPackage);
  const obstacle = passObstacle(usedOf(song), reason);
  return obstacle === null ? null : reject(409, obstacle);
}

interface NewPass extends Omit<PassRequest, "words"> {
  id: string;
  userId: string;
  /** Possible replacements; the first whose recording is not in the package by then is used. */
  drawn: string[];
  now: number;
}

function writePass(db: Database, pass: NewPass) {
  const { id, userId, songId, reason, drawn, now } = pass;
  const isTheSong = and(
    eq(packageSongs.songId, songId),
    sql`package_id = (SELECT package_id FROM passes WHERE id = ${id})`,
  );
  const hasSlot = sql`EXISTS (SELECT 1 FROM passes WHERE id = ${id} AND slot IS NOT NULL)`;
  const replacement = sql`(SELECT value FROM json_each(${JSON.stringify(drawn)})
    CROSS JOIN songs AS new ON new.id = json_each.value
    WHERE NOT EXISTS (SELECT 1 FROM package_songs AS there JOIN songs AS old ON old.id = there.song_id
                      WHERE there.package_id = package_songs.package_id
                        AND old.recording = new.recording)
    ORDER BY json_each.key LIMIT 1)`;
  const its = packageOf(userId, sql`songs.id`);
  const hasPass = sql`(${passesIn(its)} < ${maxPassesPerPackage}
    AND ${passesToday(userId, now)} < ${maxPassesPerDay})`;
  const mayPass =
    reason === "report" ? sql`${reportsToday(userId, now)} < ${maxReportsPerDay}` : hasPass;
  const gate = insertSelect(db, passes, {
    row: {
      id,
      userId,
      songId: sql`songs.id`,
      packageId: its,
      // The lower free slot: a slot is freed when its pass is deleted with the song.
      slot: sql`iif(${hasPass}, iif(NOT EXISTS (
        SELECT 1 FROM passes WHERE package_id = ${its} AND slot = 1), 1, 2), NULL)`,
      reason,
      createdAt: now,
    },
    from: sql`FROM songs WHERE songs.id = ${songId} AND ${its} IS NOT NULL
          AND NOT EXISTS (SELECT 1 FROM ratings WHERE rater_id = ${userId} AND song_id = ${songId})
          AND NOT EXISTS (SELECT 1 FROM passes WHERE user_id = ${userId} AND song_id = ${songId})
          AND ${mayPass}`,
  }).returning({ id: passes.id });
  return gated(gate, hasRow(passes, id), (isPassed) => {
    const isTheListen = and(eq(listens.userId, userId), eq(listens.songId, songId), isPassed);
    return {
      replaced: db
        .update(packageSongs)
        .set({ songId: replacement, favoritedAt: null })
        .where(and(isTheSong, hasSlot, sql`${replacement} IS NOT NULL`)),
      // No replacement was found.
      gone: db.delete(packageSongs).where(isTheSong),
      // A listen that can no longer lead to a rating ends. Finished ones are kept as long as any listen.
      unheard: db
        .delete(listens)
        .where(and(isTheListen, sql`closed_at IS NULL AND finished_at IS NULL`)),
      heard: db
        .update(listens)
        .set({ closedAt: now })
        .where(and(isTheListen, sql`closed_at IS NULL`)),
      user: db
        .update(users)
        .set({ passedCount: sql`passed_count + 1` })
        .where(and(eq(users.id, userId), isPassed)),
    };
  });
}

function writeReport(
  db: Database,
  { userId, songId, words, now }: { userId: string; now: number } & Omit<PassRequest, "reason">,
) {
  return insertSelect(db, reports, {
    row: { id: crypto.randomUUID(), songId, reporterId: userId, words, createdAt: now },
    from: sql`WHERE EXISTS (SELECT 1 FROM passes WHERE user_id = ${userId} AND song_id = ${songId})
      AND NOT EXISTS (SELECT 1 FROM reports WHERE reporter_id = ${userId} AND song_id = ${songId})
      AND ${reportsToday(userId, now)} < ${maxReportsPerDay}`,
  });
}
