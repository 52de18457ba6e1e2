import { type Rejection, reject } from "~/platform/rejection";

export type AudioType = "mp3" | "m4a" | "wav";

/** FLAC was taken once; what is stored of it plays on. */
export type StoredType = AudioType | "flac";

/** What is stored of a file that has been read. Places are those in the file as it is kept. */
export interface AudioFile {
  type: AudioType;
  durationMs: number;
  /** Place of the first byte of sound. */
  audioStart: number;
  /** Where the sound ends, if something is behind it: a tag, or sound that is cut off by an edit. */
  audioEnd: number | null;
  /** The part of the file that is sound. */
  audioBytes: number;
}

/** A file of which any part can be asked for. */
export interface FileBytes {
  size: number;
  /** As many bytes from there as there are, up to `length`. */
  read(offset: number, length: number): Promise<Uint8Array>;
}

export const maxFileBytes = 40 * 1024 * 1024;
export const maxDurationMs = 10 * 60 * 1000;

/** Encoders put frames around the sound, of which not all is played: what is not a second longer is as long. */
export const longestMs = maxDurationMs + 999;

/** Tags, pictures and whatever else in a file is no sound; all of it reaches listeners at once. */
export const maxOtherBytes = 8 * 1024 * 1024;

/** Chunks, boxes and tags of a file that are looked at, in all, however they lie within each other. */
export const maxParts = 1000;

const kinds = "MP3, M4A (AAC) or WAV";

export const exportAs = `Export your song as ${kinds}.`;

export function refuseFile(why: string, remedy: string = exportAs): Rejection {
  return reject(422, `${why} ${remedy}`);
}

export const names = { mp3: "MP3", m4a: "M4A", wav: "WAV" } as const;

/** A file that ends before its own end, or says another length than it has. */
export function refuseCut(type: AudioType): Rejection {
  return refuseFile(
    `This ${names[type]} is not whole: what it says of its length does not fit what is in it.`,
    "Export your song once more, and upload that file.",
  );
}

export function refuseBroken(type: AudioType): Rejection {
  return refuseFile(
    `This ${names[type]} cannot be read.`,
    `Export your song once more, as ${kinds}.`,
  );
}

export const stuffed = refuseFile(
  `This file carries more than ${maxOtherBytes / 1024 / 1024} MB of pictures and other things.`,
  "Export your song without them.",
);

export function view(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Four letters, as formats name their parts. */
export function letters(bytes: Uint8Array, at: number, count = 4): string {
  return String.fromCharCode(...bytes.subarray(at, at + count));
}
