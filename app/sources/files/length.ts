import { minSongMs } from "~/db/rules";
import type { Rejection } from "~/platform/rejection";
import { counted } from "~/platform/text";
import { type AudioType, longestMs, maxDurationMs, names, refuseFile } from "./audio-file";

const minuteMs = 60_000;

/** Refuses a length that no song here may have. */
export function refuseLength(type: AudioType, durationMs: number): Rejection | null {
  if (durationMs > longestMs) return tooLong(type, lengthText(durationMs));
  if (durationMs >= minSongMs) return null;
  return refuseFile(
    `This song is too short to be rated: it has to last at least ${minSongMs / 1000} seconds.`,
    "Upload a longer one.",
  );
}

export function tooLong(type: AudioType, length: string): Rejection {
  const most = counted(maxDurationMs / minuteMs, "minute");
  return refuseFile(
    `This ${names[type]} lasts ${length}, and a song can have ${most} at most.`,
    "Cut it, and upload the part that you want to have rated.",
  );
}

function lengthText(ms: number): string {
  const minutes = counted(Math.floor(ms / minuteMs), "minute");
  const seconds = Math.floor((ms % minuteMs) / 1000);
  return seconds === 0 ? minutes : `${minutes} and ${counted(seconds, "second")}`;
}
