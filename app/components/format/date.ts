import { counted } from "~/platform/text";

/** A date in UTC, such as "12 Nov 2026", the same on the server and in every browser. */
export function utcDate(epochMs: number): string {
  const date = new Date(epochMs);
  return `${date.getUTCDate()} ${months[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
}

const months = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/*
 * Not from `Intl`: creating its formatters takes a slow phone longer than rendering the screen, and their
 * wording differs between browsers ("Sep", "Sept").
 */

/**
 * The time since a moment in words; null from three weeks on, when the date says more. The same on the server
 * and in every browser.
 * @param at in epoch milliseconds, like `now`.
 */
export function timeAgo(at: number, now: number): string | null {
  const elapsed = Math.max(0, now - at);
  if (elapsed < minute) return "just now";
  if (elapsed < hour) return `${counted(Math.floor(elapsed / minute), "minute")} ago`;
  if (elapsed < day) return `${counted(Math.floor(elapsed / hour), "hour")} ago`;
  if (elapsed < 2 * day) return "yesterday";
  if (elapsed < 21 * day) return `${Math.floor(elapsed / day)} days ago`;
  return null;
}

/** Date and time in UTC, to the minute, such as "12 Nov 2026, 14:05 UTC". */
export function utcTime(at: number): string {
  return `${utcDate(at)}, ${new Date(at).toISOString().slice(11, 16)} UTC`;
}
