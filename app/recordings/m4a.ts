import type { Rejection } from "~/platform/rejection";
import {
  type AudioFile,
  type FileBytes,
  letters,
  maxOtherBytes,
  maxParts,
  refuseBroken,
  refuseCut,
  refuseFile,
  view,
} from "./audio-file";

interface Box {
  name: string;
  /** From here on, up to `end`, is what it holds. */
  start: number;
  end: number;
}

/** A box within others, as its bytes. */
interface Part {
  name: string;
  bytes: Uint8Array;
}

/**
 * An M4A with AAC. Its index (`moov`) says how many samples there are and how long each is; they have to lie within
 * the file, and to be as long as AAC's samples are.
 */
export async function readM4a(file: FileBytes): Promise<AudioFile | Rejection> {
  const boxes = await boxesOf(file);
  if (!boxes) return refuseCut("m4a");
  const index = boxes.find(({ name }) => name === "moov");
  const sound = boxes.filter(({ name }) => name === "mdat");
  const [first] = sound;
  if (!index || !first) return refuseCut("m4a");
  if (index.end - index.start > maxOtherBytes) return refuseBroken("m4a");
  const moov = partsOf(await file.read(index.start, index.end - index.start));
  if (moov.some(({ name }) => name === "mvex")) return fragmented;

  const track = onlyTrack(moov);
  if (!track || "rejected" in track) return track ?? noSound;
  const table = readTable(track);
  if (!table) return refuseBroken("m4a");
  const { timescale, units, samples, bytes, firstChunk, lastChunk, rate } = table;
  const seconds = units / timescale;
  const expected = (samples * samplesPerPacket) / rate;
  // An index behind the sound is delivered at once, and so is what follows it.
  const soundEnd = index.start > first.start ? index.start : file.size;
  const held = sound.reduce((sum, { start, end }) => (end > soundEnd ? sum : sum + end - start), 0);
  const room = Math.min(held, soundEnd - firstChunk);
  const isTrue = Math.abs(seconds - expected) <= expected / 10 + 0.5;
  if (!isTrue || bytes > room || lastChunk >= soundEnd || firstChunk < first.start) {
    return refuseCut("m4a");
  }
  return {
    type: "m4a",
    durationMs: Math.round(seconds * 1000),
    audioStart: first.start,
    indexStart: index.start > first.start ? index.start - boxHeadBytes : null,
    audioBytes: bytes,
  };
}

const boxHeadBytes = 8;
const samplesPerPacket = 1024;

/** The boxes of a file. Null if the last one ends behind it. */
async function boxesOf(file: FileBytes): Promise<Box[] | null> {
  const boxes: Box[] = [];
  let at = 0;
  while (at < file.size && boxes.length < maxParts) {
    const head = await file.read(at, 16);
    if (head.length < boxHeadBytes) return null;
    const { name, start, bytes } = readHead(head, file.size - at);
    if (bytes < start || at + bytes > file.size) return null;
    boxes.push({ name, start: at + start, end: at + bytes });
    at += bytes;
  }
  return boxes;
}

/** `start` is the head's own length, `bytes` that of the whole box; 0 stands for the rest of the file. */
function readHead(head: Uint8Array, rest: number) {
  const fields = view(head);
  const size = fields.getUint32(0);
  const name = letters(head, 4);
  if (size !== 1) return { name, start: boxHeadBytes, bytes: size === 0 ? rest : size };
  const long = head.length < 16 ? 0 : fields.getUint32(8) * 2 ** 32 + fields.getUint32(12);
  return { name, start: 16, bytes: long };
}

/** The boxes within a box, as far as they are whole. */
function partsOf(bytes: Uint8Array): Part[] {
  const parts: Part[] = [];
  for (let at = 0; at + boxHeadBytes <= bytes.length && parts.length < maxParts; ) {
    const box = readHead(bytes.subarray(at), bytes.length - at);
    if (box.bytes < box.start || at + box.bytes > bytes.length) break;
    parts.push({ name: box.name, bytes: bytes.subarray(at + box.start, at + box.bytes) });
    at += box.bytes;
  }
  return parts;
}

/** What stands at a path of boxes, each the first of its name. */
function partAt(parts: Part[], ...path: string[]): Uint8Array | null {
  let within = parts;
  let found: Uint8Array | null = null;
  for (const name of path) {
    found = within.find((part) => part.name === name)?.bytes ?? null;
    if (!found) return null;
    within = partsOf(found);
  }
  return found;
}

interface Track {
  parts: Part[];
  rate: number;
}

/** The one track of sound, in AAC. Null without any. */
function onlyTrack(moov: Part[]): Track | Rejection | null {
  const tracks = moov
    .filter(({ name }) => name === "trak")
    .map(({ bytes }) => {
      const parts = partsOf(bytes);
      const handler = partAt(parts, "mdia", "hdlr");
      return { parts, kind: handler && handler.length >= 12 ? letters(handler, 8) : "" };
    });
  if (tracks.some(({ kind }) => kind === "vide")) return video;
  const [track, another] = tracks.filter(({ kind }) => kind === "soun");
  if (!track) return null;
  if (another) return severalTracks;
  const description = partAt(track.parts, "mdia", "minf", "stbl", "stsd");
  const [entry, other] = description ? partsOf(description.subarray(8)) : [];
  if (!entry || other) return refuseBroken("m4a");
  if (entry.name === "enca" || entry.name === "drms") return locked;
  if (entry.name === "alac") return lossless;
  const rate = entry.name === "mp4a" ? aacRate(entry.bytes) : null;
  return rate ? { parts: track.parts, rate } : notAac;
}

const rates = [96, 88.2, 64, 48, 44.1, 32, 24, 22.05, 16, 12, 11.025, 8].map((k) => k * 1000);

/** Types of MPEG-4 sound that browsers play: AAC-LC, HE-AAC and HE-AAC v2. */
const playedTypes = [2, 5, 29];

/** The sample rate of AAC, from the descriptors in `esds` (ISO 14496-1, 7.2.6). Null for other codecs. */
function aacRate(entry: Uint8Array): number | null {
  // QuickTime's second version of the entry is longer.
  const version = entry.length < 28 ? 0 : view(entry).getUint16(8);
  const parts = partsOf(entry.subarray(version === 1 ? 44 : 28));
  const esds = partAt(parts, "esds") ?? partAt(parts, "wave", "esds");
  if (!esds) return null;
  const es = descriptor(esds.subarray(4), 3);
  const flags = es?.[2] ?? 0;
  const config = es && descriptor(es.subarray(3 + (flags & 0x80 ? 2 : 0)), 4);
  if (config?.[0] !== 0x40 && config?.[0] !== 0x67) return null;
  const specific = descriptor(config.subarray(13), 5);
  if (!specific || specific.length < 2) return null;
  const bits = view(specific).getUint16(0);
  return playedTypes.includes(bits >>> 11) ? (rates[(bits >>> 7) & 15] ?? null) : null;
}

/** What a descriptor with this tag holds. */
function descriptor(bytes: Uint8Array, tag: number): Uint8Array | null {
  if (bytes[0] !== tag) return null;
  let length = 0;
  for (let at = 1; at <= 4; at += 1) {
    const byte = bytes[at] ?? 0;
    length = length * 128 + (byte & 0x7f);
    if (byte < 0x80) return bytes.subarray(at + 1, at + 1 + length);
  }
  return null;
}

/** Sums of the tables of samples. Null if they do not agree with each other. */
function readTable({ parts, rate }: Track) {
  const header = partAt(parts, "mdia", "mdhd");
  const tables = partsOf(partAt(parts, "mdia", "minf", "stbl") ?? new Uint8Array());
  const times = partAt(tables, "stts");
  const sizes = partAt(tables, "stsz");
  const places = placesOf(tables);
  if (!header || header.length < 24 || !times || !sizes || sizes.length < 12 || !places)
    return null;
  const timescale = view(header).getUint32(view(header).getUint8(0) === 1 ? 20 : 12);
  let units = 0;
  let samples = 0;
  for (const { count, length } of entriesOf(times)) {
    samples += count;
    units += count * length;
  }
  const each = view(sizes).getUint32(4);
  const count = view(sizes).getUint32(8);
  let bytes = each * count;
  if (each === 0) {
    const listed = sizes.subarray(12);
    if (listed.length < count * 4) return null;
    const fields = view(listed);
    for (let n = 0; n < count; n += 1) bytes += fields.getUint32(n * 4);
  }
  if (timescale === 0 || samples === 0 || samples !== count) return null;
  return { timescale, units, samples, bytes, rate, ...places };
}

function* entriesOf(times: Uint8Array) {
  const fields = view(times);
  for (let at = 8; at + 8 <= times.length; at += 8) {
    yield { count: fields.getUint32(at), length: fields.getUint32(at + 4) };
  }
}

function placesOf(tables: Part[]): { firstChunk: number; lastChunk: number } | null {
  const short = partAt(tables, "stco");
  const long = short ? null : partAt(tables, "co64");
  const places = short ?? long;
  const width = short ? 4 : 8;
  if (!places || places.length < 8 + width) return null;
  const fields = view(places);
  const count = Math.min(fields.getUint32(4), Math.floor((places.length - 8) / width));
  let firstChunk = Number.POSITIVE_INFINITY;
  let lastChunk = 0;
  for (let n = 0; n < count; n += 1) {
    const at = 8 + n * width;
    const place = short
      ? fields.getUint32(at)
      : fields.getUint32(at) * 2 ** 32 + fields.getUint32(at + 4);
    firstChunk = Math.min(firstChunk, place);
    lastChunk = Math.max(lastChunk, place);
  }
  return count === 0 ? null : { firstChunk, lastChunk };
}

const noSound = refuseFile("There is no sound in this file.");
const video = refuseFile("This is a video.", "Please export its sound alone, as MP3 or M4A (AAC).");
const severalTracks = refuseFile(
  "This M4A has several tracks of sound.",
  "Please export your song with one, mixed down to stereo.",
);
const fragmented = refuseFile(
  "This M4A is one for streaming, which not every browser can play as a file.",
  "Please export your song as an ordinary M4A (AAC), or as MP3.",
);
const locked = refuseFile(
  "This file is protected against copying, so that nobody could hear it.",
  "Please upload a file that you have exported yourself.",
);
const lossless = refuseFile(
  "This M4A is lossless (ALAC), which most browsers do not play.",
  "Please export your song as FLAC or WAV, or as M4A (AAC).",
);
const notAac = refuseFile(
  "This M4A holds sound that browsers do not play.",
  "Please export your song as M4A (AAC), or as MP3.",
);
