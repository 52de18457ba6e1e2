import { endOfImage, type JpegSegment, walkJpeg } from "~/platform/jpeg";
import { type PartBudget, spendPart } from "~/platform/parts";
import { letters, view } from "./audio-file";
import { type CoverType, coverParts } from "./cover-file";

/** Copies a piece behind what is kept already. @returns the copy. */
type Keep = (piece: Uint8Array) => Uint8Array;

/**
 * A picture without what does not change its look (rule 42, uploads): phones write where and when it was taken into it. A
 * JPEG still says how it has to be turned. Null if the picture is broken, or has more parts than `parts` allows.
 */
export function withoutMetadata(
  bytes: Uint8Array,
  type: CoverType,
  parts = coverParts(),
): Uint8Array<ArrayBuffer> | null {
  // Each piece comes once, and beside them a JPEG gets its end and the way it is turned.
  const kept = new Uint8Array(bytes.length + 64);
  let length = 0;
  const keep: Keep = (piece) => {
    kept.set(piece, length);
    length += piece.length;
    return kept.subarray(length - piece.length, length);
  };
  return keepers[type](bytes, parts, keep) ? kept.subarray(0, length) : null;
}

const keepers = { jpeg: keepJpeg, png: keepPng, webp: keepWebp };

const comment = 0xfe;

function keepJpeg(bytes: Uint8Array, parts: PartBudget, keep: Keep): boolean {
  let isTurned = false;
  keep(bytes.subarray(0, 2));
  const isWhole = walkJpeg(bytes, parts, (segment) => {
    const isApplications = segment.marker >= 0xe0 && segment.marker <= 0xef;
    if (!isApplications && segment.marker !== comment) keep(segment.bytes);
    if (!isApplications) return;
    const orientation = isTurned ? 1 : orientationOf(segment, parts);
    if (orientation > 1 && orientation <= 8) {
      isTurned = true;
      keep(orientationAlone(orientation));
    } else if (isOfLook(segment)) keep(segment.bytes);
  });
  keep(Uint8Array.of(0xff, endOfImage));
  return isWhole && parts.left >= 0;
}

/** JFIF has its eighteen bytes, or a small picture behind them. */
function isOfLook({ marker, bytes: segment }: JpegSegment): boolean {
  const begins = (name: string) => letters(segment, 4, name.length) === name;
  const isJfif = marker === 0xe0 && begins("JFIF\0") && segment.length === 18;
  return isJfif || begins("ICC_PROFILE\0") || begins("Adobe");
}

const orientationTag = 0x0112;

function orientationOf({ bytes: segment }: JpegSegment, parts: PartBudget): number {
  const tiff = segment.subarray(10);
  if (letters(segment, 4, 6) !== "Exif\0\0" || tiff.length < 10) return 1;
  const fields = view(tiff);
  const isLittle = letters(tiff, 0, 2) === "II";
  const first = fields.getUint32(4, isLittle) + 2;
  if (first > tiff.length) return 1;
  const end = first + 12 * fields.getUint16(first - 2, isLittle);
  for (let at = first; at + 12 <= Math.min(end, tiff.length) && spendPart(parts); at += 12) {
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

function keepPng(bytes: Uint8Array, parts: PartBudget, keep: Keep): boolean {
  keep(bytes.subarray(0, 8));
  for (let at = 8; at + 12 <= bytes.length && spendPart(parts); ) {
    const name = letters(bytes, at + 4);
    const end = at + 12 + view(bytes).getUint32(at);
    if (pngChunks.has(name)) keep(bytes.subarray(at, end));
    if (name === "IEND") return true;
    at = end;
  }
  return false;
}

const webpChunks = new Set(["VP8 ", "VP8L", "VP8X", "ALPH", "ANIM", "ANMF", "ICCP"]);
/** In the first byte of VP8X: that there is EXIF, and XMP. */
const saysMetadata = 0b1100;

function keepWebp(bytes: Uint8Array, parts: PartBudget, keep: Keep): boolean {
  const head = keep(bytes.subarray(0, 12));
  let size = 4;
  for (let at = 12; at + 8 <= bytes.length; ) {
    if (!spendPart(parts)) return false;
    const name = letters(bytes, at);
    const length = view(bytes).getUint32(at + 4, true);
    const end = at + 8 + length + (length % 2);
    if (webpChunks.has(name)) {
      const chunk = keep(bytes.subarray(at, end));
      size += chunk.length;
      if (name === "VP8X") chunk[8] = (chunk[8] ?? 0) & ~saysMetadata;
    }
    at = end;
  }
  view(head).setUint32(4, size, true);
  return true;
}
