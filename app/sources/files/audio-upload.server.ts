import { toBase64Url } from "~/platform/base64";
import { isRejection, type Rejection } from "~/platform/rejection";
import { fromBucket } from "./bucket.server";
import type { Place } from "./upload-room";

/** R2 takes parts of one size, of at least this but for the last. An upload holds one in memory as it comes. */
const partBytes = 5 * 1024 * 1024;

/** A file on its way into the bucket. There is none before `finish`, and after `abort` there never will be. */
export interface AudioUpload {
  size(): number;
  /** @returns why there is no room for it. */
  write(piece: Uint8Array): Promise<Rejection | null>;
  /** @returns the hash of its bytes (SHA-256). */
  finish(): Promise<string>;
  abort(): Promise<void>;
}

export async function beginUpload(
  files: R2Bucket,
  key: string,
  place: Place,
): Promise<AudioUpload> {
  const upload = await fromBucket(files.createMultipartUpload(key));
  const digest = new crypto.DigestStream("SHA-256");
  const hashing = digest.getWriter();
  const parts: R2UploadedPart[] = [];
  const part = place.gather(partBytes);
  let size = 0;

  async function send(): Promise<void> {
    await hashing.write(part.bytes());
    parts.push(await fromBucket(upload.uploadPart(parts.length + 1, part.bytes())));
    part.clear();
  }

  return {
    size: () => size,
    async write(piece) {
      size += piece.length;
      for (let rest = piece; rest.length > 0; ) {
        const more = await part.add(rest);
        if (isRejection(more)) return more;
        rest = more;
        if (part.bytes().length === partBytes) await send();
      }
      return null;
    },
    async finish() {
      if (part.bytes().length > 0) await send();
      await hashing.close();
      const hash = toBase64Url(new Uint8Array(await digest.digest));
      await fromBucket(upload.complete(parts));
      return hash;
    },
    async abort() {
      // The promise of the digest would fail unheard.
      digest.digest.catch(() => undefined);
      await Promise.allSettled([
        hashing.abort(new Error("The upload was given up.")),
        upload.abort(),
      ]);
    },
  };
}
