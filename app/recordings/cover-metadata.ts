import { joinBytes } from "~/platform/bytes";
import { endOfImage, type JpegSegment, jpegSegments } from "~/platform/jpeg";
import { letters, view } from "./audio-file";
import type { CoverType } from "./cover-file";

/**
 * A picture without what does not change its look (rule 42): phones write where and when it was taken into it. A
 * JPEG still says how it has to be turned. Null if the picture is broken.
 */
export function withoutMetadata(
  bytes: Uint8Array,
  type: CoverType,
): Uint8Array<ArrayBuffer> | null {
  const kept = keepers[type](bytes);
  return kept && joinBytes(kept);
}

const keepers = { jpeg: keptOfJpeg, png: keptOfPng, webp: keptOfWebp };

const comment = 0xfe;

function keptOfJpeg(bytes: Uint8Array): Uint8Array[] | null {
  const segments = jpegSegments(bytes);
  if (!segments) return null;
  const kept = segments.flatMap((segment) => {
    const isApplications = segment.marker >= 0xe0 && segment.marker <= 0xef;
    if (isApplications) return keptOfApplication(segment);
    return segment.marker === comment ? [] : [segment.bytes];
  });
  return [bytes.subarray(0, 2), ...kept, Uint8Array.of(0xff, endOfImage)];
}

function keptOfApplication({ marker, bytes: segment }: JpegSegment): Uint8Array[] {
  const begins = (name: string) => letters(segment, 4, name.length) === name;
  const turned = begins("Exif\0\0") ? orientationIn(segment.subarray(10)) : 1;
  if (turned > 1 && turned <= 8) return [orientationAlone(turned)];
  // JFIF has its eighteen bytes, or a small picture behind them.
  const isJfif = marker === 0xe0 && begins("JFIF\0") && segment.length === 18;
  const isColour = begins("ICC_PROFILE\0") || begins("Adobe");
  return isJfif || isColour ? [segment] : [];
}

const orientationTag = 0x0112;

function orientationIn(tiff: Uint8Array): number {
  if (tiff.length < 10) return 1;
  const fields = view(tiff);
  const isLittle = letters(tiff, 0, 2) === "II";
  const first = fields.getUint32(4, isLittle) + 2;
  for (let at = first; at + 12 <= tiff.length; at += 12) {
    if (fields.getUint16(at, isLittle) === orientationTag) {
      return fields.getUint16(at + 8, isLittle);
    }
  }
  return 1;
}

function orientationAlone(orientation: number): Uint8Array {
  const tiff = [0x4d, 0x4d, 0, 42, 0, 0, 0, 8, 0, 1];
  const entry = [orientationTag >> 8, orientationTag & 255, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0];
  const exif = [...Array.from("Exif\0\0", (letter) => letter.charCodeAt(0)), ...tiff, ...entry];
  return Uint8Array.of(0xff, 0xe1, 0, 2 + exif.length + 4, ...exif, 0, 0, 0, 0);
}

const pngChunks = new Set(
  "IHDR PLTE IDAT IEND tRNS gAMA cHRM sRGB iCCP cICP sBIT bKGD pHYs acTL fcTL fdAT".split(" "),
);

function keptOfPng(bytes: Uint8Array): Uint8Array[] | null {
  const kept = [bytes.subarray(0, 8)];
  for (let at = 8; at + 12 <= bytes.length; ) {
    const name = letters(bytes, at + 4);
    const end = at + 12 + view(bytes).getUint32(at);
    if (pngChunks.has(name)) kept.push(bytes.subarray(at, end));
    if (name === "IEND") return kept;
    at = end;
  }
  return null;
}

const webpChunks = new Set(["VP8 ", "VP8L", "VP8X", "ALPH", "ANIM", "ANMF", "ICCP"]);
/** In the first byte of VP8X: that there is EXIF, and XMP. */
const saysMetadata = 0b1100;

function keptOfWebp(bytes: Uint8Array): Uint8Array[] {
  const chunks: Uint8Array[] = [];
  for (let at = 12; at + 8 <= bytes.length; ) {
    const name = letters(bytes, at);
    const length = view(bytes).getUint32(at + 4, true);
    const chunk = bytes.slice(at, at + 8 + length + (length % 2));
    if (name === "VP8X") chunk[8] = (chunk[8] ?? 0) & ~saysMetadata;
    if (webpChunks.has(name)) chunks.push(chunk);
    at += 8 + length + (length % 2);
  }
  const head = bytes.slice(0, 12);
  const size = 4 + chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  view(head).setUint32(4, size, true);
  return [head, ...chunks];
}
