import { minListeningSeconds } from "~/db/rules";

/**
 * Seconds that must be heard: the tier's, or for a shorter song its length less one, at least three (rule
 * 13).
 */
export function requiredListeningSeconds(tierSeconds: number, durationMs: number): number {
  const durationSeconds = Math.floor(durationMs / 1000);
  if (durationSeconds >= tierSeconds) return tierSeconds;
  return Math.max(minListeningSeconds, durationSeconds - 1);
}

export interface ListenView {
  listenId: string;
  songId: string;
  unlocksAt: number;
  finished: boolean;
  /** Where an own recording goes on. */
  positionMs: number;
}
