import type { Invariant } from "../database/invariants.ts";

/** What must hold between rows and files, with the bucket's keys and sizes as JSON in place of the parameter. */
export const fileInvariants: Invariant[] = [
  {
    name: "a recording whose file is kept has it, as long as its row says",
    sql: `SELECT recordings.id FROM recordings
          LEFT JOIN json_each(?) AS file ON file.value ->> 'key' = recordings.id || '/audio'
          WHERE state <> 'arriving' AND file_ended_at IS NULL AND file.value ->> 'size' IS NOT bytes`,
  },
  {
    name: "a recording has the cover that its row says",
    sql: `SELECT recordings.id FROM recordings
          LEFT JOIN json_each(?) AS file ON file.value ->> 'key' = recordings.id || '/cover'
          WHERE state <> 'arriving' AND file_ended_at IS NULL AND file.value ->> 'size' IS NOT cover_bytes`,
  },
  {
    name: "each file has a row, or is to be deleted",
    sql: `SELECT file.value ->> 'key' AS key FROM json_each(?) AS file
          WHERE NOT EXISTS (SELECT 1 FROM recordings
            WHERE file.value ->> 'key' IN (recordings.id || '/audio', recordings.id || '/cover')
              AND file_ended_at IS NULL)
          AND NOT EXISTS (SELECT 1 FROM file_deletions WHERE key = file.value ->> 'key')`,
  },
];
