/** Generated pictures: abstract covers and portraits, different for each id but always the same. */
import { Hono } from "hono";
import { randomFrom } from "../../catalogue.ts";

/** A background colour, then three colours that go with it. */
const PALETTES: readonly (readonly [string, string, string, string])[] = [
  ["#10243f", "#f2b134", "#ed553b", "#f6e7cb"],
  ["#f4efe6", "#22577a", "#38a3a5", "#ef8354"],
  ["#2b193d", "#ff6f91", "#ffc75f", "#845ec2"],
  ["#0b3d3a", "#b8e0c8", "#f7c59f", "#ef476f"],
  ["#fbe8d3", "#d1495b", "#00798c", "#30343f"],
  ["#1a1a1d", "#c3073f", "#e8e8e4", "#6f6f76"],
  ["#dfe7ea", "#3d5a80", "#ee6c4d", "#293241"],
  ["#3a0f2b", "#f4a261", "#e9c46a", "#e76f51"],
  ["#e9f0dc", "#386641", "#bc4749", "#f2c14e"],
  ["#16213e", "#53a2be", "#d6e5e3", "#f26a8d"],
  ["#fff4f0", "#5b2a86", "#f79d65", "#2a9d8f"],
  ["#082032", "#ff4c29", "#94b0b7", "#f0ece2"],
];

type Draw = (random: () => number, inks: readonly string[]) => string;

const DESIGNS: readonly Draw[] = [sun, arcs, tiles, waves, stripes, orbits, petals];

export function imageRoutes(): Hono {
  const app = new Hono();
  app.get("/:id", (c) => {
    const match = /^(album|artist|user|playlist)-([\w-]+)-(\d{2,4})$/.exec(c.req.param("id"));
    if (!match?.[1] || !match[2]) return c.notFound();
    return c.body(draw(match[1], match[2], Number(match[3])), 200, {
      "Content-Type": "image/svg+xml; charset=utf-8",
      "Cache-Control": "public, max-age=31536000, immutable",
      "Access-Control-Allow-Origin": "*",
      "Cross-Origin-Resource-Policy": "cross-origin",
    });
  });
  return app;
}

/** A square SVG of `size` pixels. */
function draw(kind: string, id: string, size: number): string {
  const random = randomFrom(`image ${kind} ${id}`);
  const palette = pick(random, PALETTES);
  const [background, ...inks] = palette;
  const person = kind === "artist" || kind === "user";
  const content = person ? portrait(random, inks) : pick(random, DESIGNS)(random, inks);
  // A small shift of the hue distinguishes two pictures with the same palette and design.
  const turn = Math.floor(random() * 50) - 25;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}" viewBox="0 0 600 600">` +
    `<g style="filter:hue-rotate(${turn}deg)"><rect width="600" height="600" fill="${background}"/>${content}</g></svg>`
  );
}

function pick<T>(random: () => number, list: readonly T[]): T {
  return list[Math.floor(random() * list.length)] as T;
}

function between(random: () => number, low: number, high: number): number {
  return Math.round(low + random() * (high - low));
}

function circle(x: number, y: number, r: number, fill: string, more = ""): string {
  return `<circle cx="${x}" cy="${y}" r="${r}" fill="${fill}" ${more}/>`;
}

function path(d: string, fill: string, more = ""): string {
  return `<path d="${d}" fill="${fill}" ${more}/>`;
}

/** A sun over three ranges of hills. */
function sun(random: () => number, [a = "", b = "", c = ""]: readonly string[]): string {
  let out = circle(
    between(random, 170, 430),
    between(random, 150, 270),
    between(random, 80, 140),
    a,
  );
  for (const [index, ink] of [b, c, b].entries()) {
    const y = 330 + index * 85;
    const points = [0, 200, 400, 600].map((x) => [x, y + between(random, -70, 60)] as const);
    const [p0, p1, p2, p3] = points as [
      readonly [number, number],
      readonly [number, number],
      readonly [number, number],
      readonly [number, number],
    ];
    out += path(
      `M0 ${p0[1]} C${p1[0]} ${p1[1]} ${p2[0]} ${p2[1]} 600 ${p3[1]} V600 H0Z`,
      ink,
      `opacity="${0.75 + index * 0.12}"`,
    );
  }
  return out;
}

/** Concentric arcs from a corner. */
function arcs(random: () => number, inks: readonly string[]): string {
  const corner = pick(random, [
    [0, 0],
    [600, 0],
    [0, 600],
    [600, 600],
  ] as const);
  const step = between(random, 48, 84);
  let out = "";
  for (let r = 780, i = 0; r > 60; r -= step, i++) {
    out += circle(
      corner[0],
      corner[1],
      r,
      inks[i % 3] ?? "",
      random() < 0.3 ? 'opacity=".55"' : "",
    );
  }
  return (
    out +
    circle(
      between(random, 200, 400),
      between(random, 200, 400),
      between(random, 30, 70),
      inks[0] ?? "",
    )
  );
}

/** Quarter circles in a grid. */
function tiles(random: () => number, inks: readonly string[]): string {
  const count = pick(random, [3, 4, 5]);
  const s = 600 / count;
  let out = "";
  for (let y = 0; y < count; y++) {
    for (let x = 0; x < count; x++) {
      const ink = pick(random, inks);
      const turn = between(random, 0, 3) * 90;
      const at = `transform="translate(${x * s} ${y * s}) rotate(${turn} ${s / 2} ${s / 2})"`;
      if (random() < 0.18) out += circle(x * s + s / 2, y * s + s / 2, s / 3, ink);
      else out += path(`M0 0H${s}A${s} ${s} 0 0 1 0 ${s}Z`, ink, at);
    }
  }
  return out;
}

/** Layered waves. */
function waves(random: () => number, inks: readonly string[]): string {
  const rows = between(random, 6, 10);
  const swing = between(random, 18, 60);
  const length = between(random, 100, 300);
  let out = "";
  for (let i = 0; i < rows; i++) {
    const y = (600 / rows) * (i + 0.4);
    const shift = -between(random, 0, length);
    let d = `M${shift} ${y}`;
    for (let x = shift, up = 1; x < 640; x += length, up = -up) {
      d += ` q${length / 2} ${-swing * up} ${length} 0`;
    }
    out += path(`${d} V620 H-320Z`, inks[i % 3] ?? "", `opacity="${i % 2 ? 0.85 : 1}"`);
  }
  return out;
}

/** Slanting stripes with a disc. */
function stripes(random: () => number, [a = "", b = "", c = ""]: readonly string[]): string {
  const angle = pick(random, [-55, -35, -20, 25, 40, 60]);
  let out = "";
  for (let x = -300, i = 0; x < 900; i++) {
    const width = between(random, 14, 74);
    out += `<rect x="${x}" y="-300" width="${width}" height="1200" fill="${i % 3 === 2 ? b : a}"/>`;
    x += width + between(random, 20, 80);
  }
  const [x, y] = [between(random, 200, 400), between(random, 200, 400)];
  return `<g transform="rotate(${angle} 300 300)">${out}</g>${circle(x, y, between(random, 90, 170), c)}`;
}

/** Rings and discs around a centre. */
function orbits(random: () => number, inks: readonly string[]): string {
  const [x, y] = [between(random, 230, 370), between(random, 230, 370)];
  let out = circle(x, y, between(random, 40, 80), inks[0] ?? "");
  for (let r = between(random, 110, 140); r < 420; r += between(random, 42, 78)) {
    const ink = pick(random, inks);
    const angle = random() * Math.PI * 2;
    out += circle(x, y, r, "none", `stroke="${ink}" stroke-width="${between(random, 3, 14)}"`);
    const [bx, by] = [Math.round(x + Math.cos(angle) * r), Math.round(y + Math.sin(angle) * r)];
    out += circle(bx, by, between(random, 12, 34), pick(random, inks));
  }
  return out;
}

/** A flower of overlapping petals. */
function petals(random: () => number, inks: readonly string[]): string {
  const count = between(random, 5, 11);
  const reach = between(random, 190, 270);
  const width = between(random, 60, 120);
  let out = "";
  for (let i = 0; i < count; i++) {
    const turn = (360 / count) * i;
    out += `<ellipse cx="300" cy="${300 - reach / 2}" rx="${width / 2}" ry="${reach / 2}" fill="${inks[i % 2]}" opacity=".82" transform="rotate(${turn} 300 300)"/>`;
  }
  return out + circle(300, 300, between(random, 30, 60), inks[2] ?? "");
}

/** Head and shoulders, without a face. */
function portrait(random: () => number, [a = "", b = "", c = ""]: readonly string[]): string {
  const x = between(random, 270, 330);
  const y = between(random, 220, 260);
  const hair = between(random, 118, 150);
  const backdrop = circle(
    between(random, 60, 540),
    between(random, 60, 300),
    between(random, 120, 240),
    c,
    'opacity=".5"',
  );
  return (
    backdrop +
    circle(x, y - between(random, 10, 46), hair, b) +
    path(
      `M${x - 200} 600 C${x - 190} 430 ${x - 90} 380 ${x} 380 S${x + 190} 430 ${x + 200} 600Z`,
      b,
    ) +
    circle(x, y + 18, 104, a) +
    path(`M${x - 44} 320 h88 v70 a44 44 0 0 1 -88 0Z`, a)
  );
}
