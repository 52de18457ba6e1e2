import type { Score } from "~/exchange/rating/scale";
import type { KnownRatings } from "~/results/song-result";

/** A song submitted at these times, whose ratings came in this order, one each minute, all of them visible. */
export function knownRatings(scores: Score[], submittedAt = [0]): KnownRatings {
  return {
    received: scores.length,
    most: 400,
    owed: Math.max(0, submittedAt.length * 5 - scores.length),
    sealed: 0,
    resting: false,
    now: Date.UTC(2026, 0, 1),
    submissions: submittedAt.map((at, place) => ({
      ...{ number: place + 1, submittedAt: at, file: null, loudness: null, mixed: null },
    })),
    seen: scores.map((score, place) => ({
      ...{ score, at: place + 1, reasons: null, inPlaylist: false, wantsRelease: false, mix: null },
    })),
  };
}
