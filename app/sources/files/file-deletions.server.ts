import { gt, sql } from "drizzle-orm";
import { runBatch } from "~/db/gated";
import { insertSelect } from "~/db/insert-select";
import { retentionDays } from "~/db/periods";
import { fileDeletions, recordings } from "~/db/schema";
import { dayMs } from "~/platform/dates";
import { logEvent } from "~/platform/log";
import { fromBucket } from "./bucket.server";
import { leftRotationAt } from "./own-list.server";
import { type FileServices, longestUploadMs } from "./take-in.server";

/** R2 deletes as many at once. */
const deletionsPerRun = 1000;

/**
 * Deletes files that are to go, in portions. A line stays until no upload that had begun before it can still bring
 * its file.
 */
export async function deleteFiles({ db, files, now }: FileServices): Promise<{ count: number }> {
  const lines = await db
    .select({ key: fileDeletions.key, createdAt: fileDeletions.createdAt })
    .from(fileDeletions)
    // A range, so that the index is searched and not scanned.
    .where(gt(fileDeletions.createdAt, 0))
    .orderBy(fileDeletions.createdAt)
    .limit(deletionsPerRun);
  if (lines.length === 0) return { count: 0 };
  await fromBucket(files.delete(lines.map(({ key }) => key)));
  const until = now() - longestUploadMs;
  const done = lines.filter(({ createdAt }) => createdAt < until).map(({ key }) => key);
  await db
    .delete(fileDeletions)
    .where(sql`key IN (SELECT value FROM json_each(${JSON.stringify(done)}))`);
  return { count: lines.length };
}

/** As many as R2 lists at once. */
const pageSize = 1000;

/** A run of the ten-minute job looks at one part of this many, so that each file is looked at once a day. */
const parts = 144;

/**
 * Ends the files of songs that left the rotation ninety days ago, and compares one part of the bucket with the rows:
 * a file without a row, which only a restored database leaves behind, is to go, and a row whose file is gone raises
 * an alarm.
 */
export async function lookAfterFiles({
  db,
  files,
  now,
}: FileServices): Promise<{ strays: number; missing: number }> {
  const part = Math.floor(now() / (10 * 60 * 1000)) % parts;
  const [from, to] = [beginningOf(part), part + 1 === parts ? "g" : beginningOf(part + 1)];
  const isInPart = sql`${recordings.id} >= ${from} AND ${recordings.id} < ${to}`;
  const page = await fromBucket(files.list({ startAfter: from, limit: pageSize }));
  const keys = page.objects.map(({ key }) => key).filter((key) => key < to);
  const end = page.truncated ? (page.objects.at(-1)?.key ?? to) : to;
  const listed = sql`(SELECT value FROM json_each(${JSON.stringify(keys)}))`;
  const { strays, missing } = await runBatch(db, {
    ended: db
      .update(recordings)
      .set({ fileEndedAt: now() })
      .where(sql`${isInPart} AND file_ended_at IS NULL AND state = 'submitted'
        AND ${leftRotationAt} < ${now() - retentionDays.files * dayMs}`),
    strays: insertSelect(db, fileDeletions, {
      row: { key: sql`value`, createdAt: now() },
      from: sql`FROM json_each(${JSON.stringify(keys)})
        WHERE NOT EXISTS (SELECT 1 FROM recordings WHERE id = substr(value, 1, instr(value, '/') - 1))`,
    })
      .onConflictDoNothing()
      .returning({ key: fileDeletions.key }),
    missing: db
      .select({ id: recordings.id })
      .from(recordings)
      .where(sql`${isInPart} AND id || '/audio' <= ${end} AND file_ended_at IS NULL
        AND state <> 'arriving' AND created_at < ${now() - dayMs} AND (id || '/audio' NOT IN ${listed}
          OR cover_type IS NOT NULL AND id || '/cover' <= ${end} AND id || '/cover' NOT IN ${listed})`),
  });
  if (missing.length > 0) logEvent("recording_file_missing", { count: missing.length });
  return { strays: strays.length, missing: missing.length };
}

/** Of ids, which are random, evenly. */
function beginningOf(part: number): string {
  return Math.floor((part * 65_536) / parts)
    .toString(16)
    .padStart(4, "0");
}
