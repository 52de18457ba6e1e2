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

/** A WAV with uncompressed sound. Walks its chunks, of which `fmt ` comes before `data`. */
export async function readWav(file: FileBytes): Promise<AudioFile | Rejection> {
  let byteRate = 0;
  let blockBytes = 0;
  for (let at = 12, parts = 0; parts < maxParts; parts += 1) {
    const head = await file.read(at, 8 + formatBytes);
    if (head.length < 8) break;
    const name = letters(head, 0);
    const bytes = view(head).getUint32(4, true);
    if (name === "fmt ") {
      const format = readFormat(head.subarray(8), bytes);
      if (!format) return unplayable;
      ({ byteRate, blockBytes } = format);
    }
    if (name === "data") {
      const audioStart = at + 8;
      if (byteRate === 0) break;
      if (bytes > file.size - audioStart) return refuseCut("wav");
      const durationMs = Math.round(((bytes - (bytes % blockBytes)) / byteRate) * 1000);
      return { type: "wav", durationMs, audioStart, indexStart: null, audioBytes: bytes };
    }
    at += 8 + bytes + (bytes % 2);
  }
  return refuseBroken("wav");
}

function readFormat(format: Uint8Array, bytes: number) {
  if (bytes < 16 || format.length < 16) return null;
  const fields = view(format);
  let tag = fields.getUint16(0, true);
  // The first two bytes of the subformat are the tag.
  if (tag === extensible && bytes >= formatBytes && format.length >= 26) {
    tag = fields.getUint16(24, true);
  }
  const channels = fields.getUint16(2, true);
  const rate = fields.getUint32(4, true);
  const blockBytes = fields.getUint16(12, true);
  const bits = fields.getUint16(14, true);
  const isPlayed =
    (tag === pcm && [8, 16, 24, 32].includes(bits)) || (tag === float && bits === 32);
  const isWhole = blockBytes === (channels * bits) / 8;
  if (!isPlayed || !isWhole || channels < 1 || channels > 8 || rate < 8000 || rate > 192_000) {
    return null;
  }
  return { byteRate: rate * blockBytes, blockBytes };
}

const unplayable = refuseFile(
  "This WAV holds sound that browsers do not play.",
  "Please export it as an ordinary WAV (PCM, 16 or 24 bits), or as MP3.",
);
