import type { Rejection } from "~/platform/rejection";
import {
  type AudioFile,
  type FileBytes,
  maxParts,
  refuseBroken,
  refuseCut,
  refuseFile,
  view,
} from "./audio-file";

const streamInfoBytes = 34;

/** As much of the end as holds the last frame of any file of music. */
const tailBytes = 512 * 1024;

interface StreamInfo {
  blockSize: number;
  rate: number;
  samples: number;
}

/**
 * A FLAC. Its length is what its first block says, if the last frame agrees: a file that was cut, or lies, has no
 * frame that ends there.
 */
export async function readFlac(file: FileBytes): Promise<AudioFile | Rejection> {
  const info = readStreamInfo(await file.read(8, streamInfoBytes));
  const head = await file.read(4, 4);
  if (!info || head.length < 4 || (view(head).getUint32(0) & 0x7fffffff) !== streamInfoBytes) {
    return refuseBroken("flac");
  }
  if (info.samples === 0) {
    return refuseFile(
      "This FLAC does not say how long it is.",
      "Please export your song once more, and upload that file.",
    );
  }
  const audioStart = await endOfBlocks(file);
  if (audioStart === null) return refuseBroken("flac");
  const from = Math.max(audioStart, file.size - tailBytes);
  if (!endsAt(info, await file.read(from, tailBytes))) return refuseCut("flac");
  const durationMs = Math.round((info.samples / info.rate) * 1000);
  const audioBytes = file.size - audioStart;
  return { type: "flac", durationMs, audioStart, indexStart: null, audioBytes };
}

function readStreamInfo(block: Uint8Array): StreamInfo | null {
  if (block.length < streamInfoBytes) return null;
  const fields = view(block);
  const rate = fields.getUint32(10) >>> 12;
  const channels = ((fields.getUint8(12) >> 1) & 7) + 1;
  const samples = (fields.getUint8(13) & 15) * 2 ** 32 + fields.getUint32(14);
  const blockSize = fields.getUint16(2);
  const isPlayed = rate >= 8000 && rate <= 192_000 && channels <= 8 && blockSize >= 16;
  return isPlayed ? { blockSize, rate, samples } : null;
}

/** Where the blocks of tags and pictures end and the first frame begins. */
async function endOfBlocks(file: FileBytes): Promise<number | null> {
  for (let at = 4, parts = 0; parts < maxParts; parts += 1) {
    const head = await file.read(at, 4);
    if (head.length < 4) return null;
    const fields = view(head);
    at += 4 + (fields.getUint32(0) & 0xffffff);
    if (fields.getUint8(0) < 0x80) continue;
    const sync = await file.read(at, 2);
    return sync.length === 2 && isSync(sync, 0) ? at : null;
  }
  return null;
}

/** Whether a frame in these bytes ends with the file's last sample. */
function endsAt({ blockSize, samples }: StreamInfo, bytes: Uint8Array): boolean {
  for (let at = bytes.indexOf(0xff); at >= 0; at = bytes.indexOf(0xff, at + 1)) {
    const frame = isSync(bytes, at) ? readFrame(bytes.subarray(at, at + 16), blockSize) : null;
    if (frame && frame.start + frame.size === samples) return true;
  }
  return false;
}

function isSync(bytes: Uint8Array, at: number): boolean {
  return bytes[at] === 0xff && ((bytes[at + 1] ?? 0) & 0xfe) === 0xf8;
}

/** A frame's header (RFC 9639, 9.1): its first sample and how many it has. Null if its checksum is another. */
function readFrame(header: Uint8Array, blockSize: number): { start: number; size: number } | null {
  const sizeCode = (header[2] ?? 0) >> 4;
  const rateCode = (header[2] ?? 0) & 15;
  const number = readNumber(header.subarray(4));
  if (!number || sizeCode === 0 || rateCode === 15) return null;
  let at = 4 + number.bytes;
  let size = 0;
  if (sizeCode === 1) size = 192;
  else if (sizeCode <= 5) size = 144 << sizeCode;
  else if (sizeCode >= 8) size = 1 << sizeCode;
  else if (sizeCode === 6) size = (header[at++] ?? 0) + 1;
  else size = ((header[at++] ?? 0) << 8) + (header[at++] ?? 0) + 1;
  if (rateCode === 12) at += 1;
  if (rateCode > 12) at += 2;
  if (at >= header.length || checksum(header.subarray(0, at)) !== header[at]) return null;
  const isFixed = ((header[1] ?? 0) & 1) === 0;
  return { start: isFixed ? number.value * blockSize : number.value, size };
}

/** A number in the manner of UTF-8, of up to seven bytes. */
function readNumber(bytes: Uint8Array): { value: number; bytes: number } | null {
  const first = bytes[0] ?? 0xff;
  if (first < 0x80) return { value: first, bytes: 1 };
  const count = Math.clz32(~(first << 24));
  if (count < 2 || count > 7 || bytes.length < count) return null;
  let value = first & (0x7f >> count);
  for (const next of bytes.subarray(1, count)) value = value * 64 + (next & 0x3f);
  return { value, bytes: count };
}

/** CRC-8 with the polynomial x^8 + x^2 + x + 1. */
function checksum(bytes: Uint8Array): number {
  let sum = 0;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit += 1) sum = ((sum << 1) ^ (sum & 0x80 ? 0x07 : 0)) & 0xff;
  }
  return sum;
}
