import { logEvent } from "~/platform/log";
import { type Rejection, reject } from "~/platform/rejection";
import {
  type ByteRange,
  bytesFor,
  deliverableTo,
  dueAt,
  type PacedFile,
  playedBefore,
} from "./pacing";

/** A request holds about ten seconds of sound in memory, but not much, so that an isolate serves many. */
const heldMs = 10_000;
const heldBytes = { min: 65_536, max: 131_072 };

/**
 * Of deliveries that hold something, at once, in an isolate: of one listen or address, which a browser has two of, and of
 * all. Nothing is delivered for longer than the longest: nobody has cleared up after it.
 */
const pool = (ofAll: number, longestMs: number) => ({
  ...{ ofOne: 8, ofAll, longestMs },
  taken: new Set<{ whose: string; since: number }>(),
});
const members = pool(300, 20 * 60_000);
const visitors = pool(40, 60_000);
const pieceMs = 1000;
const maxPieceBytes = 65_536;
const noteEveryMs = 10_000;

export interface DeliveryServices {
  files: R2Bucket;
  now(): number;
  wait(ms: number, signal: AbortSignal): Promise<unknown>;
  waitUntil(work: Promise<unknown>): void;
}

export interface PacedDelivery {
  listenId: string;
  key: string;
  file: PacedFile;
  range: ByteRange;
  startedAt: number;
  /** The playing time whose delivery is noted at once. */
  neededMs: number;
  /** Notes what has been delivered without a gap since `fromMs`. False if the rest must not be. */
  note(fromMs: number, toMs: number): Promise<boolean>;
}

const tooMany = reject(
  503,
  "This song is asked for more often than it can be sent at once. Try again in a moment.",
  { secondsLeft: 5 },
);

const busy = new Error("Too many deliveries are going on.");

/** Every end has a reason: without one, the platform logs "Uncaught Error: undefined". */
const left = new Error("The listener has left.");
const over = new Error("The listen is over, or the file is another one.");

type ReadBytes = (from: number, to: number) => Promise<Uint8Array | null>;

/**
 * Streams a part of a file, no byte before its time. What the connection has taken counts as delivered, and up to
 * a second more: what lies between it and the browser holds some of that for a moment. Null without the file;
 * refused where there are too many at once. A file that is in memory, `sound`, is for visitors, who take no places of
 * members.
 */
export async function deliverPaced(
  services: DeliveryServices,
  delivery: PacedDelivery,
  sound?: Uint8Array,
): Promise<ReadableStream<Uint8Array> | Rejection | null> {
  const { from, to } = delivery.range;
  const isDue =
    deliverableTo(delivery.file, { ...delivery, now: services.now() }, delivery.range) > from;
  const place = placeIn(sound ? visitors : members, delivery.listenId, services.now);
  try {
    if (sound) place.take();
    const read = sound
      ? async (at: number, end: number) => sound.subarray(at, end)
      : await openFile(services.files, { ...delivery, place, isDue });
    if (!read) place.leave();
    if (!read) return null;
    const { readable, writable } = new FixedLengthStream(to - from);
    services.waitUntil(pump(services, delivery, read, writable.getWriter()).finally(place.leave));
    return readable;
  } catch (error) {
    place.leave();
    if (error === busy) return tooMany;
    throw error;
  }
}

interface DeliveryPlace {
  /** @throws busy where there are too many. */
  take(): void;
  leave(): void;
}

function placeIn(
  { taken, ofOne: mostOfOne, ofAll, longestMs }: typeof members,
  whose: string,
  now: () => number,
): DeliveryPlace {
  const own = { whose, since: 0 };
  return {
    take() {
      if (taken.has(own)) return;
      own.since = now();
      for (const one of taken) {
        if (own.since - one.since > longestMs) taken.delete(one);
      }
      const ofOne = Array.from(taken).filter((one) => one.whose === whose).length;
      if (ofOne >= mostOfOne || taken.size >= ofAll) throw busy;
      taken.add(own);
    },
    leave: () => void taken.delete(own),
  };
}

/** Streams a part of a file as fast as it goes. Null without the file. */
export async function deliverFreely(
  files: R2Bucket,
  key: string,
  { from, to }: ByteRange,
): Promise<ReadableStream<Uint8Array> | null> {
  const found = await files.get(key, { range: { offset: from, length: to - from } });
  return found?.body.pipeThrough(new FixedLengthStream(to - from)) ?? null;
}

async function pump(
  { now, wait }: DeliveryServices,
  { file, range, startedAt, neededMs, note }: PacedDelivery,
  read: ReadBytes,
  writer: WritableStreamDefaultWriter<Uint8Array>,
): Promise<void> {
  const gone = new AbortController();
  const leave = () => gone.abort(left);
  writer.closed.catch(leave);
  const fromMs = playedBefore(file, range.from);
  const pieceBytes = Math.min(maxPieceBytes, bytesFor(file, pieceMs));
  let at = range.from;
  let notedMs = fromMs;
  let notedAt = now();

  async function mayGoOn(): Promise<boolean> {
    const toMs = playedBefore(file, at);
    const isNeeded = notedMs < neededMs && toMs >= neededMs;
    if (!isNeeded && now() - notedAt < noteEveryMs) return true;
    return noteUpTo(toMs);
  }

  async function noteUpTo(toMs: number): Promise<boolean> {
    notedAt = now();
    try {
      const goesOn = await note(fromMs, toMs);
      notedMs = toMs;
      return goesOn;
    } catch (error) {
      // The next note makes up for it.
      logEvent("delivery_not_noted", { error });
      return true;
    }
  }

  try {
    while (at < range.to && (await mayGoOn())) {
      const end = Math.min(at + pieceBytes, range.to);
      const due = Math.min(end, deliverableTo(file, { startedAt, now: now() }, range));
      if (due <= at) {
        await wait(Math.max(1, dueAt(file, startedAt, end) - now()), gone.signal);
        continue;
      }
      const piece = await read(at, due);
      if (!piece) break;
      // A connection that breaks off has taken a part of it, and goes on behind that.
      at += piece.byteLength;
      await writer.write(piece).catch(leave);
      gone.signal.throwIfAborted();
    }
    await (at < range.to ? writer.abort(over) : writer.close());
  } catch (error) {
    if (!gone.signal.aborted) logEvent("delivery_broken", { error });
    await writer.abort(error).catch(() => undefined);
  }
  const toMs = playedBefore(file, at);
  if (toMs > notedMs) await noteUpTo(toMs);
}

/**
 * Reads the file in larger parts than are asked for, and nothing before it is due, so that a connection that waits
 * holds no memory. Null once it is not the same file any more.
 */
async function openFile(
  files: R2Bucket,
  {
    key,
    file,
    range,
    place,
    isDue,
  }: Pick<PacedDelivery, "key" | "file" | "range"> & { place: DeliveryPlace; isDue: boolean },
): Promise<ReadBytes | null> {
  const size = Math.max(heldBytes.min, Math.min(heldBytes.max, bytesFor(file, heldMs)));
  let held = new Uint8Array();
  let heldFrom = range.from;
  let etag: string | null = null;

  async function hold(from: number): Promise<boolean> {
    place.take();
    const found = await files.get(key, {
      range: { offset: from, length: Math.min(size, range.to - from) },
      ...(etag === null ? {} : { onlyIf: { etagMatches: etag } }),
    });
    if (!found || !("body" in found)) return false;
    etag = found.etag;
    // Let go of at once, which the garbage collector would do later.
    held.buffer.transfer(0);
    held = new Uint8Array(await found.arrayBuffer());
    heldFrom = from;
    return held.byteLength > 0;
  }

  async function read(from: number, to: number): Promise<Uint8Array | null> {
    if (from >= heldFrom + held.byteLength && !(await hold(from))) return null;
    return held.subarray(from - heldFrom, to - heldFrom);
  }

  return (isDue ? await hold(range.from) : await files.head(key)) ? read : null;
}
