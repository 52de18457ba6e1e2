import { desc, isNull, sql } from "drizzle-orm";
import type { Database } from "~/db/client.server";
import { runBatch } from "~/db/gated";
import { grey } from "~/db/rules";
import { recordings, songs } from "~/db/schema";
import { fromBucket } from "~/sources/files/bucket.server";
import { coverKey } from "~/sources/files/files";
import type { Cover } from "~/sources/source";
import { maxTintBytes, readTint, tintOfJpeg } from "./cover-picture.server";
import { drawCover, isCoverHash } from "./drawn-cover";
import { tintOf } from "./tint";

const songsPerRun = 40;

const timeoutMs = 5000;

/** Reads the colours of the covers whose songs have none yet. One that cannot be read now is left to the next run. */
export async function readTints({
  db,
  files,
}: {
  db: Database;
  files: R2Bucket;
}): Promise<{ count: number }> {
  const found = await db
    .select({
      songId: sql<string>`songs.id`.as("song_id"),
      ownRecordingId: songs.ownRecordingId,
      artUrl: songs.artUrl,
      smallerArt: songs.smallerArt,
      drawnFrom: recordings.drawnFrom,
      coverType: recordings.coverType,
      fileEndedAt: recordings.fileEndedAt,
    })
    .from(songs)
    .leftJoin(recordings, sql`recordings.id = songs.own_recording_id`)
    .where(isNull(songs.tint))
    .orderBy(desc(songs.createdAt))
    .limit(songsPerRun);
  const read = await Promise.all(
    found.map(async (song) => ({ song, tint: await tintOfCover(files, song, timeoutMs) })),
  );
  const written = read.flatMap(({ song: { songId, artUrl, ownRecordingId }, tint }) =>
    tint === null
      ? []
      : [
          db
            .update(songs)
            .set({ tint })
            // Not where the cover is another one by now: a trigger has forgotten its colour.
            .where(
              sql`id = ${songId} AND art_url IS ${artUrl} AND own_recording_id IS ${ownRecordingId}`,
            ),
        ],
  );
  if (written.length > 0) await runBatch(db, { written });
  return { count: written.length };
}

/** Null where it cannot be read now. */
export async function tintOfCover(
  files: R2Bucket,
  cover: Cover,
  waitMs: number,
): Promise<number | null> {
  const { artUrl, smallerArt, ownRecordingId } = cover;
  if (ownRecordingId === null) {
    const smallest = Math.min(...Object.keys(smallerArt).map(Number));
    const url = smallerArt[smallest] ?? artUrl;
    return url === null ? grey : readTint(fetch, url, waitMs);
  }
  const { drawnFrom, coverType, fileEndedAt } = cover;
  if (!coverType || fileEndedAt) {
    return drawnFrom && isCoverHash(drawnFrom) ? tintOfDrawing(drawnFrom) : grey;
  }
  if (coverType !== "jpeg") return grey;
  try {
    const file = await fromBucket(files.get(coverKey(ownRecordingId)));
    if (!file || file.size <= maxTintBytes) {
      return file && tintOfJpeg(new Uint8Array(await file.arrayBuffer()));
    }
    // One run reads forty covers at once.
    await file.body.cancel("too large");
    return grey;
  } catch {
    return null;
  }
}

export function tintOfDrawing(hash: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) =>
    Number.parseInt(drawCover(hash).ground.slice(at, at + 2), 16),
  );
  return tintOf(Uint8Array.of(red ?? 0, green ?? 0, blue ?? 0, 255));
}
