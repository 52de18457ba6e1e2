/** Dates in sentences that the server writes. All are in UTC, so that they are the same everywhere. */

const dayMonth = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "long",
  timeZone: "UTC",
});

/** A date of the next few weeks: "22 December". */
export function dayAndMonth(epochMs: number): string {
  return dayMonth.format(epochMs);
}

/** Any date: "22 December 2026". */
export function fullDate(epochMs: number): string {
  return `${dayAndMonth(epochMs)} ${new Date(epochMs).getUTCFullYear()}`;
}
