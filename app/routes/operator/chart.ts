/** Geometry of a small bar chart with a bar for each day, in units that the drawing scales to its size. */

/** The width of a day, and the height of the highest bar. */
export const slot = 10;
export const height = 60;

/** The minimum height of a bar for zero and for any other value, to tell them apart. */
const minZeroHeight = 1;
const minHeight = 4;

/** The outlines of the bars as two paths: the earlier days, and the last one. */
export interface Bars {
  before: string;
  last: string;
}

/** The highest known value; 0 if there is none. */
export function highest(values: (number | null)[]): number {
  return values.reduce<number>((most, value) => Math.max(most, value ?? 0), 0);
}

/**
 * Draws a bar for each known value.
 * @param top the value of a bar of full height.
 * @param gap the space on either side of a bar.
 */
export function drawBars(values: (number | null)[], top: number, gap = 1): Bars {
  const bars = values.map((value, place) => {
    if (value === null) return "";
    const least = value === 0 ? minZeroHeight : minHeight;
    const high = Math.max(least, top > 0 ? rounded((value / top) * height) : 0);
    const width = slot - 2 * gap;
    return `M${place * slot + gap} ${height}v${-high}h${width}v${high}z`;
  });
  return { before: bars.slice(0, -1).join(""), last: bars.at(-1) ?? "" };
}

function rounded(length: number): number {
  return Math.round(length * 10) / 10;
}
