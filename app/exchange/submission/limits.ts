import { fullText, maxOwedSongs } from "~/exchange/rotation/room";
import { cooldownText } from "~/members/away";
import { counted } from "~/platform/text";
import type { Eligibility } from "./eligibility";

const hourMs = 60 * 60 * 1000;

/** What limits further submissions of a user, beside their credits. */
export interface OwnSongs {
  /** Why the operator takes no songs from them; null if they take them. */
  locked: string | null;
  /** Songs owed ratings and not resting; counted no further than the limit. */
  owed: number;
}

/** The text for somebody from whom the operator takes no songs. */
function lockedText(reason: string): string {
  return `You cannot submit songs at the moment. The reason: “${reason}” You can still rate songs. If you disagree, answer the e-mail that you got about it.`;
}

/**
 * The reason for which a user may not submit right now, with a remedy; null if they may.
 * @param now epoch milliseconds.
 */
export function submissionObstacle(
  {
    eligible,
    remaining,
    wait,
    awayUntil,
  }: Pick<Eligibility, "eligible" | "remaining" | "wait"> & { awayUntil: number | null },
  own: OwnSongs,
  now: number,
): string | null {
  if (own.locked !== null) return lockedText(own.locked);
  if (awayUntil !== null) return cooldownText(awayUntil);
  if (own.owed >= maxOwedSongs) return fullText;
  if (eligible) return null;
  if (wait === null) {
    return `Please rate ${counted(remaining, "more song")} before you submit one of yours.`;
  }
  if (wait === "songs") {
    return "There are too few songs that you can rate right now. You can add one of yours once new ones have come in.";
  }
  const left = remaining > 0 ? `Please rate ${counted(remaining, "more song")}. ` : "";
  return `${left}While there is nothing to rate, you can add one song a day, and you have added today's. You can add the next one in ${hoursUntil(wait, now)}, or earlier if there are new songs to rate.`;
}

/**
 * The way to the next submission, in a line above the songs to rate.
 * @param now epoch milliseconds.
 */
export function goalText(
  { eligible, remaining, wait }: Pick<Eligibility, "eligible" | "remaining" | "wait">,
  now: number,
): string {
  const songs = counted(remaining, "song");
  if (eligible) return "You can submit a song now.";
  if (wait === null) return `${songs} to rate before you can submit yours.`;
  if (wait === "songs") return "You can submit yours once more songs have come in.";
  const hours = hoursUntil(wait, now);
  return remaining > 0
    ? `${songs} to rate and ${hours} to wait before you can submit yours.`
    : `You can submit your next song in ${hours}.`;
}

function hoursUntil(time: number, now: number): string {
  return counted(Math.max(1, Math.ceil((time - now) / hourMs)), "hour");
}
