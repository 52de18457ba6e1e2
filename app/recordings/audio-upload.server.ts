import { toBase64Url } from "~/platform/base64";
import { fromBucket } from "./bucket.server";

/** R2 takes parts of one size, of at least this but for the last. An upload holds one in memory. */
const partBytes = 5 * 1024 * 1024;

/** A file on its way into the bucket. There is none before `finish`, and after `abort` there never will be. */
export interface AudioUpload {
  size(): number;
  write(piece: Uint8Array): Promise<void>;
  /** @returns the hash of its bytes (SHA-256). */
  finish(): Promise<string>;
  abort(): Promise<void>;
}

export async function beginUpload(files: R2Bucket, key: string): Promise<AudioUpload> {
  const upload = await fromBucket(files.createMultipartUpload(key));
  const digest = new crypto.DigestStream("SHA-256");
  const hashing = digest.getWriter();
  const parts: R2UploadedPart[] = [];
  const part = new Uint8Array(partBytes);
  let filled = 0;
  let size = 0;

  async function send(): Promise<void> {
    const sent = upload.uploadPart(parts.length + 1, part.subarray(0, filled));
    parts.push(await fromBucket(sent));
    filled = 0;
  }

  return {
    size: () => size,
    async write(piece) {
      size += piece.length;
      await hashing.write(piece.slice());
      for (let rest = piece; rest.length > 0; ) {
        const taken = rest.subarray(0, partBytes - filled);
        part.set(taken, filled);
        filled += taken.length;
        rest = rest.subarray(taken.length);
        if (filled === partBytes) await send();
      }
    },
    async finish() {
      if (filled > 0) await send();
      await hashing.close();
      const hash = toBase64Url(new Uint8Array(await digest.digest));
      await fromBucket(upload.complete(parts));
      return hash;
    },
    async abort() {
      // The promise of the digest would fail unheard.
      digest.digest.catch(() => undefined);
      await Promise.allSettled([hashing.abort(), upload.abort()]);
    },
  };
}
