import { type PartBudget, spendPart } from "./parts";

export interface JpegSegment {
  marker: number;
  /** From its marker to the next one; of a scan with its data. */
  bytes: Uint8Array;
}

export const startOfScan = 0xda;
export const endOfImage = 0xd9;

export function isFrame({ marker }: JpegSegment): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
}

/**
 * Visits the parts of a JPEG between its start and its end. False unless it has one frame: which of two is shown, and
 * how large the picture is, would depend on who reads it; and false where it ends without its end, as one that was cut
 * does, or has more parts than `parts` allows.
 */
export function walkJpeg(
  bytes: Uint8Array,
  parts: PartBudget,
  visit: (segment: JpegSegment) => void,
): boolean {
  const fields = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let frames = 0;
  let hasScan = false;
  let at = 2;
  while (at + 4 <= bytes.length && bytes[at + 1] !== endOfImage) {
    if (bytes[at] !== 0xff) return false;
    const marker = fields.getUint8(at + 1);
    let end = at + 1;
    if (marker !== 0xff) {
      if (!spendPart(parts)) return false;
      end = at + 2 + fields.getUint16(at + 2);
      if (marker === startOfScan) end = endOfScan(bytes, end);
      const segment = { marker, bytes: bytes.subarray(at, end) };
      frames += Number(isFrame(segment));
      hasScan ||= marker === startOfScan;
      visit(segment);
    }
    at = end;
  }
  return hasScan && frames === 1 && bytes[at] === 0xff && bytes[at + 1] === endOfImage;
}

/** The next marker that is neither part of the scan's data nor one of its restarts. */
function endOfScan(bytes: Uint8Array, from: number): number {
  // Not by `indexOf`, which takes long where there is one in every second byte.
  for (let at = from; at < bytes.length; at += 1) {
    if (bytes[at] !== 0xff) continue;
    const next = bytes[at + 1] ?? 0;
    const isRestart = next >= 0xd0 && next <= 0xd7;
    if (next !== 0 && next !== 0xff && !isRestart) return at;
  }
  return bytes.length;
}
