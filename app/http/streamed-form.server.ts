import { boundaryOf, type FieldStart, MalformedForm, readMultipart } from "~/platform/multipart";
import { type Rejection, reject } from "~/platform/rejection";
import { brokenOff } from "./whole-body.server";

/** Forty megabytes at 45 kB a second, which a slow phone has. */
export const maxStreamMs = 15 * 60 * 1000;

/** On average. A slow line brings a kilobyte at a time, not a byte. */
const minPieceBytes = 512;

/** An upload has one piece in memory, which each comes into after the other. */
const pieceBytes = 65_536;

/** A line that brings nothing for so long is dead. */
const maxStallMs = 60_000;

/** As long as a browser that has been refused goes on sending, and is heard out. */
export const maxRestMs = 30_000;

/**
 * A form with a file, as it comes, for routes whose `handle` streams the body. Where it does not come to its end, the
 * last piece is a rejection.
 */
export async function* streamedForm(
  request: Request,
  maxBytes: number,
): AsyncGenerator<FieldStart | Uint8Array | Rejection> {
  const boundary = boundaryOf(request.headers.get("Content-Type"));
  if (!request.body || !boundary) return yield noForm;
  if (Number(request.headers.get("Content-Length") ?? 0) > maxBytes) return yield tooMuch;
  const fault: { why: Rejection } = { why: brokenOff };
  try {
    yield* readMultipart(piecesOf(request.body, maxBytes, fault), boundary);
  } catch (error) {
    if (!(error instanceof MalformedForm)) throw error;
    yield fault.why;
  }
}

/** Ends early where the body is too slow, too long or breaks off; `fault` then says why. */
async function* piecesOf(
  body: ReadableStream<Uint8Array>,
  maxBytes: number,
  fault: { why: Rejection },
): AsyncGenerator<Uint8Array> {
  const reader = body.getReader({ mode: "byob" });
  let room = new Uint8Array(pieceBytes);
  const until = Date.now() + maxStreamMs;
  let size = 0;
  let pieces = 0;
  try {
    for (;;) {
      const limit = Math.min(maxStallMs, until - Date.now());
      const piece = await readInto(reader, room, limit);
      if (piece === null) fault.why = tooSlow;
      if (!piece?.value || piece.done) return;
      size += piece.value.byteLength;
      pieces += 1;
      if (size > maxBytes || pieces > maxBytes / minPieceBytes) {
        fault.why = tooMuch;
        return;
      }
      yield piece.value;
      room = new Uint8Array(piece.value.buffer);
    }
  } finally {
    // Of a line that brings nothing, nothing is left to be read.
    if (fault.why === tooSlow) reader.cancel("read").catch(() => undefined);
    else reader.releaseLock();
  }
}

/**
 * Reads what is left of a body, and throws it away. Browsers that still send when the answer comes lose it, and show a
 * page of their own in its place.
 */
export async function readRest({ body }: Request): Promise<void> {
  if (!body || body.locked) return;
  const reader = body.getReader({ mode: "byob" });
  const until = Date.now() + maxRestMs;
  let room = new Uint8Array(pieceBytes);
  for (;;) {
    const piece = await readInto(reader, room, until - Date.now());
    if (!piece?.value || piece.done) break;
    room = new Uint8Array(piece.value.buffer);
  }
  reader.cancel("read").catch(() => undefined);
}

/** Null where nothing comes in time. */
function readInto(reader: ReadableStreamBYOBReader, room: Uint8Array<ArrayBuffer>, ms: number) {
  return inTime(
    reader.read(room).catch(() => end),
    ms,
  );
}

const end = { done: true, value: undefined } as const;

/** Null where it takes too long. */
async function inTime<T>(promise: Promise<T>, ms: number): Promise<T | null> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, Math.max(0, ms), null);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

const noForm = reject(
  400,
  "What you sent could not be read. Nothing was kept. Go back and try again.",
);

const tooMuch = reject(
  413,
  "That was more than a song and its cover can have. Nothing was kept. A file can have 40 MB at most, a cover 5 MB.",
);

const tooSlow = reject(
  408,
  "Your file did not arrive in time. Nothing was kept. Check your connection, and try again.",
);
