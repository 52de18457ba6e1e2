/** A drawing is 640 wide and high, and made of strokes alone: a disc is a line of no length, a ring two arcs. */
const coverSize = 640;
export const middle = coverSize / 2;

export interface Drawing {
  ground: string;
  /** From the lowest to the uppermost. */
  strokes: Stroke[];
}

export interface Stroke {
  colour: string;
  width: number;
  cap: "round" | "butt";
  parts: (Line | Arc)[];
}

export interface Line {
  from: Point;
  to: Point;
}

/** Around the middle, clockwise from `start`, in degrees from the top. */
export interface Arc {
  radius: number;
  start: number;
  sweep: number;
}

export type Point = [x: number, y: number];

/** The point at an angle, in degrees from the top. */
export function pointAt(radius: number, angle: number): Point {
  const turn = (angle * Math.PI) / 180;
  return [middle + radius * Math.sin(turn), middle - radius * Math.cos(turn)];
}

export function coverSvg({ ground, strokes }: Drawing): string {
  const paths = strokes.map(
    ({ colour, width, cap, parts }) =>
      `<path stroke="${colour}" stroke-width="${tenths(width)}"${cap === "round" ? ' stroke-linecap="round"' : ""} d="${parts.map(pathOf).join("")}"/>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" width="640" height="640" viewBox="0 0 640 640"><path fill="${ground}" d="M0 0h640v640H0z"/><g fill="none">${paths.join("")}</g></svg>`;
}

function pathOf(part: Line | Arc): string {
  if ("from" in part) {
    const [from, to] = [part.from, part.to].map((point) => point.map(Math.round).join(" "));
    return from === to ? `M${from}h.1` : `M${from}L${to}`;
  }
  const { radius, start, sweep } = part;
  const place = (angle: number) => pointAt(radius, angle).map(tenths).join(" ");
  // Of an arc near half a circle, the centre moves far with a little rounding of its ends.
  const stops = sweep < 120 ? [sweep] : [sweep / 2, sweep];
  const r = tenths(radius);
  return `M${place(start)}${stops.map((stop) => `A${r} ${r} 0 0 1 ${place(start + stop)}`).join("")}`;
}

function tenths(number: number): number {
  return Math.round(number * 10) / 10;
}
