import { maxUndos, undoMs } from "./limits";

/** What decides whether a submission can still be taken back. */
export interface UndoStanding {
  /** When it was made, epoch milliseconds. */
  createdAt: number;
  /** Whether its owner has made no other one since. */
  isLatest: boolean;
  /** Whether somebody has rated the song since. */
  isRated: boolean;
  /** Whether its mail is on its way. */
  isTold: boolean;
  /** Whether its owner has taken back as many others on that day as one can. */
  isUsedUp: boolean;
}

/**
 * Why a submission cannot be taken back, for its owner to read; null if it can. Later ones come first:
 * what they cost may have followed from this one.
 * @param now epoch milliseconds.
 */
export function undoObstacle(standing: UndoStanding, now: number): string | null {
  if (now - standing.createdAt >= undoMs || standing.isTold) return undoTexts.late;
  if (standing.isRated) return undoTexts.rated;
  if (standing.isUsedUp) return undoTexts.usedUp;
  return standing.isLatest ? null : undoTexts.later;
}

/** For how many seconds more a submission can be taken back; 0 if it cannot. */
export function undoSecondsLeft(standing: UndoStanding, now: number): number {
  if (undoObstacle(standing, now)) return 0;
  return Math.ceil((standing.createdAt + undoMs - now) / 1000);
}

export const undoTexts = {
  none: "None of your submissions has this address.",
  late: `A song can be taken back for ${undoMs / 1000} seconds after it was added. These are over, so it stays and will get its ratings.`,
  rated:
    "Your song has been rated already, so it cannot be taken back any more. It stays and will get the rest of its ratings.",
  usedUp: `You have taken back ${maxUndos} songs within a day, which is as many as you can. This one stays and will get its ratings.`,
  again:
    "You took this song back, so it was not added again. If you want it after all, please choose it once more.",
  later: "You have added another song since. Please take that one back first.",
} as const;
