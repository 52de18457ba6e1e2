import { joinBytes } from "~/platform/bytes";
import { isRejection, type Rejection, reject } from "~/platform/rejection";

const maxFormBytes = 16_384;

/** A slow line brings a kilobyte at a time, not a byte. */
const maxPieces = 64;

export const maxBodyMs = 30_000;

/**
 * The request with its whole body in memory. Nothing that may change while the body comes, such as who is logged
 * in, may be read before. Does not trust a declared length.
 */
export async function withWholeBody(
  request: Request,
  maxBytes = maxFormBytes,
): Promise<Request | Rejection> {
  if (!request.body) return request;
  const body = await readBody(request.body.getReader(), maxBytes);
  return isRejection(body) ? body : new Request(request, { body });
}

async function readBody(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer> | Rejection> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, maxBodyMs, null);
  });
  const pieces: Uint8Array[] = [];
  let size = 0;
  try {
    for (;;) {
      const piece = await Promise.race([reader.read(), late]);
      if (piece === null) return tooSlow;
      if (piece.done) return joinBytes(pieces);
      size += piece.value.byteLength;
      pieces.push(piece.value);
      if (size > maxBytes || pieces.length > maxPieces) return tooLarge;
    }
  } catch {
    return brokenOff;
  } finally {
    clearTimeout(timer);
    reader.cancel().catch(() => undefined);
  }
}

const tooLarge = reject(
  413,
  "That was too much at once. Nothing was changed. Go back and enter less.",
);

const tooSlow = reject(
  408,
  "What you sent did not arrive in time. Nothing was changed. Check your connection, go back and try again.",
);

export const brokenOff = reject(
  400,
  "What you sent broke off on its way. Nothing was changed. Go back and try again.",
);
