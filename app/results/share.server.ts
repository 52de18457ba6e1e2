import { and, eq, isNull, sql } from "drizzle-orm";
import type { Database, DatabaseAndClock } from "~/db/client.server";
import { runBatch } from "~/db/gated";
import { insertSelect } from "~/db/insert-select";
import { recordings, shares, songs } from "~/db/schema";
import { songColumns } from "~/db/song-columns";
import type { Viewer } from "~/members/viewer.server";
import { fromBase64, toBase64 } from "~/platform/base64";
import { randomToken } from "~/platform/crypto.server";
import { logEvent } from "~/platform/log";
import { type Rejection, reject } from "~/platform/rejection";
import { coverFile } from "~/sources/files/own-files.server";
import { type Song, toSong } from "~/sources/song";
import { drawLinkPicture } from "./link-picture";
import { pictureOf } from "./picture";
import { type SharedResult, sharedResult, sharePath, shareTitle, takeSnapshot } from "./share";
import { readOwnSong } from "./song-result.server";

const shareErrors = {
  noSong: "This is not one of your songs.",
  takenOut: "We have taken this song out, so its result cannot be shared. Nothing was published.",
  tooEarly:
    "You can share the result once all ratings are in, three minutes after the last one. Nothing was published.",
} as const;

/**
 * Publishes a song's result as the owner sees it, without ratings that can still change. A second time
 * updates the page at the same address.
 */
export async function shareSong(
  { db, now }: DatabaseAndClock,
  viewer: Viewer,
  songId: string,
): Promise<{ path: string } | Rejection> {
  const at = now();
  const song = await readOwnSong(db, viewer, songId, { now: at, isActivity: false, lasts: true });
  if (!song) return reject(404, shareErrors.noSong);
  if (song.takenOut !== null) return reject(409, shareErrors.takenOut);
  const snapshot = takeSnapshot(song.result);
  if (!snapshot) return reject(409, shareErrors.tooEarly);
  const drawn = await drawLinkPicture(pictureOf(snapshot), song.tint);
  const row = { snapshot, picture: toBase64(drawn), publishedAt: at };
  const [share] = await insertSelect(db, shares, {
    row: { songId: sql`id`, token: randomToken(), ...row },
    from: sql`FROM songs WHERE id = ${songId} AND owner_id = ${viewer.userId} AND taken_out IS NULL`,
  })
    .onConflictDoUpdate({
      target: shares.songId,
      set: {
        snapshot: sql`excluded.snapshot`,
        picture: sql`excluded.picture`,
        publishedAt: sql`excluded.published_at`,
      },
    })
    .returning({ token: shares.token });
  if (!share) return reject(404, shareErrors.noSong);
  logEvent("result_shared");
  return { path: sharePath(share.token) };
}

/** The address stays dead, even if the song is shared again. `path` is null if there was no page. */
export async function unshareSong(
  db: Database,
  { userId }: Viewer,
  songId: string,
): Promise<{ path: string | null } | Rejection> {
  const isOwn = and(eq(songs.id, songId), eq(songs.ownerId, userId));
  const {
    own,
    taken: [share],
  } = await runBatch(db, {
    own: db.select({ id: songs.id }).from(songs).where(isOwn),
    taken: db
      .delete(shares)
      .where(sql`song_id = (SELECT id FROM songs WHERE ${isOwn})`)
      .returning({ token: shares.token }),
  });
  if (own.length === 0) return reject(404, shareErrors.noSong);
  if (share) logEvent("result_taken_back");
  return { path: share ? sharePath(share.token) : null };
}

export function selectShares(db: Database, userId: string) {
  return db
    .select({ token: shares.token })
    .from(songs)
    .innerJoin(shares, eq(shares.songId, songs.id))
    .where(eq(songs.ownerId, userId));
}

export interface SharedSong extends SharedResult {
  track: Song;
  /** "3 of 5 musicians liked “Night Bus” by Ada". */
  title: string;
  publishedAt: number;
}

export async function readShare(db: Database, token: string): Promise<SharedSong | null> {
  const [row] = await db
    .select({ snapshot: shares.snapshot, publishedAt: shares.publishedAt, ...songColumns })
    .from(shares)
    .innerJoin(songs, eq(songs.id, shares.songId))
    .where(eq(shares.token, token));
  if (!row) return null;
  const { snapshot, publishedAt, ...track } = row;
  // The address of the cover has the song's id, which the page does not tell.
  if (track.artUrl?.startsWith("/songs/")) track.artUrl = `${sharePath(token)}/cover`;
  return {
    track: toSong(track),
    title: shareTitle(track, snapshot),
    publishedAt,
    ...sharedResult(snapshot),
  };
}

/** What a link to a shared result shows. */
export async function sharedPicture(db: Database, token: string): Promise<Response | null> {
  const [share] = await db
    .select({ picture: shares.picture })
    .from(shares)
    .where(eq(shares.token, token));
  const picture = share?.picture && fromBase64(share.picture);
  if (!picture) return null;
  const headers = { "Content-Type": "image/png", "Cache-Control": "private, no-store" };
  return new Response(picture, { headers });
}

/** The cover that came with the recording of a shared song. */
export async function sharedCover(
  { db, files }: { db: Database; files: R2Bucket },
  token: string,
): Promise<Response | null> {
  const [cover] = await db
    .select({ recordingId: recordings.id, type: recordings.coverType })
    .from(shares)
    .innerJoin(songs, eq(songs.id, shares.songId))
    .innerJoin(recordings, eq(recordings.id, songs.ownRecordingId))
    .where(and(eq(shares.token, token), isNull(recordings.fileEndedAt)));
  return cover?.type ? coverFile(files, { ...cover, type: cover.type }) : null;
}
