import type { DatabaseAndClock } from "~/db/client.server";
import { viewerIdOf } from "~/members/viewer.server";
import { fromBucket } from "./bucket.server";
import { selectDraft } from "./drafts.server";
import { audioKey, coverKey, mediaTypes } from "./files";
import { askedRange } from "./ranges";

interface Asked extends DatabaseAndClock {
  files: R2Bucket;
  sessionId: string | null;
}

/** The sound of one of the viewer's own recordings, with ranges. Null for everybody else. */
export async function ownAudio(
  asked: Asked,
  { headers }: Request,
  recordingId: string,
): Promise<Response | null> {
  const draft = await ownDraft(asked, recordingId);
  if (!draft) return null;
  const { bytes } = draft;
  const range = askedRange(headers.get("Range"), bytes);
  const fixed = { ...fixedType(mediaTypes[draft.type]), "Accept-Ranges": "bytes" };
  if (range === "none") {
    return new Response(null, { status: 416, headers: { "Content-Range": `bytes */${bytes}` } });
  }
  const { from, to } = range === "whole" ? { from: 0, to: bytes } : range;
  const part = { range: { offset: from, length: to - from } };
  const file = await fromBucket(asked.files.get(audioKey(recordingId), part));
  if (!file) return null;
  const about = { ...fixed, "Content-Length": String(to - from) };
  if (range === "whole") return new Response(file.body, { headers: about });
  const contentRange = { "Content-Range": `bytes ${from}-${to - 1}/${bytes}` };
  return new Response(file.body, { status: 206, headers: { ...about, ...contentRange } });
}

/** The cover that came with one of the viewer's own recordings. */
export async function ownCover(asked: Asked, recordingId: string): Promise<Response | null> {
  const type = (await ownDraft(asked, recordingId))?.coverType;
  return type ? coverFile(asked.files, { recordingId, type }) : null;
}

/** The cover that came with a recording, to whomever it may be shown. */
export async function coverFile(
  files: R2Bucket,
  { recordingId, type }: { recordingId: string; type: "jpeg" | "png" | "webp" },
): Promise<Response | null> {
  const file = await fromBucket(files.get(coverKey(recordingId)));
  return file ? new Response(file.body, { headers: fixedType(mediaTypes[type]) }) : null;
}

async function ownDraft({ db, sessionId, now }: Asked, recordingId: string) {
  if (!sessionId) return null;
  const ownerId = viewerIdOf(sessionId, now());
  const [draft] = await selectDraft(db, { ownerId, recordingId });
  return draft ?? null;
}

function fixedType(type: string) {
  return {
    "Content-Type": type,
    "Cache-Control": "private, no-store",
    "X-Content-Type-Options": "nosniff",
    "Content-Disposition": "inline",
  };
}
