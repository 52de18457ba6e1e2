import { dayMs, hourMs, minuteMs } from "./dates";
import { counted } from "./text";

/** Null from three weeks on, when the date says more. */
export function timeAgo(at: number, now: number): string | null {
  const elapsed = Math.max(0, now - at);
  if (elapsed < minuteMs) return "just now";
  if (elapsed < hourMs) return `${counted(Math.floor(elapsed / minuteMs), "minute")} ago`;
  if (elapsed < dayMs) return `${counted(Math.floor(elapsed / hourMs), "hour")} ago`;
  if (elapsed < 2 * dayMs) return "yesterday";
  if (elapsed < 21 * dayMs) return `${Math.floor(elapsed / dayMs)} days ago`;
  return null;
}
