import { accent, shadesOf, toneOf } from "~/covers/tones";
import type { Score } from "~/exchange/rating/scale";
import { type Outline, Raster } from "~/platform/raster";
import { glyphs } from "./glyphs";
import type { Picture } from "./picture";

/** Of what a link shows where it is passed on. */
const linkPictureSize = { width: 1200, height: 630 };

const [margin, room] = [60, 560];
const five = { width: 322, height: 184, gap: 24 };
/** Where the verdict and the name of the product stand. */
const words = { x: 690, width: 450, size: 150, middle: 250 };

/**
 * What a shared result says, as PNG: the verdict and the marks, in the colour of the song's cover. It has no cover and no
 * title: a title can be in any script, and Spotify lets no copy of a cover be kept.
 */
export async function drawLinkPicture(
  { said, fives }: Picture,
  tint: number | null,
): Promise<Uint8Array> {
  const { ground, ink } = shadesOf(toneOf({ tint })).light;
  const raster = new Raster(linkPictureSize.width, linkPictureSize.height, ground);
  const pen = new Pen(raster, { ground, ink });
  const columns = Math.min(2, fives.length);
  const rows = Math.ceil(fives.length / columns);
  const scale = (room - (columns - 1) * five.gap) / (columns * five.width);
  const height = rows * five.height * scale + (rows - 1) * five.gap;
  const top = (linkPictureSize.height - height) / 2;
  for (const [place, { scores, hidden }] of fives.entries()) {
    const x = margin + (place % columns) * (five.width * scale + five.gap);
    const y = top + Math.floor(place / columns) * (five.height * scale + five.gap);
    pen.at(x, y, scale).five(scores, hidden);
  }
  const lines = said.split(/ (?=liked|are)/);
  const size = Math.min(words.size, ...lines.map((line) => words.width / widthOf(line)));
  const first = words.middle + (lines.length > 1 ? 0 : size / 2);
  for (const [place, line] of lines.entries()) {
    pen.at(words.x, first + place * size, size / em).text(line);
  }
  pen.at(words.x - 15, 496, 2.2).tally();
  pen.at(words.x + 86, 544, 48 / em).text("Fivefold");
  return raster.png();
}

const em = 240;

/** The width of a text whose type has the size 1. */
function widthOf(text: string): number {
  return [...text].reduce((sum, letter) => sum + (glyphs[letter]?.[0] ?? 0), 0) / em;
}

class Pen {
  readonly #raster: Raster;
  readonly #colours: { ground: string; ink: string };
  #place = { x: 0, y: 0, scale: 1 };

  constructor(raster: Raster, colours: { ground: string; ink: string }) {
    this.#raster = raster;
    this.#colours = colours;
  }

  at(x: number, y: number, scale: number): this {
    this.#place = { x, y, scale };
    return this;
  }

  text(text: string): void {
    let left = 0;
    for (const letter of text) {
      const [width, ...outlines] = glyphs[letter] ?? [0];
      const from = left;
      if (outlines.length > 0) this.#fill(outlines.map((steps) => outlineOf(steps, from)));
      left += width;
    }
  }

  five(scores: Score[], hidden: number): void {
    const { ink } = this.#colours;
    for (let place = 0; place < 5; place += 1) {
      const score = [...scores].sort((one, other) => one - other)[place - hidden];
      const [x, y] = [place < 4 ? 36 + 66 * place : 300, 22];
      if (place < 4) this.#line([x, score ? 38 : 8], [x, 174], 8);
      else {
        const to: Outline[0] = score ? [285, 30] : [304, 20];
        this.#line([10, 167], to, 15);
        this.#line([10, 167], to, 8, accent);
      }
      if (!score) continue;
      this.#line([x, y], [x, y], 36.4);
      this.#line([x, y], [x, y], 27.6, score < 3 ? this.#colours.ground : accent);
      if (score === 2) this.#fill([arc([x, y], 16, 0.25, 0.75)]);
      if (score < 4) continue;
      this.#line([x - 8, y], [x + 8, y], 4.4, ink);
      this.#line([x, y - 8], [x, y + 8], 4.4, ink);
    }
  }

  /** The product's mark. */
  tally(): void {
    for (const x of [7, 15, 23, 31]) this.#line([x, 3], [x, 25], 3);
    this.#line([3, 21], [37, 7], 6);
    this.#line([3, 21], [37, 7], 3, accent);
  }

  /** With round ends; a disc where it has no length. */
  #line(from: Outline[0], to: Outline[0], width: number, colour?: string): void {
    const turn = Math.atan2(to[1] - from[1], to[0] - from[0]) / (2 * Math.PI);
    const ends = [
      arc(to, width / 2, turn - 0.25, turn + 0.25),
      arc(from, width / 2, turn + 0.25, turn + 0.75),
    ];
    this.#fill([ends.flat()], colour);
  }

  #fill(outlines: Outline[], colour = this.#colours.ink): void {
    const { x: left, y: top, scale } = this.#place;
    const placed = outlines.map((outline) =>
      outline.map(([x, y]): Outline[0] => [left + x * scale, top + y * scale]),
    );
    this.#raster.fill(placed, colour);
  }
}

/** From one angle to another, in turns. */
function arc([x, y]: Outline[0], radius: number, from: number, to: number): Outline {
  return Array.from({ length: 25 }, (_, step) => {
    const angle = 2 * Math.PI * (from + ((to - from) * step) / 24);
    return [x + radius * Math.cos(angle), y + radius * Math.sin(angle)];
  });
}

/** Its points, from the steps that app/results/glyphs.ts has. The first leads to where it begins, eight times as far. */
function outlineOf(steps: string, left: number): Outline {
  let [x, y] = [left, 0];
  const points = (steps.match(/../g) ?? []).map((step, place): Outline[0] => {
    const length = place === 0 ? 8 : 1;
    x += length * (step.charCodeAt(0) - 80);
    y -= length * (step.charCodeAt(1) - 80);
    return [x, y];
  });
  return points.slice(1);
}
