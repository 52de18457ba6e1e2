import type { FileBytes } from "./audio-file";
import { audioKey, coverKey } from "./files";

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
