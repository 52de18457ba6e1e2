const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const words = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
const exact = new Intl.DateTimeFormat("en-GB", {
  dateStyle: "medium",
  timeStyle: "short",
  timeZone: "UTC",
});

/**
 * How long ago something was, in words; null from three weeks on, where the date says more. The same
 * on the server and in every browser.
 * @param at when it was, in epoch milliseconds, as `now`.
 */
export function timeAgo(at: number, now: number): string | null {
  const ago = Math.max(0, now - at);
  if (ago < minute) return "just now";
  if (ago < hour) return words.format(-Math.floor(ago / minute), "minute");
  if (ago < day) return words.format(-Math.floor(ago / hour), "hour");
  if (ago < 21 * day) return words.format(-Math.floor(ago / day), "day");
  return null;
}

/** Date and time in UTC, to the minute, such as "12 Nov 2026, 14:05 UTC". */
export function utcTime(at: number): string {
  return `${exact.format(at)} UTC`;
}
