import type { FileBytes } from "./audio-file";
import { audioKey, coverKey } from "./files";
import { indexInFront, type Piece } from "./m4a";
import type { ByteRange } from "./pacing";
import { inBlocks } from "./read-audio";

/** The bucket has not answered, or not taken or given what it was asked to. */
export class FileFault extends Error {
  override name = "FileFault";
}

export async function fromBucket<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (cause) {
    throw new FileFault(String(cause), { cause });
  }
}

export function putCover(files: R2Bucket, recordingId: string, bytes: Uint8Array) {
  return fromBucket(files.put(coverKey(recordingId), bytes));
}

/** A recording's file, of which parts are read where it is. */
export function audioInBucket(files: R2Bucket, recordingId: string, size: number): FileBytes {
  const key = audioKey(recordingId);
  return {
    size,
    async read(offset, length) {
      if (offset >= size) return new Uint8Array();
      const range = { offset, length: Math.min(length, size - offset) };
      const part = await fromBucket(files.get(key, { range }));
      if (!part) throw new FileFault(`The bucket has no ${key}.`);
      return new Uint8Array(await fromBucket(part.arrayBuffer()));
    },
  };
}

/**
 * Writes an M4A that has its index behind the sound anew, with the index in front: whoever plays it needs that first,
 * and of the sound nothing may come before its time.
 */
export async function putIndexInFront(
  files: R2Bucket,
  recordingId: string,
  size: number,
): Promise<void> {
  const pieces = await indexInFront(inBlocks(audioInBucket(files, recordingId, size)));
  if (!pieces) return;
  const key = audioKey(recordingId);
  const { readable, writable } = new FixedLengthStream(size);

  async function copy({ from, to }: ByteRange): Promise<void> {
    if (from === to) return;
    const part = await files.get(key, { range: { offset: from, length: to - from } });
    if (!part) throw new FileFault(`The bucket has no ${key}.`);
    await part.body.pipeTo(writable, { preventClose: true });
  }

  async function put(bytes: Uint8Array): Promise<void> {
    const writer = writable.getWriter();
    await writer.write(bytes);
    writer.releaseLock();
  }

  async function write(pieces: Piece[]): Promise<void> {
    try {
      for (const piece of pieces) await ("from" in piece ? copy(piece) : put(piece));
      await writable.close();
    } catch (error) {
      await writable.abort(error).catch(() => undefined);
      throw error;
    }
  }

  await fromBucket(Promise.all([write(pieces), files.put(key, readable)]));
}
