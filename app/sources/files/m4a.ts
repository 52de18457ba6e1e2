import { isRejection, type Rejection } from "~/platform/rejection";
import {
  type AudioFile,
  type FileBytes,
  letters,
  maxOtherBytes,
  maxParts,
  refuseBroken,
  refuseCut,
  refuseFile,
  stuffed,
  view,
} from "./audio-file";
import type { ByteRange } from "./pacing";

interface Box {
  name: string;
  head: number;
  /** From here on, up to `end`, is what it holds. */
  start: number;
  end: number;
}

/** A box within others, as its bytes. */
interface Part {
  name: string;
  bytes: Uint8Array;
}

/** How many boxes may still be looked at, in the whole file. */
interface Budget {
  left: number;
}

/**
 * An M4A with AAC. Its index (`moov`) says how many samples there are and how long each is; they have to lie within
 * the file, and to be as long as AAC's samples are. As long as it plays is what its edit list takes of them. Places
 * are those in the file as it is kept, which has its index in front (`indexInFront`).
 */
export async function readM4a(file: FileBytes): Promise<AudioFile | Rejection> {
  const budget = { left: maxParts };
  const read = await readWithin(file, budget);
  return budget.left > 0 || read === fragmented ? read : refuseBroken("m4a");
}

async function readWithin(file: FileBytes, budget: Budget): Promise<AudioFile | Rejection> {
  const boxes = await boxesOf(file, budget);
  if (boxes?.some(({ name }) => name === "moof")) return fragmented;
  const index = boxes?.find(({ name }) => name === "moov");
  const sound = boxes?.filter(({ name }) => name === "mdat") ?? [];
  const [first] = sound;
  if (!index || !first) return refuseCut("m4a");
  if (index.end - index.start > maxOtherBytes) return stuffed;
  const moov = await readIndex(file, index, budget);
  if (!moov) return refuseBroken("m4a");
  if (moov.some(({ name }) => name === "mvex")) return fragmented;

  const track = onlyTrack(moov, budget);
  if (!track || "rejected" in track) return track ?? noSound;
  const table = readTable(track);
  if (!table) return refuseBroken("m4a");
  const { timescale, units, samples, bytes, firstChunk, lastChunk, rate } = table;
  const seconds = units / timescale;
  const expected = (samples * samplesPerPacket) / rate;
  // An index behind the sound is kept in front of it, and what follows it is no sound.
  const isBehind = index.start > first.start;
  const soundEnd = isBehind ? index.head : file.size;
  const held = sound.filter(({ end }) => end <= soundEnd);
  const room = held.reduce((sum, { start, end }) => sum + end - start, 0);
  const isTrue = Math.abs(seconds - expected) <= expected / 10 + 0.5;
  if (
    !isTrue ||
    bytes === 0 ||
    bytes > Math.min(room, soundEnd - firstChunk) ||
    lastChunk >= soundEnd ||
    firstChunk < first.start
  ) {
    return refuseCut("m4a");
  }
  const played = readEdits(moov, track, { seconds, timescale });
  if (isRejection(played)) return played;
  const placeAt = (at: number) =>
    firstChunk + table.bytesBefore(Math.floor((at * rate) / samplesPerPacket));
  const heldEnd = Math.max(...held.map(({ end }) => end));
  const shift = isBehind ? index.end - index.head : 0;
  const audioEnd = shift + (played.to < seconds ? placeAt(played.to + 1) : heldEnd);
  return {
    type: "m4a",
    durationMs: Math.round((played.silence + played.to - played.from) * 1000),
    audioStart: shift + placeAt(played.from),
    audioEnd: audioEnd < file.size ? audioEnd : null,
    audioBytes: bytes,
  };
}

/** What of an index is read, of which ten minutes of AAC have half a megabyte. Pictures stay where they are. */
const readParts = ["mvhd", "mvex", "trak"];
const maxReadBytes = 1024 * 1024;

/** The boxes of an index, the others of them empty. Null if there is too much to read. */
async function readIndex(file: FileBytes, index: Box, budget: Budget): Promise<Part[] | null> {
  const parts: Part[] = [];
  let left = maxReadBytes;
  for (const { name, start, end } of (await boxesWithin(file, index, budget)).boxes) {
    const length = readParts.includes(name) ? end - start : 0;
    left -= length;
    if (left < 0) return null;
    // A copy, beside which nothing is kept of what was read with it.
    parts.push({ name, bytes: (await file.read(start, length)).slice() });
  }
  return parts;
}

/** A part of the file as it was, or bytes in its stead. */
export type Piece = ByteRange | Uint8Array;

/**
 * The pieces of an M4A with its index in front of its sound, where browsers find it at once, and the places in it put
 * right. Null if it is there already. The file is one that `readM4a` has read.
 */
export async function indexInFront(file: FileBytes): Promise<Piece[] | null> {
  const budget = { left: maxParts };
  const boxes = (await boxesOf(file, budget)) ?? [];
  const moov = boxes.find(({ name }) => name === "moov");
  const sound = boxes.find(({ name }) => name === "mdat");
  if (!moov || !sound || moov.head < sound.head) return null;
  const pieces: Piece[] = [{ from: 0, to: sound.head }];
  let at = moov.head;
  for (const { name, start, end } of (await boxesWithin(file, moov, budget)).boxes) {
    if (name !== "trak") continue;
    const bytes = (await file.read(start, end - start)).slice();
    const tables = partsAt({ bytes }, budget, "mdia", "minf", "stbl");
    for (const table of tables) {
      if (table.name === "stco" || table.name === "co64") {
        moveChunks(table.bytes, table.name === "co64" ? 8 : 4);
      }
    }
    pieces.push({ from: at, to: start }, bytes);
    at = end;
  }
  pieces.push({ from: at, to: moov.end }, { from: sound.head, to: moov.head });
  return [...pieces, { from: moov.end, to: file.size }];

  function moveChunks(places: Uint8Array, width: number): void {
    const fields = view(places);
    // As files are small, of a place in eight bytes the last four count.
    for (let at = 4 + width; at + 4 <= places.length; at += width) {
      const place = fields.getUint32(at);
      const isMoved = sound && moov && place >= sound.head && place < moov.head;
      if (isMoved) fields.setUint32(at, place + moov.end - moov.head);
    }
  }
}

const boxHeadBytes = 8;
/** ID3v1, which some programs put behind every file. */
const oldTagBytes = 128;
const samplesPerPacket = 1024;

/** The boxes of a file. Null if the last one ends behind it. */
async function boxesOf(file: FileBytes, budget: Budget): Promise<Box[] | null> {
  const { boxes, isWhole } = await boxesWithin(file, { start: 0, end: file.size }, budget);
  return isWhole ? boxes : null;
}

/** The boxes between two places of a file, as far as they are whole. */
async function boxesWithin(
  file: FileBytes,
  { start: from, end: to }: Pick<Box, "start" | "end">,
  budget: Budget,
): Promise<{ boxes: Box[]; isWhole: boolean }> {
  const boxes: Box[] = [];
  for (let at = from; at < to && budget.left > 0; budget.left -= 1) {
    const head = await file.read(at, Math.min(16, to - at));
    if (file.size - at === oldTagBytes && letters(head, 0, 3) === "TAG") break;
    if (head.length < boxHeadBytes) return { boxes, isWhole: false };
    const { name, start, bytes } = readHead(head, to - at);
    if (bytes < start || at + bytes > to) return { boxes, isWhole: false };
    boxes.push({ name, head: at, start: at + start, end: at + bytes });
    at += bytes;
  }
  return { boxes, isWhole: true };
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
function partsOf(bytes: Uint8Array, budget: Budget): Part[] {
  const parts: Part[] = [];
  for (let at = 0; at + boxHeadBytes <= bytes.length && budget.left > 0; budget.left -= 1) {
    const box = readHead(bytes.subarray(at), bytes.length - at);
    if (box.bytes < box.start || at + box.bytes > bytes.length) break;
    parts.push({ name: box.name, bytes: bytes.subarray(at + box.start, at + box.bytes) });
    at += box.bytes;
  }
  return parts;
}

function partOf(parts: Part[], name: string): Uint8Array | null {
  return parts.find((part) => part.name === name)?.bytes ?? null;
}

/** The boxes in the one at a path of boxes, each the first of its name. */
function partsAt({ bytes }: Pick<Part, "bytes">, budget: Budget, ...path: string[]): Part[] {
  let parts = partsOf(bytes, budget);
  for (const name of path) parts = partsOf(partOf(parts, name) ?? new Uint8Array(), budget);
  return parts;
}

interface Track {
  edits: Uint8Array | null;
  header: Uint8Array | null;
  tables: Part[];
  rate: number;
}

/** The one track of sound, in AAC. Null without any. */
function onlyTrack(moov: Part[], budget: Budget): Track | Rejection | null {
  const tracks = moov
    .filter(({ name }) => name === "trak")
    .map(({ bytes }) => {
      const parts = partsOf(bytes, budget);
      const media = partsOf(partOf(parts, "mdia") ?? new Uint8Array(), budget);
      const handler = partOf(media, "hdlr");
      return { parts, media, kind: handler && handler.length >= 12 ? letters(handler, 8) : "" };
    });
  if (tracks.some(({ kind }) => kind === "vide")) return video;
  const [track, another] = tracks.filter(({ kind }) => kind === "soun");
  if (!track) return null;
  if (another) return severalTracks;
  const { parts, media } = track;
  const tables = partsAt({ bytes: partOf(media, "minf") ?? new Uint8Array() }, budget, "stbl");
  const description = partOf(tables, "stsd");
  const [entry, other] = description ? partsOf(description.subarray(8), budget) : [];
  if (!entry || other) return refuseBroken("m4a");
  if (entry.name === "enca" || entry.name === "drms") return locked;
  if (entry.name === "alac") return lossless;
  const rate = entry.name === "mp4a" ? aacRate(entry.bytes, budget) : null;
  if (!rate) return notAac;
  const list = partOf(parts, "edts");
  const edits = list && partOf(partsOf(list, budget), "elst");
  return { edits, header: partOf(media, "mdhd"), tables, rate };
}

const rates = [96, 88.2, 64, 48, 44.1, 32, 24, 22.05, 16, 12, 11.025, 8].map((k) => k * 1000);

/** Types of MPEG-4 sound that browsers play: AAC-LC, HE-AAC and HE-AAC v2. */
const playedTypes = [2, 5, 29];

/** The sample rate of AAC, from the descriptors in `esds` (ISO 14496-1, 7.2.6). Null for other codecs. */
function aacRate(entry: Uint8Array, budget: Budget): number | null {
  // QuickTime's second version of the entry is longer.
  const version = entry.length < 28 ? 0 : view(entry).getUint16(8);
  const parts = partsOf(entry.subarray(version === 1 ? 44 : 28), budget);
  const wave = partOf(parts, "wave");
  const esds = partOf(parts, "esds") ?? (wave && partOf(partsOf(wave, budget), "esds"));
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
function readTable({ header, tables, rate }: Track) {
  const times = partOf(tables, "stts");
  const sizes = partOf(tables, "stsz");
  const places = placesOf(tables);
  if (!times || !sizes || sizes.length < 12 || !places) return null;
  const timescale = timescaleOf(header);
  let units = 0;
  let samples = 0;
  for (const { count, length } of entriesOf(times)) {
    samples += count;
    units += count * length;
  }
  const each = view(sizes).getUint32(4);
  const count = view(sizes).getUint32(8);
  const listed = view(sizes.subarray(12));
  if (timescale === 0 || samples === 0 || samples !== count) return null;
  if (each === 0 && listed.byteLength < count * 4) return null;

  function bytesBefore(sample: number): number {
    const last = Math.min(sample, count);
    let bytes = each * last;
    if (each === 0) for (let n = 0; n < last; n += 1) bytes += listed.getUint32(n * 4);
    return bytes;
  }
  return { timescale, units, samples, bytes: bytesBefore(count), bytesBefore, rate, ...places };
}

/** The units of a second, in the header of the movie or of its sound. */
function timescaleOf(header: Uint8Array | null): number {
  if (!header || header.length < 24) return 0;
  return view(header).getUint32(view(header).getUint8(0) === 1 ? 20 : 12);
}

/** Which seconds of the sound are played, and how many of silence before. */
function readEdits(
  moov: Part[],
  { edits }: Track,
  { seconds, timescale }: { seconds: number; timescale: number },
): { silence: number; from: number; to: number } | Rejection {
  if (!edits || edits.length < 8) return { silence: 0, from: 0, to: seconds };
  const fields = view(edits);
  const isLong = fields.getUint8(0) === 1;
  const width = isLong ? 20 : 12;
  const count = Math.min(fields.getUint32(4), Math.floor((edits.length - 8) / width));
  const movie = timescaleOf(partOf(moov, "mvhd"));
  let silence = 0;
  for (let n = 0; n < count; n += 1) {
    const at = 8 + n * width;
    // Of a number of eight bytes the last four count: songs are short.
    const length = fields.getUint32(at + (isLong ? 4 : 0)) / movie;
    const place = fields.getInt32(at + (isLong ? 12 : 4)) / timescale;
    if (place >= 0) {
      const to = Math.min(seconds, place + length);
      if (n < count - 1) return cutTogether;
      return to > place && length < Number.POSITIVE_INFINITY
        ? { silence, from: place, to }
        : refuseBroken("m4a");
    }
    silence += length;
  }
  return count === 0 ? { silence: 0, from: 0, to: seconds } : refuseBroken("m4a");
}

function* entriesOf(times: Uint8Array) {
  const fields = view(times);
  for (let at = 8; at + 8 <= times.length; at += 8) {
    yield { count: fields.getUint32(at), length: fields.getUint32(at + 4) };
  }
}

function placesOf(tables: Part[]): { firstChunk: number; lastChunk: number } | null {
  const short = partOf(tables, "stco");
  const long = short ? null : partOf(tables, "co64");
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
const video = refuseFile("This is a video.", "Export its sound alone, as MP3 or M4A (AAC).");
const severalTracks = refuseFile(
  "This M4A has several tracks of sound.",
  "Export your song with one, mixed down to stereo.",
);
const fragmented = refuseFile(
  "This M4A is one for streaming, which not every browser can play as a file.",
  "Export your song as an ordinary M4A (AAC), or as MP3.",
);
const cutTogether = refuseFile(
  "This M4A is cut together from several parts, which not every browser plays.",
  "Export your song once more, and upload that file.",
);
const locked = refuseFile(
  "This file is protected against copying, so that nobody could hear it.",
  "Upload a file that you have exported yourself.",
);
const lossless = refuseFile(
  "This M4A is lossless (ALAC), which most browsers do not play.",
  "Export your song as WAV, or as M4A (AAC).",
);
const notAac = refuseFile(
  "This M4A holds sound that browsers do not play.",
  "Export your song as M4A (AAC), or as MP3.",
);
