/**
 * All dates are in UTC, so that they are the same everywhere; and not from `Intl`, whose formatters take a slow phone
 * longer to create than the screen to render, and whose wording differs between browsers.
 */

export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;

const months = [
  ...["January", "February", "March", "April", "May", "June", "July", "August", "September"],
  ...["October", "November", "December"],
];

/** "22 December", for dates within some months. */
export function dayAndMonth(epochMs: number): string {
  const date = new Date(epochMs);
  return `${date.getUTCDate()} ${months[date.getUTCMonth()]}`;
}

export function fullDate(epochMs: number): string {
  return `${dayAndMonth(epochMs)} ${new Date(epochMs).getUTCFullYear()}`;
}

/** "December 2026". */
export function monthAndYear(epochMs: number): string {
  return fullDate(epochMs).replace(/^\d+ /, "");
}

export function dateAndTime(epochMs: number): string {
  return `${fullDate(epochMs)}, ${new Date(epochMs).toISOString().slice(11, 16)} UTC`;
}

export function secondsUntil(epochMs: number, now: number): number {
  return Math.max(0, Math.ceil((epochMs - now) / 1000));
}

const weekdays = "Sunday Monday Tuesday Wednesday Thursday Friday Saturday".split(" ");

/** "Friday, 20:00 UTC", for times within some days; with its date where the week has that day twice. */
export function dayAndHour(epochMs: number, now: number): string {
  const date = new Date(epochMs);
  const isNear = Math.abs(epochMs - now) < 6 * dayMs;
  const day = `${weekdays[date.getUTCDay()]}${isNear ? "" : ` ${dayAndMonth(epochMs)}`}`;
  return `${day}, ${date.toISOString().slice(11, 16)} UTC`;
}

/** As the database writes a day: "2026-11-23". */
export function dayOf(epochMs: number): string {
  return new Date(epochMs).toISOString().slice(0, 10);
}

/** The length of a billed period: "a month", "3 months", "a week", "10 days". */
export function periodText(startMs: number, endMs: number): string {
  const [start, end] = [new Date(startMs), new Date(endMs)];
  const length =
    (end.getUTCFullYear() - start.getUTCFullYear()) * 12 + end.getUTCMonth() - start.getUTCMonth();
  // A period that begins on the 31st ends on the last day of a shorter month, and the other way round.
  const isWhole =
    start.getUTCDate() === end.getUTCDate() ||
    isLastOfMonth(end.getUTCDate() < start.getUTCDate() ? end : start);
  const days = Math.round((endMs - startMs) / dayMs);
  if (length > 0 && isWhole)
    return length % 12 === 0 ? many(length / 12, "year") : many(length, "month");
  return days % 7 === 0 ? many(days / 7, "week") : many(days, "day");
}

function isLastOfMonth(date: Date): boolean {
  return new Date(date.getTime() + dayMs).getUTCDate() === 1;
}

function many(count: number, unit: string): string {
  return count === 1 ? `a ${unit}` : `${count} ${unit}s`;
}
