import type { DatabaseAndClock } from "~/db/client.server";
import { viewerIdOf } from "~/members/viewer.server";
import { fromBucket } from "./bucket.server";
import { deliverFreely } from "./delivery.server";
import { selectDraft } from "./drafts.server";
import { audioKey, coverKey, mediaTypes } from "./files";
import { serveFile } from "./serve.server";

interface Asked extends DatabaseAndClock {
  files: R2Bucket;
  sessionId: string | null;
}

/** The sound of one of the viewer's own recordings, with ranges. Null for everybody else. */
export async function ownAudio(
  asked: Asked,
  request: Request,
  recordingId: string,
): Promise<Response | null> {
  const draft = await ownDraft(asked, recordingId);
  return (
    draft &&
    serveFile(request, draft, (range) =>
      fromBucket(deliverFreely(asked.files, audioKey(recordingId), range)),
    )
  );
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
  const at = now();
  const ownerId = viewerIdOf(sessionId, at);
  const [draft] = await selectDraft(db, { ownerId, recordingId, now: at });
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
