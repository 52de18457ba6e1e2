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
 * The parts of a JPEG between its start and its end. Null unless it has one frame: which of two is shown, and how large
 * the picture is, would depend on who reads it.
 */
export function jpegSegments(bytes: Uint8Array): JpegSegment[] | null {
  const segments: JpegSegment[] = [];
  const fields = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 2;
  while (at + 4 <= bytes.length && bytes[at + 1] !== endOfImage) {
    if (bytes[at] !== 0xff) return null;
    const marker = fields.getUint8(at + 1);
    let end = at + 1;
    if (marker !== 0xff) {
      end = at + 2 + fields.getUint16(at + 2);
      if (marker === startOfScan) end = endOfScan(bytes, end);
      segments.push({ marker, bytes: bytes.subarray(at, end) });
    }
    at = end;
  }
  const hasScan = segments.some(({ marker }) => marker === startOfScan);
  return hasScan && segments.filter(isFrame).length === 1 ? segments : null;
}

/** The next marker that is neither part of the scan's data nor one of its restarts. */
function endOfScan(bytes: Uint8Array, from: number): number {
  for (let at = bytes.indexOf(0xff, from); at >= 0; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1] ?? 0;
    const isRestart = next >= 0xd0 && next <= 0xd7;
    if (next !== 0 && next !== 0xff && !isRestart) return at;
  }
  return bytes.length;
}
