import type { Rejection } from "~/platform/rejection";
import {
  type AudioFile,
  type FileBytes,
  letters,
  longestMs,
  maxParts,
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

/** Browsers look for the first frame behind the tags as far as this. */
const maxGapBytes = 60 * 1024;

/** Browsers that are told no length, or another than the file has, count all that is no tag in front as sound. */
const maxOtherShare = 1 / 20;

interface Frame {
  /** Version, layer, sample rate, and whether it is mono: the same in all frames of a file. */
  kind: number;
  rate: number;
  samples: number;
  kbits: number;
  bytes: number;
  isMpeg1: boolean;
  isMono: boolean;
}

/**
 * An MP3. Counts its frames one by one, for a header can claim any length. They follow each other without a gap, and
 * what is before and behind them is no sound, and little. Refuses one of which browsers would tell another length:
 * its rate varies, and its first frame is no header that says how many there are.
 */
export async function readMp3(file: FileBytes): Promise<AudioFile | Rejection> {
  const tagsEnd = await endOfTags(file);
  const audioStart = await firstFrame(file, tagsEnd);
  const first = audioStart === null ? null : await frameAt(file, audioStart);
  if (audioStart === null || !first) return refuseBroken("mp3");
  const claimed = audioStart === tagsEnd ? await claimedFrames(file, audioStart, first) : null;
  const most = (longestMs / 1000) * first.rate;
  let at = claimed === null ? audioStart : audioStart + first.bytes;
  let frames = 0;
  let kbits = 0;
  let isConstant = true;
  for (;;) {
    const frame = await frameAt(file, at);
    if (!frame || frame.kind !== first.kind) break;
    // The last one may be cut, as some programs do.
    if (at + frame.bytes > file.size) break;
    // The first one may be a header.
    if (frames > 1 && frame.kbits !== kbits) isConstant = false;
    kbits = frame.kbits;
    at += frame.bytes;
    frames += 1;
    if (frames * first.samples > most) return tooLong("mp3", "more than ten minutes");
  }
  const audioBytes = at - audioStart;
  const before = audioStart - tagsEnd;
  const behind = file.size - at;
  const mostOther = audioBytes * maxOtherShare;
  if (!(await isEnd(file, at, first)) || before > mostOther) return notOnlySound;
  if (before + behind > mostOther) return (await areTags(file, at)) ? tagBehind : notOnlySound;
  if (!claimed && !isConstant) return lengthless;
  if (claimed && Math.abs(claimed - frames) > 2 + frames / 100) return refuseCut("mp3");
  const durationMs = Math.round(((frames * first.samples) / first.rate) * 1000);
  return {
    type: "mp3",
    durationMs,
    audioStart,
    audioEnd: at < file.size ? at : null,
    audioBytes,
  };
}

const notOnlySound = refuseFile(
  "There is something in this MP3 that is no sound.",
  "Export your song once more, and upload that file.",
);
const tagBehind = refuseFile(
  "This MP3 has a large tag behind its sound, perhaps a picture, which browsers would take for sound.",
  "Export your song without it.",
);
const lengthless = refuseFile(
  "This MP3 does not say how long it is, and browsers would guess.",
  "Export your song with a constant bit rate, or as WAV.",
);

/** Where the tags (ID3v2, APE) at the beginning end. */
export async function endOfTags(file: FileBytes): Promise<number> {
  let at = 0;
  for (let parts = 0; parts < maxParts; parts += 1) {
    const bytes = tagBytes(await file.read(at, 32));
    if (bytes === 0) break;
    at += bytes;
  }
  return at;
}

function tagBytes(head: Uint8Array): number {
  if (letters(head, 0, 8) === "APETAGEX" && head.length === 32) {
    return 32 + view(head).getUint32(12, true);
  }
  if (letters(head, 0, 3) !== "ID3" || head.length < 10) return 0;
  const [, , , , , flags = 0, a = 0, b = 0, c = 0, d = 0] = head;
  const footer = flags & 0x10 ? 10 : 0;
  return 10 + a * 2 ** 21 + b * 2 ** 14 + c * 2 ** 7 + d + footer;
}

/** The first that looks like a frame, if two more follow it. Tags say now and then that they are longer or shorter. */
export async function firstFrame(file: FileBytes, from: number): Promise<number | null> {
  const gap = await file.read(from, maxGapBytes);
  for (let n = gap.indexOf(0xff); n >= 0; n = gap.indexOf(0xff, n + 1)) {
    const frame = await frameAt(file, from + n);
    if (!frame) continue;
    const second = await frameAt(file, from + n + frame.bytes);
    const third = second && (await frameAt(file, from + n + frame.bytes + second.bytes));
    return second?.kind === frame.kind && third?.kind === frame.kind ? from + n : null;
  }
  return null;
}

async function frameAt(file: FileBytes, at: number): Promise<Frame | null> {
  return readFrame(await file.read(at, 4));
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
  const isMono = ((word >>> 6) & 3) === 3;
  return {
    kind: (word & 0xfffe0c00) + Number(isMono),
    rate,
    samples,
    kbits,
    bytes: Math.floor(((samples / 8) * kbits * 1000) / rate) + padding,
    isMpeg1,
    isMono,
  };
}

/**
 * What the first frame claims if it is none of sound (a header of Xing's, LAME's or Fraunhofer's); 0 where browsers
 * do not go by it, null where it is sound.
 */
async function claimedFrames(file: FileBytes, at: number, frame: Frame): Promise<number | null> {
  const place = 4 + (frame.isMpeg1 ? (frame.isMono ? 17 : 32) : frame.isMono ? 9 : 17);
  const xing = await file.read(at + place, 16);
  if (xing.length === 16 && ["Xing", "Info"].includes(letters(xing, 0))) {
    const flags = view(xing).getUint32(4);
    if (!(flags & 1)) return 0;
    // Where it says how many bytes there are, too, and there are more, it is not believed.
    const bytes = flags & 2 ? view(xing).getUint32(12) : file.size;
    return file.size - at > bytes * (1 + maxOtherShare) ? 0 : view(xing).getUint32(8);
  }
  const vbri = await file.read(at + 36, 18);
  return vbri.length === 18 && letters(vbri, 0) === "VBRI" ? view(vbri).getUint32(14) : null;
}

const tagsBehind = ["TAG", "APETAGEX", "LYRICSBEGIN", "ID3", "3DI"];
const blanks = [0, 10, 13, 32];

/** Whether nothing but tags is left from there. */
async function areTags(file: FileBytes, from: number): Promise<boolean> {
  let at = from;
  for (let parts = 0; at < file.size && parts < maxParts; parts += 1) {
    const head = await file.read(at, 32);
    const bytes = letters(head, 0, 3) === "TAG" ? 128 : tagBytes(head);
    if (bytes === 0) return letters(head, 0, 11) === "LYRICSBEGIN";
    at += bytes;
  }
  return at === file.size;
}

/** Whether only a cut frame, blanks or tags are left from there. */
async function isEnd(file: FileBytes, at: number, first: Frame): Promise<boolean> {
  const rest = await file.read(at, file.size - at);
  const frame = readFrame(rest);
  if (frame?.kind === first.kind && frame.bytes > rest.length) return true;
  const start = rest.findIndex((byte) => !blanks.includes(byte));
  if (start < 0) return true;
  // Tags without a head end with their name: APE's 32 bytes before the end, ID3v1's 128.
  const places = [start, rest.length - 32, rest.length - 128].filter((place) => place >= 0);
  return places.some((place) => tagsBehind.some((tag) => letters(rest, place, tag.length) === tag));
}
