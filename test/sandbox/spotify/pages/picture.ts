/** Generated pictures: abstract covers and portraits, different for each id but always the same. */
import { encode } from "jpeg-js";
import { randomFrom } from "../../catalogue.ts";

/** A background colour, then three colours that go with it. */
const PALETTES: readonly (readonly [number, number, number, number])[] = [
  [0x10243f, 0xf2b134, 0xed553b, 0xf6e7cb],
  [0xf4efe6, 0x22577a, 0x38a3a5, 0xef8354],
  [0x2b193d, 0xff6f91, 0xffc75f, 0x845ec2],
  [0x0b3d3a, 0xb8e0c8, 0xf7c59f, 0xef476f],
  [0xfbe8d3, 0xd1495b, 0x00798c, 0x30343f],
  [0x1a1a1d, 0xc3073f, 0xe8e8e4, 0x6f6f76],
  [0xdfe7ea, 0x3d5a80, 0xee6c4d, 0x293241],
  [0x3a0f2b, 0xf4a261, 0xe9c46a, 0xe76f51],
  [0xe9f0dc, 0x386641, 0xbc4749, 0xf2c14e],
  [0x16213e, 0x53a2be, 0xd6e5e3, 0xf26a8d],
  [0xfff4f0, 0x5b2a86, 0xf79d65, 0x2a9d8f],
  [0x082032, 0xff4c29, 0x94b0b7, 0xf0ece2],
];

/** Which colour of the palette is at a point; both coordinates run from 0 to 600. */
type Design = (x: number, y: number) => number;

const DESIGNS: readonly ((random: () => number) => Design)[] = [
  sun,
  arcs,
  tiles,
  waves,
  stripes,
  orbits,
  petals,
];

/** How strong the grain is, in steps of brightness: it makes pictures weigh what photographs do. */
const GRAIN = 22;
/** The quality of the JPEG, by the width in pixels from which on it holds. */
const QUALITIES: readonly (readonly [width: number, quality: number])[] = [
  [500, 78],
  [200, 66],
  [0, 55],
];

/** A square JPEG: at 64, 300 and 640 pixels of some 2, 18 and 90 KB, as Spotify's covers are. */
export function drawPicture(kind: string, id: string, size: number): Buffer {
  const random = randomFrom(`image ${kind} ${id}`);
  const palette = pick(random, PALETTES);
  const person = kind === "artist" || kind === "user";
  const design = (person ? portrait : pick(random, DESIGNS))(random);
  // A small shift of the colours distinguishes two pictures with the same palette and design.
  const shift = [0, 1, 2].map(() => between(random, -22, 22));
  const data = Buffer.alloc(size * size * 4, 255);
  let noise = between(random, 1, 1e6);
  for (let at = 0, pixel = 0; at < data.length; at += 4, pixel++) {
    const [x, y] = [((pixel % size) * 600) / size, (Math.floor(pixel / size) * 600) / size];
    const colour = palette[design(x, y)] ?? palette[0];
    noise = (Math.imul(noise, 1_664_525) + 1_013_904_223) | 0;
    const light = ((noise >>> 16) / 65_536 - 0.5) * GRAIN - (y - 300) / 24;
    for (const [channel, bits] of [16, 8, 0].entries()) {
      const value = ((colour >> bits) & 255) + (shift[channel] ?? 0) + light;
      data[at + channel] = Math.max(0, Math.min(255, value));
    }
  }
  const [, quality] = QUALITIES.find(([width]) => size >= width) ?? [0, 70];
  return encode({ data, width: size, height: size }, quality).data;
}

function pick<T>(random: () => number, list: readonly T[]): T {
  return list[Math.floor(random() * list.length)] as T;
}

function between(random: () => number, low: number, high: number): number {
  return Math.round(low + random() * (high - low));
}

/** The colour of the first shape that a point is in, or the background. */
function first(
  shapes: readonly (readonly [inside: (x: number, y: number) => boolean, ink: number])[],
): Design {
  return (x, y) => {
    for (const [inside, ink] of shapes) if (inside(x, y)) return ink;
    return 0;
  };
}

function disc(cx: number, cy: number, r: number) {
  return (x: number, y: number) => (x - cx) ** 2 + (y - cy) ** 2 < r * r;
}

/** A sun over three ranges of hills. */
function sun(random: () => number): Design {
  const hills = [2, 1, 0].map((range) => {
    const [swing, shift, length] = [
      between(random, 20, 60),
      random() * 6,
      between(random, 60, 150),
    ];
    const top = 330 + range * 85;
    return [
      (x: number, y: number) => y > top + swing * Math.sin(x / length + shift),
      3 - (range % 2),
    ] as const;
  });
  const light = disc(
    between(random, 170, 430),
    between(random, 150, 270),
    between(random, 80, 140),
  );
  return first([...hills, [light, 1]]);
}

/** Concentric arcs from a corner. */
function arcs(random: () => number): Design {
  const [cx, cy] = [pick(random, [0, 600]), pick(random, [0, 600])];
  const step = between(random, 48, 84);
  const eye = disc(between(random, 200, 400), between(random, 200, 400), between(random, 30, 70));
  return (x, y) => (eye(x, y) ? 1 : Math.floor(Math.hypot(x - cx, y - cy) / step) % 4);
}

/** Quarter circles in a grid. */
function tiles(random: () => number): Design {
  const count = pick(random, [3, 4, 5]);
  const side = 600 / count;
  const inks = Array.from({ length: count * count }, () => between(random, 1, 3));
  const corners = inks.map(() => [between(random, 0, 1) * side, between(random, 0, 1) * side]);
  return (x, y) => {
    const tile = Math.floor(y / side) * count + Math.floor(x / side);
    const [cx = 0, cy = 0] = corners[tile] ?? [];
    return Math.hypot((x % side) - cx, (y % side) - cy) < side ? (inks[tile] ?? 0) : 0;
  };
}

/** Layered waves. */
function waves(random: () => number): Design {
  const height = 600 / between(random, 6, 10);
  const [swing, length] = [between(random, 10, 40), between(random, 30, 110)];
  return (x, y) => Math.floor((y + 60 + swing * Math.sin(x / length)) / height) % 4;
}

/** Slanting stripes with a disc. */
function stripes(random: () => number): Design {
  const angle = (pick(random, [-55, -35, -20, 25, 40, 60]) * Math.PI) / 180;
  const width = between(random, 30, 90);
  const moon = disc(between(random, 200, 400), between(random, 200, 400), between(random, 90, 170));
  const along = (x: number, y: number) => x * Math.cos(angle) + y * Math.sin(angle) + 1200;
  return (x, y) => (moon(x, y) ? 3 : Math.floor(along(x, y) / width) % 3);
}

/** Rings and discs around a centre. */
function orbits(random: () => number): Design {
  const [cx, cy] = [between(random, 230, 370), between(random, 230, 370)];
  const step = between(random, 42, 78);
  const planets = [2, 3, 4, 5].map((ring, index) => {
    const angle = random() * Math.PI * 2;
    const [x, y] = [cx + Math.cos(angle) * ring * step, cy + Math.sin(angle) * ring * step];
    return [disc(x, y, between(random, 12, 34)), (index % 3) + 1] as const;
  });
  const ring = (x: number, y: number) => Math.hypot(x - cx, y - cy) % step < 9;
  return first([[disc(cx, cy, between(random, 30, 60)), 1], ...planets, [ring, 2]]);
}

/** A flower of overlapping petals. */
function petals(random: () => number): Design {
  const count = between(random, 5, 11);
  const reach = between(random, 190, 270);
  const heart = disc(300, 300, between(random, 30, 60));
  return (x, y) => {
    if (heart(x, y)) return 3;
    const [angle, far] = [Math.atan2(y - 300, x - 300), Math.hypot(x - 300, y - 300)];
    if (far < reach * Math.abs(Math.cos((angle * count) / 2))) return 1;
    return far < reach * 0.8 ? 2 : 0;
  };
}

/** Head and shoulders, without a face. */
function portrait(random: () => number): Design {
  const [x, y] = [between(random, 270, 330), between(random, 220, 260)];
  return first([
    [disc(x, y + 18, 104), 1],
    [disc(x, y - between(random, 10, 46), between(random, 118, 150)), 2],
    [disc(x, 600, 200), 2],
    [disc(between(random, 60, 540), between(random, 60, 300), between(random, 120, 240)), 3],
  ]);
}
