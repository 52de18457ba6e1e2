/** Dates in sentences that the server writes. All are in UTC, so that they are the same everywhere. */

const months = [
  ...["January", "February", "March", "April", "May", "June", "July", "August", "September"],
  ...["October", "November", "December"],
];

/** A date of the next few weeks: "22 December". */
export function dayAndMonth(epochMs: number): string {
  const date = new Date(epochMs);
  return `${date.getUTCDate()} ${months[date.getUTCMonth()]}`;
}

/** Any date: "22 December 2026". */
export function fullDate(epochMs: number): string {
  return `${dayAndMonth(epochMs)} ${new Date(epochMs).getUTCFullYear()}`;
}

/** The UTC day of a moment as the database writes it: "2026-11-23". */
export function dayOf(epochMs: number): string {
  return new Date(epochMs).toISOString().slice(0, 10);
}
