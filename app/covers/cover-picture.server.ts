import { decode } from "jpeg-js";
import { grey } from "~/db/rules";
import { joinBytes } from "~/platform/bytes";
import { isFrame, type JpegSegment, startOfScan, walkJpeg } from "~/platform/jpeg";
import { timeLimit } from "~/platform/signals";
import { tintOf } from "./tint";

/** A picture with more is not read for its colour. */
export const maxTintBytes = 300_000;

/** The tint of a picture at Spotify; grey where it is gone, or no JPEG that can be read. Null where nobody answers. */
export async function readTint(
  fetch: typeof globalThis.fetch,
  url: string,
  timeoutMs: number,
): Promise<number | null> {
  let bytes: Uint8Array | null;
  try {
    const response = await fetch(url, { signal: timeLimit(timeoutMs), redirect: "manual" });
    if (response.status === 429 || response.status >= 500) return null;
    if (!response.ok || !response.body) {
      await response.body?.cancel();
      return grey;
    }
    bytes = await readAtMost(response.body, maxTintBytes);
  } catch {
    return null;
  }
  return bytes ? tintOfJpeg(bytes) : grey;
}

async function readAtMost(
  body: ReadableStream<Uint8Array>,
  limit: number,
): Promise<Uint8Array | null> {
  const reader = body.getReader();
  const pieces: Uint8Array[] = [];
  let size = 0;
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    size += read.value.byteLength;
    pieces.push(read.value);
    if (size > limit) {
      await reader.cancel();
      return null;
    }
  }
  return joinBytes(pieces);
}

/** Grey where it cannot be read, or is bigger than a cover has to be. */
export function tintOfJpeg(bytes: Uint8Array): number {
  if (bytes.byteLength > maxTintBytes || !isQuickToDecode(bytes)) return grey;
  try {
    const options = { useTArray: true, maxResolutionInMP: 1, maxMemoryUsageInMB: 32 } as const;
    return tintOf(decode(bytes, options).data);
  } catch {
    return grey;
  }
}

/** Programs write ten scans; each costs the decoder a walk over the whole picture, however few bytes it has. */
const maxScans = 12;
/** Programs write some ten parts beside them, and of the colours of a printer some twenty more. */
const maxParts = 1000;
const maxComponents = 4;
const maxSampling = 4;

function isQuickToDecode(bytes: Uint8Array): boolean {
  const segments: JpegSegment[] = [];
  const isWhole = walkJpeg(bytes, { left: maxParts }, (segment) => segments.push(segment));
  const frame = segments.find(isFrame)?.bytes;
  const components = frame?.[9] ?? 0;
  if (!isWhole || !frame || components < 1 || components > maxComponents) return false;
  for (let at = 11; at < 10 + 3 * components; at += 3) {
    const [across, down] = [(frame[at] ?? 0) >> 4, (frame[at] ?? 0) & 15];
    if (Math.min(across, down) < 1 || Math.max(across, down) > maxSampling) return false;
  }
  const scans = segments.filter(({ marker }) => marker === startOfScan);
  return scans.length <= maxScans && scans.every((scan) => (scan.bytes[4] ?? 0) <= components);
}
