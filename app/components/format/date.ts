import { counted } from "~/platform/text";

/**
 * Not from `Intl`, whose formatters take a slow phone longer to create than the screen to render, and whose
 * wording differs between browsers.
 */
export function utcDate(epochMs: number): string {
  const date = new Date(epochMs);
  return `${date.getUTCDate()} ${months[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
}

/** "16 December". */
export function utcDay(epochMs: number): string {
  const date = new Date(epochMs);
  return `${date.getUTCDate()} ${longMonths[date.getUTCMonth()]}`;
}

/** "December 2026". */
export function utcMonth(epochMs: number): string {
  const date = new Date(epochMs);
  return `${longMonths[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
}

const longMonths =
  "January February March April May June July August September October November December".split(
    " ",
  );
const months = longMonths.map((month) => month.slice(0, 3));

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** Null from three weeks on, when the date says more. */
export function timeAgo(at: number, now: number): string | null {
  const elapsed = Math.max(0, now - at);
  if (elapsed < minute) return "just now";
  if (elapsed < hour) return `${counted(Math.floor(elapsed / minute), "minute")} ago`;
  if (elapsed < day) return `${counted(Math.floor(elapsed / hour), "hour")} ago`;
  if (elapsed < 2 * day) return "yesterday";
  if (elapsed < 21 * day) return `${Math.floor(elapsed / day)} days ago`;
  return null;
}

export function utcTime(at: number): string {
  return `${utcDate(at)}, ${new Date(at).toISOString().slice(11, 16)} UTC`;
}
