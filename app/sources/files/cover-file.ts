import { isFrame, walkJpeg } from "~/platform/jpeg";
import type { PartBudget } from "~/platform/parts";
import { type Rejection, reject } from "~/platform/rejection";
import { letters, view } from "./audio-file";

export type CoverType = "jpeg" | "png" | "webp";

export const maxCoverBytes = 5 * 1024 * 1024;

/** A picture with more pixels takes more memory than a phone has. */
const maxSide = 6000;

/** A smaller or narrower one would be a spot or a hairline where it is shown. */
const minSide = 64;
const maxProportion = 3;

/**
 * Segments and chunks of a picture that are looked at, by all that read it. The smallest pieces that programs write
 * have a kilobyte; a camera writes some forty.
 */
const maxCoverParts = 20_000;

const readers = { jpeg: jpegSides, png: pngSides, webp: webpSides };

export function coverParts(): PartBudget {
  return { left: maxCoverParts };
}

/** Reads what a picture is, from its bytes alone. */
export function readCover(bytes: Uint8Array, parts = coverParts()): CoverType | Rejection {
  if (bytes.length > maxCoverBytes) return coverTooBig;
  if (/^ftyp(hei|hev|mif1|msf1)/.test(letters(bytes, 4, 8))) return heic;
  const type = coverTypeOf(bytes);
  const sides = type && readers[type](bytes, parts);
  if (!type || !sides) return refuseCover(parts);
  if (sides.some((side) => side < 1 || side > maxSide)) {
    return reject(422, `The cover has more than ${maxSide} pixels on a side. ${remedy}`);
  }
  const short = Math.min(...sides);
  return short < minSide || Math.max(...sides) > short * maxProportion ? tooNarrow : type;
}

const remedy = "Choose a JPEG, PNG or WebP, or leave it out.";

const brokenCover = reject(422, `The cover is no picture that can be shown. ${remedy}`);

const tooNarrow = reject(
  422,
  `A cover has at least ${minSide} pixels on each side, and is at most three times as long as it is wide. ${remedy}`,
);

const tooManyParts = reject(
  422,
  "The cover is made of more parts than a picture needs. Save it once more with another program, or leave it out.",
);

/** Why a picture cannot be read, that has left so many parts. */
export function refuseCover(parts: PartBudget): Rejection {
  return parts.left < 0 ? tooManyParts : brokenCover;
}

const heic = reject(
  422,
  "This picture is HEIC, as an iPhone takes its photos, and not every browser shows it. Export it as a JPEG; for photos to come, choose “Most Compatible” in its settings, under Camera.",
);

export const coverTooBig = reject(
  422,
  `A cover can have ${maxCoverBytes / 1024 / 1024} MB at most. Choose a smaller one, or leave it out.`,
);

function coverTypeOf(bytes: Uint8Array): CoverType | null {
  if (letters(bytes, 0, 3) === "\xff\xd8\xff") return "jpeg";
  if (letters(bytes, 0, 8) === "\x89PNG\r\n\x1a\n") return "png";
  return letters(bytes, 0) === "RIFF" && letters(bytes, 8) === "WEBP" ? "webp" : null;
}

function pngSides(bytes: Uint8Array): number[] | null {
  if (bytes.length < 24 || letters(bytes, 12) !== "IHDR") return null;
  return [view(bytes).getUint32(16), view(bytes).getUint32(20)];
}

function jpegSides(bytes: Uint8Array, parts: PartBudget): number[] | null {
  let sides: number[] | null = null;
  const isWhole = walkJpeg(bytes, parts, (segment) => {
    const frame = segment.bytes;
    if (!isFrame(segment) || frame.length < 9) return;
    sides = [view(frame).getUint16(5), view(frame).getUint16(7)];
  });
  return isWhole ? sides : null;
}

function webpSides(bytes: Uint8Array): number[] | null {
  if (bytes.length < 30) return null;
  const fields = view(bytes);
  switch (letters(bytes, 12)) {
    case "VP8 ":
      return [fields.getUint16(26, true) & 0x3fff, fields.getUint16(28, true) & 0x3fff];
    case "VP8L": {
      const bits = fields.getUint32(21, true);
      return [(bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1];
    }
    case "VP8X":
      return [24, 27].map((at) => (fields.getUint32(at - 1, true) >>> 8) + 1);
    default:
      return null;
  }
}
