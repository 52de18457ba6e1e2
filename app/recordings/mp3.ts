import type { Rejection } from "~/platform/rejection";
import {
  type AudioFile,
  type FileBytes,
  letters,
  maxDurationMs,
  refuseBroken,
  refuseCut,
  refuseFile,
  view,
} from "./audio-file";
import { tooLong } from "./length";

/** In kbit/s, by the four bits of a frame's header; MPEG 1, and MPEG 2 and 2.5. */
const bitRates = [
  [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 0],
  [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160, 0],
] as const;

const sampleRates = [44_100, 48_000, 32_000] as const;

const maxTags = 20;

interface Frame {
  /** Version, layer and sample rate: the same in all frames of a file. */
  kind: number;
  rate: number;
  samples: number;
  bytes: number;
  isMpeg1: boolean;
  isMono: boolean;
}

/**
 * An MP3. Counts its frames one by one, for a header can claim any length. They follow the tags at once and each
 * other without a gap, and nothing but tags comes behind them.
 */
export async function readMp3(file: FileBytes): Promise<AudioFile | Rejection> {
  const audioStart = await endOfTags(file);
  const first = audioStart === null ? null : readFrame(await file.read(audioStart, 4));
  if (audioStart === null || !first) return refuseBroken("mp3");
  const claimed = await claimedFrames(file, audioStart, first);
  const most = (maxDurationMs / 1000) * first.rate;
  let at = claimed === null ? audioStart : audioStart + first.bytes;
  let frames = 0;
  for (;;) {
    const frame = readFrame(await file.read(at, 4));
    if (!frame || frame.kind !== first.kind) break;
    // The last one may be cut, as some programs do.
    if (at + frame.bytes > file.size) break;
    at += frame.bytes;
    frames += 1;
    if (frames * first.samples > most) return tooLong("mp3", "more than ten minutes");
  }
  if (!(await isEnd(file, at, first))) {
    return refuseFile(
      "There is something in this MP3 that is no sound.",
      "Please export your song once more, and upload that file.",
    );
  }
  if (claimed && Math.abs(claimed - frames) > 2 + frames / 100) return refuseCut("mp3");
  const durationMs = Math.round(((frames * first.samples) / first.rate) * 1000);
  const audioBytes = at - audioStart;
  return { type: "mp3", durationMs, audioStart, indexStart: null, audioBytes };
}

/** Where the tags (ID3v2) at the beginning end. */
async function endOfTags(file: FileBytes): Promise<number | null> {
  let at = 0;
  for (let tags = 0; tags <= maxTags; tags += 1) {
    const head = await file.read(at, 10);
    if (letters(head, 0, 3) !== "ID3") return at;
    if (head.length < 10) return null;
    const [, , , , , flags = 0, a = 0, b = 0, c = 0, d = 0] = head;
    const footer = flags & 0x10 ? 10 : 0;
    at += 10 + a * 2 ** 21 + b * 2 ** 14 + c * 2 ** 7 + d + footer;
  }
  return null;
}

function readFrame(head: Uint8Array): Frame | null {
  if (head.length < 4) return null;
  const word = view(head).getUint32(0);
  const version = (word >>> 19) & 3;
  const bits = (word >>> 12) & 15;
  const rateIndex = (word >>> 10) & 3;
  const isLayer3 = ((word >>> 17) & 3) === 1;
  if (word >>> 21 !== 0x7ff || version === 1 || !isLayer3 || rateIndex === 3) return null;
  const isMpeg1 = version === 3;
  const kbits = bitRates[isMpeg1 ? 0 : 1][bits] ?? 0;
  if (kbits === 0) return null;
  const rate = (sampleRates[rateIndex] ?? 0) / (isMpeg1 ? 1 : version === 2 ? 2 : 4);
  const samples = isMpeg1 ? 1152 : 576;
  const padding = (word >>> 9) & 1;
  return {
    kind: (word & 0xfffe0c00) >>> 0,
    rate,
    samples,
    bytes: Math.floor(((samples / 8) * kbits * 1000) / rate) + padding,
    isMpeg1,
    isMono: ((word >>> 6) & 3) === 3,
  };
}

/**
 * What the first frame claims if it is none of sound (Xing's or LAME's header); 0 where it says no number, null
 * where it is sound.
 */
async function claimedFrames(file: FileBytes, at: number, frame: Frame): Promise<number | null> {
  const place = 4 + (frame.isMpeg1 ? (frame.isMono ? 17 : 32) : frame.isMono ? 9 : 17);
  const head = await file.read(at + place, 12);
  if (head.length < 12 || !["Xing", "Info"].includes(letters(head, 0))) return null;
  return view(head).getUint32(4) & 1 ? view(head).getUint32(8) : 0;
}

/** Whether only a cut frame, zeros or tags (ID3v1, APE, Lyrics3) are left from there. */
async function isEnd(file: FileBytes, at: number, first: Frame): Promise<boolean> {
  const rest = await file.read(at, 128 * 1024);
  if (rest.length < file.size - at) return false;
  const frame = readFrame(rest);
  if (frame?.kind === first.kind && frame.bytes > rest.length) return true;
  const start = rest.findIndex((byte) => byte !== 0);
  if (start < 0) return true;
  return ["TAG", "APETAGEX", "LYRICSBEGIN"].some((tag) => letters(rest, start, tag.length) === tag);
}
