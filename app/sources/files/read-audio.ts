import { isRejection, type Rejection } from "~/platform/rejection";
import {
  type AudioFile,
  type AudioType,
  exportAs,
  type FileBytes,
  letters,
  maxFileBytes,
  maxOtherBytes,
  refuseFile,
  stuffed,
  view,
} from "./audio-file";
import { refuseLength } from "./length";
import { readM4a } from "./m4a";
import { endOfTags, firstFrame, readMp3 } from "./mp3";
import { readWav } from "./wav";

const readers = { mp3: readMp3, m4a: readM4a, wav: readWav };

/** So much of a file's beginning tells what it is. */
export const signatureBytes = 12;

/**
 * Reads what a file is, from its bytes alone. Refuses what browsers do not play, what is longer than ten minutes or
 * shorter than four seconds, and what is not whole or lies about its length. No tag is read, and nothing is repeated
 * as often as a file claims.
 */
export async function readAudio(file: FileBytes): Promise<AudioFile | Rejection> {
  if (file.size > maxFileBytes) return tooBig;
  const blocks = inBlocks(file);
  const type = audioTypeOf(await blocks.read(0, signatureBytes));
  if (isRejection(type)) return refuseKind(blocks, type);
  const other =
    type === "mp3" && otherThanMp3(await blocks.read(await endOfTags(blocks), signatureBytes));
  if (other) return other;
  const read = await readers[type](blocks);
  if (isRejection(read)) return read;
  if (file.size - read.audioBytes > maxOtherBytes) return stuffed;
  return refuseLength(type, read.durationMs) ?? read;
}

/** Why a file of another kind is refused, `why` by its first bytes alone: there may be an MP3 behind them. */
export async function refuseKind(file: FileBytes, why: Rejection): Promise<Rejection> {
  return why === noSong && (await firstFrame(file, 0)) !== null ? behindOther : why;
}

/** What a file says it is with its first bytes. */
export function audioTypeOf(start: Uint8Array): AudioType | Rejection {
  if (start.length === 0) return refuseFile("This file is empty.", exportAs);
  const name = letters(start, 0);
  if (name === "RIFF" && letters(start, 8) === "WAVE") return "wav";
  if (/^ftyp(avi[fs]|hei|hev|mif1|msf1)/.test(letters(start, 4, 8))) return picture;
  if (letters(start, 4) === "ftyp") return letters(start, 8) === "qt  " ? quickTime : "m4a";
  const isFrame = start.length >= 2 && (view(start).getUint16(0) & 0xffe6) === 0xffe2;
  if (name.startsWith("ID3") || name === "APET" || isFrame) return "mp3";
  return otherKind(start) ?? noSong;
}

/** Whatever is behind an MP3's tags but no MP3. */
function otherThanMp3(start: Uint8Array): Rejection | null {
  const isOther = letters(start, 8) === "WAVE" || letters(start, 4) === "ftyp";
  return isOther ? tagged : otherKind(start);
}

function otherKind(start: Uint8Array): Rejection | null {
  if (letters(start, 0) === "fLaC") return flac;
  const known = others.find(([signature]) => letters(start, 0, signature.length) === signature);
  return known ? refuseFile(`${known[1]} is not played by every browser.`) : null;
}

const others = [
  ["OggS", "Ogg"],
  ["FORM", "AIFF"],
  ["caff", "CAF"],
  ["RF64", "This kind of WAV (RF64)"],
  ["RIFX", "This kind of WAV (RIFX)"],
  ["BW64", "This kind of WAV (BW64)"],
  ["riff", "This kind of WAV (W64)"],
  [".snd", "AU"],
  ["\x0bw", "AC-3"],
  ["TTA1", "TTA"],
  ["\xff\xfc", "MP2"],
  ["\xff\xfd", "MP2"],
  ["\xff\xf4", "MP2"],
  ["\xff\xf5", "MP2"],
  ["\x1aE\xdf\xa3", "WebM"],
  ["0&\xb2u", "WMA"],
  ["MThd", "MIDI"],
  ["#!AMR", "AMR"],
  ["wvpk", "WavPack"],
  ["MAC ", "Monkey's Audio"],
  ["\xff\xf1", "Bare AAC"],
  ["\xff\xf9", "Bare AAC"],
] as const;

const blockBytes = 1024 * 1024;

/** The same file, read a block at a time; the last block is kept. */
export function inBlocks(file: FileBytes): FileBytes {
  let from = 0;
  let block = new Uint8Array();
  return {
    size: file.size,
    async read(offset, length) {
      if (offset >= file.size) return new Uint8Array();
      const end = Math.min(offset + length, file.size);
      if (offset < from || end > from + block.length) {
        from = offset;
        block = new Uint8Array(await file.read(offset, Math.max(blockBytes, end - offset)));
      }
      return block.subarray(offset - from, end - from);
    },
  };
}

export const tooBig = refuseFile(
  `A file can have ${maxFileBytes / 1024 / 1024} MB at most, and this one has more.`,
  "Cut your song, or export it as MP3: there, ten minutes have 24 MB at most.",
);
const quickTime = refuseFile(
  "This is a QuickTime file.",
  "Export its sound alone, as MP3 or M4A (AAC).",
);
const flac = refuseFile(
  "A FLAC does not play smoothly in every browser.",
  "Export your song as WAV or MP3.",
);
const tagged = refuseFile("This file begins with the tag of an MP3, and is none.");
const noSong = refuseFile("This is no song.");
const picture = refuseFile("This is a picture.");
const behindOther = refuseFile(
  "This MP3 has something in front of its sound, with which not every browser plays it.",
  "Export your song once more, and upload that file.",
);
