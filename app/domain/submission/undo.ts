import { maxUndos, undoMs } from "./limits";

/** The facts that decide whether a submission can still be taken back. */
export interface UndoStanding {
  /** When it was made, epoch milliseconds. */
  createdAt: number;
  /** Its owner has made no other one since. */
  isLatest: boolean;
  /** Somebody has rated the song since. */
  isRated: boolean;
  /** Its mail is on its way. */
  isTold: boolean;
  /** Its owner took back the most that they can within the day before it. */
  isUsedUp: boolean;
  /** The operator has taken the song out. */
  isTakenOut: boolean;
}

/**
 * The reason for which a submission cannot be taken back, for its owner to read; null if it can. Later ones
 * have to be taken back first: this one may have changed their price.
 * @param now epoch milliseconds.
 */
export function undoObstacle(standing: UndoStanding, now: number): string | null {
  if (now - standing.createdAt >= undoMs || standing.isTold) return undoTexts.late;
  if (standing.isTakenOut) return undoTexts.takenOut;
  if (standing.isRated) return undoTexts.rated;
  if (standing.isUsedUp) return undoTexts.usedUp;
  return standing.isLatest ? null : undoTexts.later;
}

/** Seconds left in which a submission can be taken back; 0 if it cannot. */
export function undoSecondsLeft(standing: UndoStanding, now: number): number {
  if (undoObstacle(standing, now)) return 0;
  return Math.ceil((standing.createdAt + undoMs - now) / 1000);
}

export const undoTexts = {
  none: "None of your submissions has this address.",
  late: `A song can be taken back for ${undoMs / 1000} seconds after it was added. They are over, so it stays and will get its ratings.`,
  rated:
    "Your song has been rated already, so it cannot be taken back any more. It stays and will get the rest of its ratings.",
  takenOut: "We have taken this song out of the rotation, so you cannot take it back.",
  usedUp: `You have taken back ${maxUndos} songs within a day, which is the most. This one stays and will get its ratings.`,
  again:
    "You took this song back, so it was not added again. If you want it after all, please choose it once more.",
  later: "You have added another song since. Please take that one back first.",
} as const;
