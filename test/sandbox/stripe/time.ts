/** Stripe's time: epoch seconds, and months as calendars have them. */

/**
 * A month after `start`, on the day of the month on which `anchor` lies, or on the month's last.
 * Epoch seconds.
 */
export function monthAfter(start: number, anchor: number): number {
  const from = new Date(start * 1000);
  const year = from.getUTCFullYear();
  const month = from.getUTCMonth();
  const lastDay = new Date(Date.UTC(year, month + 2, 0)).getUTCDate();
  const day = Math.min(new Date(anchor * 1000).getUTCDate(), lastDay);
  const time = start % (24 * 60 * 60);
  return Date.UTC(year, month + 1, day) / 1000 + time;
}

/** January 5, 2026 */
export function dateText(seconds: number): string {
  const date = new Date(seconds * 1000);
  return date.toLocaleDateString("en-US", { dateStyle: "long", timeZone: "UTC" });
}
