import type { Score } from "~/exchange/rating/scale";
import type { Picture } from "~/results/picture";
import { voiceFont } from "./picture-text";

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface Colours {
  ground: string;
  ink: string;
  soft: string;
  cover: string;
  accent: string;
}

/** As in app/components/marks.tsx: where the five strokes begin and end, with a mark and without. */
const upright = [36, 102, 168, 234].map((x) => ({
  head: [x, 22],
  line: [x, 38, x, 174],
  bare: [x, 8, x, 174],
}));
const fifth = { head: [300, 22], line: [10, 167, 285, 30], bare: [10, 167, 304, 20] };
const [fiveWidth, fiveHeight, radius, stroke, ring] = [322, 184, 16, 8, 4.6];
const gap = 24;

/** How tallies are laid out within a width and a height: two side by side where there are several. */
export function layOutFives(count: number, { width, height }: Pick<Box, "width" | "height">) {
  const columns = count > 1 ? 2 : 1;
  const rows = Math.ceil(count / columns);
  const scale = Math.min(
    (width - (columns - 1) * gap) / (columns * fiveWidth),
    (height - (rows - 1) * gap) / (rows * fiveHeight),
  );
  return { columns, scale, height: rows * fiveHeight * scale + (rows - 1) * gap };
}

export function drawFives(
  pen: CanvasRenderingContext2D,
  fives: Picture["fives"],
  { x, y, ...room }: Box,
  colours: Colours,
): void {
  const { columns, scale } = layOutFives(fives.length, room);
  for (const [place, five] of fives.entries()) {
    pen.save();
    pen.translate(
      x + (place % columns) * (fiveWidth * scale + gap),
      y + Math.floor(place / columns) * (fiveHeight * scale + gap),
    );
    pen.scale(scale, scale);
    drawFive(pen, five, colours);
    pen.restore();
  }
}

function drawFive(
  pen: CanvasRenderingContext2D,
  { scores, hidden }: Picture["fives"][number],
  { ink, accent }: Colours,
): void {
  const marks = [...Array<null>(hidden).fill(null), ...[...scores].sort((a, b) => a - b)];
  pen.lineCap = "round";
  for (const [place, { line, bare }] of [...upright, fifth].entries()) {
    const path = marks[place] == null ? bare : line;
    const isFifth = place === upright.length;
    if (isFifth) drawLine(pen, path, ink, stroke * 1.8);
    drawLine(pen, path, isFifth ? accent : ink, stroke);
  }
  for (const [place, { head }] of [...upright, fifth].entries()) {
    const score = marks[place];
    if (score != null) drawMark(pen, head, score, { ink, accent });
  }
}

/** A ring, a half, a full one, a full one with a plus. */
function drawMark(
  pen: CanvasRenderingContext2D,
  [x = 0, y = 0]: number[],
  score: Score,
  { ink, accent }: Pick<Colours, "ink" | "accent">,
): void {
  const circle = (from: number, to: number) => {
    pen.beginPath();
    pen.arc(x, y, radius, from, to);
  };
  circle(0, 2 * Math.PI);
  if (score > 2) {
    pen.fillStyle = accent;
    pen.fill();
  }
  pen.strokeStyle = ink;
  pen.lineWidth = ring;
  pen.stroke();
  if (score === 2) {
    circle(Math.PI / 2, (3 * Math.PI) / 2);
    pen.fillStyle = ink;
    pen.fill();
  }
  if (score === 4) {
    drawLine(pen, [x - 8, y, x + 8, y], ink, ring);
    drawLine(pen, [x, y - 8, x, y + 8], ink, ring);
  }
}

function drawLine(
  pen: CanvasRenderingContext2D,
  [fromX = 0, fromY = 0, toX = 0, toY = 0]: number[],
  colour: string,
  width: number,
): void {
  pen.beginPath();
  pen.moveTo(fromX, fromY);
  pen.lineTo(toX, toY);
  pen.strokeStyle = colour;
  pen.lineWidth = width;
  pen.stroke();
}

/** The product's mark and name, at the left of a box. */
export function drawBrand(
  pen: CanvasRenderingContext2D,
  { x, y, height }: Box,
  { ink, accent }: Colours,
): void {
  const scale = height / 28;
  pen.save();
  pen.translate(x + 4 * scale, y);
  pen.scale(scale, scale);
  pen.lineCap = "round";
  for (const at of [3, 11, 19, 27]) drawLine(pen, [at, 3, at, 25], ink, 3);
  drawLine(pen, [-2, 21, 33, 7], ink, 6);
  drawLine(pen, [-2, 21, 33, 7], accent, 3);
  pen.restore();
  pen.font = voiceFont(0.74 * height);
  pen.direction = "ltr";
  pen.textAlign = "left";
  pen.fillStyle = ink;
  pen.fillText("Fivefold", x + 41 * scale + 0.2 * height, y + 0.76 * height);
}

/** Spotify's logo as in public/spotify-logo.svg, at the right of a box. */
export function drawSpotify(
  pen: CanvasRenderingContext2D,
  { x, y, width, height }: Box,
  { ground }: Colours,
): void {
  const scale = (0.66 * height) / 28;
  pen.save();
  pen.translate(x + width - 97 * scale, y + 0.17 * height);
  pen.scale(scale, scale);
  pen.fillStyle = "#191414";
  pen.beginPath();
  pen.arc(14, 14, 13, 0, 2 * Math.PI);
  pen.fill();
  pen.font = "700 20px Helvetica, Arial, sans-serif";
  pen.direction = "ltr";
  pen.textAlign = "left";
  pen.fillText("Spotify", 33, 21, 63);
  pen.strokeStyle = ground;
  pen.lineCap = "round";
  for (const [path, thick] of [
    ["M6.5 10.2c5-1.5 10.5-1 15 1.5", 2.6],
    ["M7.2 14.4c4.2-1.2 8.8-.7 12.6 1.4", 2.2],
    ["M7.8 18.4c3.5-.9 7.2-.5 10.4 1.3", 1.8],
  ] as const) {
    pen.lineWidth = thick;
    pen.stroke(new Path2D(path));
  }
  pen.restore();
}
