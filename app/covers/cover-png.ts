import {
  type Arc,
  coverSize,
  type Drawing,
  type Line,
  middle,
  type Point,
  pointAt,
  type Stroke,
} from "./drawing";
import { encodePng } from "./png";

const size = 192;
const scale = size / coverSize;
const rowBytes = 1 + 3 * size;

interface Shape {
  /** How far outside a point is, in the drawing's units; negative within. */
  distance: (x: number, y: number) => number;
  least: Point;
  most: Point;
}

/** A cover for mails, which show no SVG. */
export function coverPng(drawing: Drawing): Promise<Uint8Array<ArrayBuffer>> {
  return encodePng(rowsOf(drawing), size);
}

/** Each row's pixels after a zero, which says that they are as they are. */
function rowsOf({ ground, strokes }: Drawing): Uint8Array<ArrayBuffer> {
  const rows = new Uint8Array(rowBytes * size);
  const first = rows.subarray(0, rowBytes);
  for (let x = 0; x < size; x += 1) first.set(bytesOf(ground), 1 + 3 * x);
  for (let y = 1; y < size; y += 1) rows.set(first, y * rowBytes);
  for (const stroke of strokes) {
    const colour = bytesOf(stroke.colour);
    for (const part of stroke.parts) paint(rows, shapeOf(part, stroke), colour);
  }
  return rows;
}

function paint(rows: Uint8Array, shape: Shape, [red = 0, green = 0, blue = 0]: number[]): void {
  const [left, top] = shape.least.map((at) => Math.max(0, Math.floor(at * scale) - 1)) as Point;
  const [right, low] = shape.most.map((at) => Math.min(size, Math.ceil(at * scale) + 1)) as Point;
  for (let y = top; y < low; y += 1) {
    for (let x = left; x < right; x += 1) {
      const covered = 0.5 - shape.distance((x + 0.5) / scale, (y + 0.5) / scale) * scale;
      if (covered <= 0) continue;
      const share = Math.min(1, covered);
      const at = y * rowBytes + 1 + 3 * x;
      rows[at] = mix(rows[at], red, share);
      rows[at + 1] = mix(rows[at + 1], green, share);
      rows[at + 2] = mix(rows[at + 2], blue, share);
    }
  }
}

function mix(below = 0, above: number, share: number): number {
  return Math.round(below + (above - below) * share);
}

function shapeOf(part: Line | Arc, stroke: Stroke): Shape {
  return "from" in part ? lineShape(part, stroke.width / 2) : arcShape(part, stroke);
}

/** Lines have round ends. */
function lineShape({ from: [x1, y1], to: [x2, y2] }: Line, half: number): Shape {
  const [dx, dy] = [x2 - x1, y2 - y1];
  const length = dx * dx + dy * dy;
  return {
    distance(x, y) {
      const along = length && Math.min(1, Math.max(0, ((x - x1) * dx + (y - y1) * dy) / length));
      return apart(x, y, [x1 + along * dx, y1 + along * dy]) - half;
    },
    least: [Math.min(x1, x2) - half, Math.min(y1, y2) - half],
    most: [Math.max(x1, x2) + half, Math.max(y1, y2) + half],
  };
}

function arcShape({ radius, start, sweep }: Arc, { width, cap }: Stroke): Shape {
  const half = width / 2;
  const [first, last] = [pointAt(radius, start), pointAt(radius, start + sweep)];
  const [fx, fy] = first.map((at) => (at - middle) / radius) as Point;
  const [lx, ly] = last.map((at) => (at - middle) / radius) as Point;
  return {
    distance(x, y) {
      const [dx, dy] = [x - middle, y - middle];
      const across = Math.abs(Math.sqrt(dx * dx + dy * dy) - radius) - half;
      if (across * scale > 1) return across;
      const before = dx * fy - dy * fx;
      const after = dy * lx - dx * ly;
      const beyond = sweep > 180 ? Math.min(before, after) : Math.max(before, after);
      if (cap === "butt") return Math.max(across, beyond);
      if (beyond <= 0) return across;
      return Math.min(apart(x, y, first), apart(x, y, last)) - half;
    },
    ...boxOf({ radius, start, sweep }, half, cap === "round" ? half : 0),
  };
}

/** What an arc reaches at its ends and at each quarter between them, and round ends beyond. */
function boxOf(
  { radius, start, sweep }: Arc,
  half: number,
  end: number,
): Pick<Shape, "least" | "most"> {
  const angles = [start, start + sweep];
  for (let angle = Math.ceil(start / 90) * 90; angle < start + sweep; angle += 90)
    angles.push(angle);
  const points = angles.flatMap((angle) => [
    pointAt(radius - half, angle),
    pointAt(radius + half, angle),
  ]);
  const [across, down] = [points.map(([x]) => x), points.map(([, y]) => y)];
  return {
    least: [Math.min(...across) - end, Math.min(...down) - end],
    most: [Math.max(...across) + end, Math.max(...down) + end],
  };
}

function apart(x: number, y: number, [otherX, otherY]: Point): number {
  return Math.sqrt((x - otherX) ** 2 + (y - otherY) ** 2);
}

function bytesOf(colour: string): number[] {
  return [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
}
