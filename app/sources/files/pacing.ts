/**
 * Which byte of an own recording may be delivered when: ten seconds ahead, then a tenth faster than it plays, by
 * the file's average rate. At a constant rate no second of sound comes before its time. At a variable one, a
 * second may come as much earlier or later as the file's rate up to it is off the average.
 */

import { aheadMs, tenths } from "~/sources/listen";

export interface PacedFile {
  bytes: number;
  durationMs: number;
  /** The first byte of sound. What is before it describes the file. */
  audioStart: number;
  /** Where the sound ends, if something is behind it. */
  audioEnd: number | null;
}

export interface ByteRange {
  from: number;
  /** The first byte after it. */
  to: number;
}

/**
 * How far a range may be delivered by now: the first byte that has to wait, or the range's end. What is before the
 * sound never waits, nor does a range that begins behind it.
 */
export function deliverableTo(
  file: PacedFile,
  { startedAt, now }: { startedAt: number; now: number },
  { from, to }: ByteRange,
): number {
  const { sound, end } = soundOf(file);
  const { audioStart, durationMs } = file;
  if (from >= end) return to;
  const dueTenths = 10 * aheadMs + tenths * Math.max(0, now - startedAt);
  const due = audioStart + Math.floor((dueTenths * sound) / (10 * durationMs));
  return due >= end ? to : Math.min(to, Math.max(from, due));
}

/** When the bytes before `byte` may all have been delivered. */
export function dueAt(file: PacedFile, startedAt: number, byte: number): number {
  const { sound, end } = soundOf(file);
  const needed = Math.min(byte, end) - file.audioStart;
  const neededTenths = Math.ceil((needed * 10 * file.durationMs) / sound);
  return startedAt + Math.max(0, Math.ceil((neededTenths - 10 * aheadMs) / tenths));
}

/** The playing time that the bytes before `byte` hold, in whole milliseconds. */
export function playedBefore(file: PacedFile, byte: number): number {
  const { sound, end } = soundOf(file);
  const within = Math.min(byte, end) - file.audioStart;
  return Math.max(0, Math.floor((within * file.durationMs) / sound));
}

/** The bytes that hold about this much playing time. */
export function bytesFor(file: PacedFile, ms: number): number {
  return Math.ceil((soundOf(file).sound * ms) / file.durationMs);
}

function soundOf({ bytes, audioStart, audioEnd }: PacedFile): { sound: number; end: number } {
  const end = audioEnd ?? bytes;
  return { sound: Math.max(1, end - audioStart), end };
}
