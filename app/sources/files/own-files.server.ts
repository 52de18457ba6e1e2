import type { DatabaseAndClock } from "~/db/client.server";
import { viewerIdOf } from "~/members/viewer.server";
import { fromBucket } from "./bucket.server";
import { deliverFreely } from "./delivery.server";
import { type Draft, noteHeard, selectDraft } from "./drafts.server";
import { audioKey, coverKey, mediaTypes } from "./files";
import { type ByteRange, playedBefore } from "./pacing";
import { serveFile } from "./serve.server";

/** Of a draft its owner hears so much before they can submit it: a few seconds tell whether it plays. */
const heardMs = 3000;

interface Asked extends DatabaseAndClock {
  files: R2Bucket;
  sessionId: string | null;
}

/**
 * The sound of one of the viewer's own recordings, with ranges. Null for everybody else. A draft of which a few seconds
 * were taken counts as heard (rule 42, uploads).
 */
export async function ownAudio(
  asked: Asked,
  request: Request,
  recordingId: string,
): Promise<Response | null> {
  const draft = await ownDraft(asked, recordingId);
  return (
    draft &&
    serveFile(request, draft, async (range) => {
      const sound = await fromBucket(deliverFreely(asked.files, audioKey(recordingId), range));
      if (!sound || draft.state !== "draft" || draft.hearing === "heard") return sound;
      return sound.pipeThrough(noticeTaken(draft, range, () => noteHeard(asked.db, recordingId)));
    })
  );
}

/** Notices once `heardMs` of a draft's sound were taken. What comes after waits for that to be written. */
function noticeTaken(draft: Draft, { from, to }: ByteRange, note: () => Promise<void>) {
  const stream = new FixedLengthStream(to - from);
  let at = from;
  let isNoted = false;
  const count = new TransformStream<Uint8Array, Uint8Array>({
    async transform(piece, controller) {
      at += piece.byteLength;
      const takenMs = playedBefore(draft, at) - playedBefore(draft, from);
      if (!isNoted && takenMs >= heardMs) {
        isNoted = true;
        await note();
      }
      controller.enqueue(piece);
    },
  });
  void count.readable.pipeTo(stream.writable).catch(() => undefined);
  return { writable: count.writable, readable: stream.readable };
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
