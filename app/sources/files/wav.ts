import type { Rejection } from "~/platform/rejection";
import {
  type AudioFile,
  type FileBytes,
  letters,
  maxParts,
  refuseBroken,
  refuseCut,
  refuseFile,
  view,
} from "./audio-file";

const pcm = 1;
const float = 3;
const extensible = 0xfffe;

const formatBytes = 40;

/** What follows the tag in the subformat of an extensible header. */
const subformat = "\0\0\0\0\x10\0\x80\0\0\xaa\0\x38\x9b\x71";

/** Some programs count the header of the sound, or of the file, to the sound. */
const maxMiscount = 64;

/** Programs that write on until they are stopped say at first that there are two or four gigabytes. */
const unknownBytes = 2 ** 31 - 65_536;

/** A WAV with uncompressed sound. Walks its chunks, of which one `fmt ` comes before `data`. */
export async function readWav(file: FileBytes): Promise<AudioFile | Rejection> {
  let format: Format | null = null;
  for (let at = 12, parts = 0; parts < maxParts; parts += 1) {
    const head = await file.read(at, 8 + formatBytes);
    if (head.length < 8) break;
    const name = letters(head, 0);
    const bytes = view(head).getUint32(4, true);
    if (name === "fmt ") {
      if (format) break;
      format = readFormat(head.subarray(8), bytes);
      if (!format) return unplayable;
    }
    if (name === "data") return format ? readSound(file, at + 8, { ...format, bytes }) : broken;
    at += 8 + bytes + (bytes % 2);
  }
  return broken;
}

interface Format {
  byteRate: number;
  blockBytes: number;
}

function readSound(
  file: FileBytes,
  audioStart: number,
  { bytes, byteRate, blockBytes }: Format & { bytes: number },
): AudioFile | Rejection {
  const room = file.size - audioStart;
  if (bytes >= unknownBytes || (bytes === 0 && room > 0)) return unfinished;
  if (bytes > room + maxMiscount) return refuseCut("wav");
  const audioBytes = Math.min(bytes, room);
  const durationMs = Math.round(((audioBytes - (audioBytes % blockBytes)) / byteRate) * 1000);
  const audioEnd = audioBytes < room ? audioStart + audioBytes : null;
  return { type: "wav", durationMs, audioStart, audioEnd, audioBytes };
}

function readFormat(format: Uint8Array, bytes: number): Format | null {
  if (bytes < 16 || format.length < 16) return null;
  const fields = view(format);
  let tag = fields.getUint16(0, true);
  const channels = fields.getUint16(2, true);
  const rate = fields.getUint32(4, true);
  const blockBytes = fields.getUint16(12, true);
  const bits = fields.getUint16(14, true);
  let validBits = bits;
  if (tag === extensible) {
    if (bytes < formatBytes || letters(format, 26, 14) !== subformat) return null;
    tag = fields.getUint16(24, true);
    validBits = fields.getUint16(18, true) || bits;
  }
  const isPlayed =
    (tag === pcm && [8, 16, 24, 32].includes(bits)) || (tag === float && bits === 32);
  // Browsers take a sample for as many bytes as its valid bits fill.
  const isWhole = blockBytes === (channels * bits) / 8 && Math.ceil(validBits / 8) === bits / 8;
  if (!isPlayed || !isWhole || channels < 1 || channels > 8 || rate < 8000 || rate > 192_000) {
    return null;
  }
  return { byteRate: rate * blockBytes, blockBytes };
}

const broken = refuseBroken("wav");
const unplayable = refuseFile(
  "This WAV holds sound that browsers do not play.",
  "Export it as an ordinary WAV (PCM, 16 or 24 bits), or as MP3.",
);
const unfinished = refuseFile(
  "This WAV was never finished: it does not say how long it is.",
  "Open it once in the program that recorded it, save it, and upload that file.",
);
