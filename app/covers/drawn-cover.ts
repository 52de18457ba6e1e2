import { fromBase64Url } from "~/platform/base64";
import { between, pick, type Random, randomOf, times } from "./chance";
import { type Colours, coloursOf } from "./cover-colours";
import {
  type Arc,
  type Drawing,
  type Line,
  middle,
  type Point,
  pointAt,
  type Stroke,
} from "./drawing";

/** A hash of 256 bits as base64url or hexadecimal digits. */
export function isCoverHash(text: string): boolean {
  return /^(?:[\w-]{43}|[0-9a-f]{64})$/.test(text);
}

export function coverPath(hash: string): string {
  return `/covers/${hash}.svg`;
}

/** The cover of a recording without a picture: a record's label, the same for the same hash. */
export function drawCover(hash: string): Drawing {
  const random = randomOf(bytesOf(hash));
  const colours = coloursOf(random);
  const draw = pick(random, [strobe, dots, record, grooves, halves, sectors, offset]);
  return { ground: colours.ground, strokes: draw(colours, random) };
}

type Draw = (colours: Colours, random: Random) => Stroke[];

/** The label's marks run around it as a turntable's strobe, as far out as a song may be loud. */
const strobe: Draw = ({ ground, main, second, accent }, random) => {
  const count = pick(random, [30, 40, 48]);
  const inner = between(random, 120, 160);
  const [slow, fast] = [pick(random, [2, 3, 5]), pick(random, [5, 7, 9])];
  const [phase, other, rough] = [random() * 7, random() * 7, random() * 0.7];
  const parts = times(count, (index) => {
    const turn = (index / count) * 2 * Math.PI;
    const wave = 0.5 + 0.3 * Math.sin(slow * turn + phase) + 0.2 * Math.sin(fast * turn + other);
    const loud = wave * (1 - rough) + random() * rough;
    const angle = (index / count) * 360;
    return { from: pointAt(inner, angle), to: pointAt(inner + 14 + loud * (280 - inner), angle) };
  });
  const width = ((2 * Math.PI * inner) / count) * between(random, 0.55, 0.72);
  return [
    { colour: main, width, cap: "round", parts },
    ...label([second, accent, ground], inner - 40, random),
  ];
};

/** Rings of dots, as on the rim of a turntable. */
const dots: Draw = ({ ground, main, second, accent }, random) => {
  const rings = pick(random, [3, 4]);
  const inner = 120;
  const step = (300 - inner) / rings;
  const kept = between(random, 0.86, 1);
  const size = between(random, 0.45, 0.68);
  const every = pick(random, [6, 8, 10]);
  const marked = Math.floor(random() * rings);
  const drawn = times(rings, (ring): Stroke => {
    const radius = inner + step * (ring + 0.5);
    const count = every + (every / 2) * ring;
    const angles = times(count, (index) => ((index + (ring % 2) / 2) / count) * 360);
    const parts = angles
      .filter(() => random() < kept)
      .map((angle) => dotAt(pointAt(radius, angle)));
    return { colour: ring === marked ? second : main, width: step * size, cap: "round", parts };
  });
  return [...drawn, ...label([accent, main, ground], 84, random)];
};

/** A record, with grooves and label. */
const record: Draw = ({ ground, main, second, accent }, random) => {
  const rings = times(4, () => between(random, 190, 285));
  return [
    disc(main, 300),
    { colour: ground, width: 4, cap: "round", parts: rings.flatMap(ring) },
    ...label([second, accent, main], between(random, 120, 165), random),
  ];
};

const grooves: Draw = ({ main, second, accent, ground }, random) => {
  const count = pick(random, [4, 5, 6, 8]);
  const inner = 100;
  const step = (304 - inner) / count;
  const width = step * between(random, 0.5, 0.72);
  const arcs = times(count, (index) => ({
    radius: inner + step * (index + 0.5),
    start: random() * 360,
    sweep: between(random, 80, 290),
    colour: index === 0 || random() < 0.6 ? main : second,
  }));
  const of = (colour: string): Stroke => ({
    colour,
    width,
    cap: "round",
    parts: arcs.filter((arc) => arc.colour === colour),
  });
  return [of(second), of(main), disc(accent, 62), disc(ground, 12)];
};

/** Rings, cut across and turned half around. */
const halves: Draw = ({ ground, main, second, accent }, random) => {
  const count = pick(random, [3, 4, 5, 6]);
  const width = 300 / count;
  const start = pick(random, [0, 45, 90, 135, 180, 225, 270, 315]);
  const marked = Math.floor(random() * count);
  const both = random() < 0.5;
  const parts = times(count, (index) => ({
    radius: width * (index + 0.5),
    start: start + (index % 2) * 180,
    sweep: 180,
  }));
  const opposite = parts.map((arc) => ({ ...arc, start: arc.start + 180 }));
  return [
    ...(both ? [{ colour: second, width, cap: "butt" as const, parts: opposite }] : []),
    { colour: main, width, cap: "butt", parts: parts.filter((_, index) => index !== marked) },
    { colour: accent, width, cap: "butt", parts: parts.filter((_, index) => index === marked) },
    disc(ground, 14),
  ];
};

/** Sectors that grow from one to the next, as in a snail's shell. */
const sectors: Draw = ({ ground, main, second, accent }, random) => {
  const count = pick(random, [6, 8, 10, 12]);
  const start = random() * 360;
  const inner = between(random, 30, 90);
  const least = between(random, 60, 150);
  const order = pick(random, [[main], [main, second], [main, second, accent]]);
  const strokes = times(count, (index): Stroke => {
    const length = least + ((302 - inner - least) * index) / (count - 1);
    const sweep = 360 / count - 3;
    const arc = { radius: inner + length / 2, start: start + (index * 360) / count, sweep };
    const colour = order[index % order.length] ?? main;
    return { colour, width: length, cap: "butt", parts: [arc] };
  });
  return [...strokes, disc(accent, inner - 10), disc(ground, 12)];
};

/** Discs within discs, each nearer to one side. */
const offset: Draw = ({ ground, main, second, accent }, random) => {
  const count = pick(random, [3, 4, 5]);
  const angle = random() * 360;
  const turn = pick(random, [0, 0, 40, 90]);
  const order = [main, ground, second, ground, main];
  const radii = times(count, (index) => 296 - (index * 250) / count);
  let centre: Point = [middle, middle];
  const discs = radii.map((radius, index) => {
    const [x, y] = pointAt(((radii[index - 1] ?? radius) - radius) * 0.72, angle + turn * index);
    centre = [centre[0] + x - middle, centre[1] + y - middle];
    return disc(order[index] ?? main, radius, centre);
  });
  return [...discs, disc(accent, 35, centre)];
};

function label([colour, other, hole]: [string, string, string], radius: number, random: Random) {
  const start = pick(random, [0, 45, 90, 135, 180, 270]);
  // As wide as the label, a little of that would show at its edge.
  const width = radius + 2;
  const pie = (from: number, sweep: number): Arc => ({ radius: width / 2, start: from, sweep });
  const art = pick(random, [
    [pie(start, 180)],
    [pie(start, 90), pie(start + 180, 90)],
    [pie(start, 90)],
    [],
  ]);
  const half: Stroke = { colour: other, width, cap: "butt", parts: art };
  const inner = art.length === 0 ? disc(other, radius * 0.55) : half;
  return [disc(colour, radius), inner, disc(hole, 14)];
}

function dotAt(point: Point): Line {
  return { from: point, to: point };
}

function disc(colour: string, radius: number, centre: Point = [middle, middle]): Stroke {
  return { colour, width: radius * 2, cap: "round", parts: [dotAt(centre)] };
}

function ring(radius: number): Arc[] {
  return [
    { radius, start: 0, sweep: 180 },
    { radius, start: 180, sweep: 180 },
  ];
}

function bytesOf(hash: string): Uint8Array {
  if (hash.length === 43) return fromBase64Url(hash) ?? new Uint8Array();
  return Uint8Array.from(hash.match(/../g) ?? [], (digits) => Number.parseInt(digits, 16));
}
