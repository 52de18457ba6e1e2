/** The shapes of a small chart: a bar for each day, in units that the drawing stretches to its size. */

/** The width of a day, and the height of the highest bar. */
export const slot = 10;
export const height = 60;

/** How high a bar is at least, for nothing and for something: so that one sees which of them it is. */
const leastOfNothing = 1;
const leastOfSomething = 4;

/** Bars as the outlines of two paths: of the days before, and of the last one. */
export interface Bars {
  before: string;
  last: string;
}

/** The highest of some values; 0 if none is known. */
export function highest(values: (number | null)[]): number {
  return values.reduce<number>((most, value) => Math.max(most, value ?? 0), 0);
}

/**
 * Draws a bar for each value. Of what is not known there is none.
 * @param top the value of the highest bar.
 * @param gap how much of a day's width stays free on either side.
 */
export function drawBars(values: (number | null)[], top: number, gap = 1): Bars {
  const bars = values.map((value, place) => {
    if (value === null) return "";
    const least = value === 0 ? leastOfNothing : leastOfSomething;
    const high = Math.max(least, top > 0 ? rounded((value / top) * height) : 0);
    const width = slot - 2 * gap;
    return `M${place * slot + gap} ${height}v${-high}h${width}v${high}z`;
  });
  return { before: bars.slice(0, -1).join(""), last: bars.at(-1) ?? "" };
}

function rounded(length: number): number {
  return Math.round(length * 10) / 10;
}
