import { and, eq, type SQL, sql } from "drizzle-orm";
import type { Spotify } from "~/adapters/spotify/spotify";
import type { Track } from "~/adapters/spotify/track";
import type { Database } from "~/db/client.server";
import { gated, hasRow, runBatch } from "~/db/gated";
import { insertSelect } from "~/db/insert-select";
import { dayMs, maxPassesPerDay, maxPassesPerPackage } from "~/db/rules";
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
import { trackColumns } from "~/db/track-columns";
import { listenErrors } from "~/domain/listening/errors";
import { askForTrack, writeRefusal } from "~/domain/listening/refusals.server";
import type { MailQueue } from "~/domain/owed-mail/mail-queue.server";
import { openPool, selectPool } from "~/domain/pool/pool.server";
import { drawPackage } from "~/domain/pool/select";
import { type Refusal, refuse } from "~/domain/refusal";
import type { Viewer } from "~/domain/session/viewer.server";
import { visitAt } from "~/domain/session/visit";
import { logEvent } from "~/platform/log";
import { type PassesUsed, passesLeftText, passObstacle } from "./limits";
import type { PassReason } from "./reasons";

/** Songs drawn to take the place of one: the others are for when another tab was quicker. */
const candidates = 1 + maxPassesPerPackage;

/** What passing on a song works with. */
export interface PassServices {
  db: Database;
  /** Spotify on behalf of the viewer. */
  spotify: Pick<Spotify, "track">;
  mailQueue: MailQueue;
  /** Epoch milliseconds. */
  now(): number;
  /** From 0 to 1. */
  random(): number;
}

/** A pass as the viewer asks for it. */
export interface PassRequest {
  songId: string;
  reason: PassReason;
  /** What a report says; nothing else has words. */
  words: string;
}

/**
 * Takes a song that the viewer cannot rate out of their package for good, whether or not it was played or
 * heard, and draws another into its place (rule 22). It earns and costs nothing, and nothing of it shows
 * to the song's owner. Where the song is said not to play, Spotify is asked for it, and only its answer
 * speaks against the song. Of any number of concurrent passes no more than the limits count; of a pass
 * and a rating of the same song, one. A song that was passed on already stays so. Two round trips.
 */
export async function passSong(
  services: PassServices,
  viewer: Viewer,
  { songId, reason, words }: PassRequest,
): Promise<{ ok: true } | Refusal> {
  const { db, spotify } = services;
  const { userId, slide, limits } = viewer;
  const at = services.now();
  const read = await runBatch(db, {
    song: selectPassable(db, userId, songId, at),
    offered: selectPackageIds(db, userId),
    pool: selectPool(db, userId),
  });
  const [song] = read.song;
  const pool = openPool(read.pool, viewer, { now: at });
  const refusal = refusePass(song, userId);
  if (refusal) return refusal;
  if (!song || song.passId) return { ok: true };

  const isRefused = reason === "unplayable" && (await askForTrack(spotify, song.trackId)).isRefused;
  const now = services.now();
  const inPackage = new Set(read.offered.map((row) => row.songId));
  const draw = {
    visit: visitAt(viewer, now),
    slide,
    tier: limits.tier,
    packageSize: candidates,
  };
  const rest = pool.eligible.filter((one) => !inPackage.has(one.songId));
  const drawn = drawPackage(rest, draw, services.random).map((one) => one.songId);
  const id = crypto.randomUUID();
  const isPassed = hasRow(passes, id);
  const written = await runBatch(db, {
    pass: writePass(db, { id, userId, songId, reason, words, drawn, now }),
    refusal: isRefused ? writeRefusal(services, viewer, { songId, now }, isPassed) : null,
    song: selectPassable(db, userId, songId, now),
  });
  if (written.pass.gate.length > 0) {
    logEvent("song_passed", { kind: reason });
    return { ok: true };
  }
  // Another tab was quicker, with this song or with the last pass that there was.
  const [latest] = written.song;
  if (latest?.passId) return { ok: true };
  return refusePass(latest, userId) ?? refuse(409, listenErrors.notInPackage);
}

/** What the page asks about. */
export interface PassView {
  songId: string;
  track: Track;
  /** Why the song cannot be passed on; null if it can. */
  obstacle: string | null;
  /** How many passes are left, for people. */
  left: string;
}

/**
 * What the page shows that asks why somebody cannot rate a song: null where there is nothing to ask,
 * because the song is not in their package or was rated or passed on. One round trip.
 */
export async function loadPass(
  { db, now }: Pick<PassServices, "db" | "now">,
  { userId }: Viewer,
  songId: string,
): Promise<PassView | null> {
  const [song] = await selectPassable(db, userId, songId, now());
  if (!song?.inPackage || song.passId || song.ratingId) return null;
  const used = usedOf(song);
  const { artists, title, album, artUrl, smallerArt, durationMs, isrc, spotifyUrl, trackId } = song;
  return {
    songId,
    track: { artists, title, album, artUrl, smallerArt, durationMs, isrc, spotifyUrl, trackId },
    obstacle: passObstacle(used),
    left: passesLeftText(used),
  };
}

type PassableSong = Awaited<ReturnType<typeof selectPassable>>[number];

/** The statement that reads a song, what the viewer has done with it, and the passes that count. */
function selectPassable(db: Database, userId: string, songId: string, now: number) {
  return db
    .select({
      ...trackColumns,
      ownerId: songs.ownerId,
      ratingId: sql<string | null>`${ratings.id}`.as("rating_id"),
      passId: sql<string | null>`${passes.id}`.as("pass_id"),
      inPackage: sql<string | null>`${packageSongs.songId}`.as("in_package"),
      passedHere: passesOf(sql`package_id = ${packages.id}`).as("passed_here"),
      passedToday: passesOf(passedWithinDay(userId, now)).as("passed_today"),
    })
    .from(songs)
    .leftJoin(ratings, and(eq(ratings.raterId, userId), eq(ratings.songId, songs.id)))
    .leftJoin(passes, and(eq(passes.userId, userId), eq(passes.songId, songs.id)))
    .leftJoin(packages, eq(packages.userId, userId))
    .leftJoin(
      packageSongs,
      and(eq(packageSongs.packageId, packages.id), eq(packageSongs.songId, songs.id)),
    )
    .where(eq(songs.id, songId));
}

function selectPackageIds(db: Database, userId: string) {
  return db
    .select({ songId: packageSongs.songId })
    .from(packages)
    .innerJoin(packageSongs, eq(packageSongs.packageId, packages.id))
    .where(eq(packages.userId, userId));
}

function passesOf(those: SQL): SQL<number> {
  return sql<number>`(SELECT count(*) FROM passes WHERE ${those})`;
}

function passedWithinDay(userId: string, now: number): SQL {
  return sql`user_id = ${userId} AND created_at > ${now - dayMs}`;
}

function usedOf({ passedHere, passedToday }: PassableSong): PassesUsed {
  return { inPackage: passedHere, today: passedToday };
}

function refusePass(song: PassableSong | undefined, userId: string): Refusal | null {
  if (!song) return refuse(404, listenErrors.noSong);
  if (song.ownerId === userId) return refuse(403, listenErrors.ownSong);
  if (song.passId) return null;
  if (song.ratingId) return refuse(409, listenErrors.alreadyRated);
  if (!song.inPackage) return refuse(409, listenErrors.notInPackage);
  const obstacle = passObstacle(usedOf(song));
  return obstacle === null ? null : refuse(409, obstacle);
}

interface NewPass extends PassRequest {
  id: string;
  userId: string;
  /** Ids of songs that may take its place; the first that is not in the package by then does. */
  drawn: string[];
  /** Epoch milliseconds. */
  now: number;
}

/** The statements that write a pass, with all that follows from it. */
function writePass(db: Database, pass: NewPass) {
  const { id, userId, songId, reason, words, drawn, now } = pass;
  const isTheSong = and(
    eq(packageSongs.songId, songId),
    sql`package_id = (SELECT package_id FROM passes WHERE id = ${id})`,
  );
  const replacement = sql`(SELECT value FROM json_each(${JSON.stringify(drawn)})
    WHERE EXISTS (SELECT 1 FROM songs WHERE id = json_each.value)
      AND NOT EXISTS (SELECT 1 FROM package_songs AS there
                      WHERE there.package_id = package_songs.package_id
                        AND there.song_id = json_each.value)
    ORDER BY json_each.key LIMIT 1)`;
  const gate = insertSelect(db, passes, {
    row: {
      id,
      userId,
      songId: sql`package_songs.song_id`,
      packageId: sql`packages.id`,
      // The first that is free: a pass goes with its song.
      slot: sql`iif(NOT EXISTS (
        SELECT 1 FROM passes WHERE package_id = packages.id AND slot = 1), 1, 2)`,
      reason,
      createdAt: now,
    },
    from: sql`FROM packages JOIN package_songs ON package_songs.package_id = packages.id
        WHERE packages.user_id = ${userId} AND package_songs.song_id = ${songId}
          AND NOT EXISTS (SELECT 1 FROM ratings WHERE rater_id = ${userId} AND song_id = ${songId})
          AND NOT EXISTS (SELECT 1 FROM passes WHERE user_id = ${userId} AND song_id = ${songId})
          AND ${passesOf(sql`package_id = packages.id`)} < ${maxPassesPerPackage}
          AND ${passesOf(passedWithinDay(userId, now))} < ${maxPassesPerDay}`,
  }).returning({ id: passes.id });
  return gated(gate, hasRow(passes, id), (isPassed) => {
    const isTheListen = and(eq(listens.userId, userId), eq(listens.songId, songId), isPassed);
    return {
      replaced: db
        .update(packageSongs)
        .set({ songId: replacement, favoritedAt: null })
        .where(and(isTheSong, sql`${replacement} IS NOT NULL`)),
      // Where none took its place.
      gone: db.delete(packageSongs).where(isTheSong),
      // Nobody listens on for a rating. One that was heard stays for as long as all listens do.
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
      report: insertSelect(db, reports, {
        row: { id: crypto.randomUUID(), songId, reporterId: userId, words, createdAt: now },
        from: sql`WHERE ${isPassed} AND ${reason} = 'report'`,
      }),
    };
  });
}
