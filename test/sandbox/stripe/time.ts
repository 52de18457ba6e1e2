/** On the same day of the month as `anchor`, or on the last day of a shorter month; in epoch seconds. */
export function monthAfter(start: number, anchor: number, months = 1): number {
  const from = new Date(start * 1000);
  const year = from.getUTCFullYear();
  const month = from.getUTCMonth();
  const lastDay = new Date(Date.UTC(year, month + months + 1, 0)).getUTCDate();
  const day = Math.min(new Date(anchor * 1000).getUTCDate(), lastDay);
  const time = start % (24 * 60 * 60);
  return Date.UTC(year, month + months, day) / 1000 + time;
}
