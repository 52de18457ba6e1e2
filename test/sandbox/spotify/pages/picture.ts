/** i.scdn.co: abstract pictures, different for each id but always the same. */
import { Hono } from "hono";
import { encode } from "jpeg-js";
import { randomFrom } from "../../catalogue.ts";

/** A background colour, then three colours that go with it. */
const PALETTES = [
  [0x10243f, 0xf2b134, 0xed553b, 0xf6e7cb],
  [0xf4efe6, 0x22577a, 0x38a3a5, 0xef8354],
  [0x2b193d, 0xff6f91, 0xffc75f, 0x845ec2],
  [0x0b3d3a, 0xb8e0c8, 0xf7c59f, 0xef476f],
  [0xfbe8d3, 0xd1495b, 0x00798c, 0x30343f],
];

/** Which colour of the palette is at a point; both coordinates run from 0 to 600. */
type Design = (x: number, y: number) => number;

/** How strong the grain is, in steps of brightness: it makes pictures weigh what photographs do. */
const GRAIN = 22;

const drawn = new Map<string, Buffer>();

export function imageRoutes(): Hono {
  const app = new Hono();
  app.get("/:id", (c) => {
    const name = c.req.param("id");
    const [, kind, id = "", size] =
      /^(album|artist|user|playlist)-([\w-]+)-(\d{2,3})$/.exec(name) ?? [];
    if (!kind) return c.notFound();
    const picture = drawn.get(name) ?? drawPicture(kind, id, Number(size));
    drawn.set(name, picture);
    return c.body(new Uint8Array(picture), 200, {
      "Content-Type": "image/jpeg",
      "Cache-Control": "public, max-age=31536000, immutable",
      "Access-Control-Allow-Origin": "*",
      "Cross-Origin-Resource-Policy": "cross-origin",
    });
  });
  return app;
}

/** A square JPEG that weighs what Spotify's covers do. */
function drawPicture(kind: string, id: string, size: number): Buffer {
  const quality = size >= 500 ? 78 : size >= 200 ? 66 : 55;
  return encode({ data: pixelsOf(kind, id, size), width: size, height: size }, quality).data;
}

export function pixelsOf(kind: string, id: string, size: number): Buffer {
  const random = randomFrom(`image ${kind} ${id}`);
  const palette = PALETTES[Math.floor(random() * PALETTES.length)] ?? [];
  const design = waves(random);
  // A small shift of the colours distinguishes two pictures with the same palette and design.
  const shift = [0, 1, 2].map(() => between(random, -22, 22));
  const data = Buffer.alloc(size * size * 4, 255);
  let noise = between(random, 1, 1e6);
  for (let at = 0, pixel = 0; at < data.length; at += 4, pixel++) {
    const [x, y] = [((pixel % size) * 600) / size, (Math.floor(pixel / size) * 600) / size];
    const colour = palette[design(x, y)] ?? 0;
    noise = (Math.imul(noise, 1_664_525) + 1_013_904_223) | 0;
    const light = ((noise >>> 16) / 65_536 - 0.5) * GRAIN - (y - 300) / 24;
    for (const [channel, bits] of [16, 8, 0].entries()) {
      const value = ((colour >> bits) & 255) + (shift[channel] ?? 0) + light;
      data[at + channel] = Math.max(0, Math.min(255, value));
    }
  }
  return data;
}

function between(random: () => number, low: number, high: number): number {
  return Math.round(low + random() * (high - low));
}

function waves(random: () => number): Design {
  const height = 600 / between(random, 6, 10);
  const [swing, length] = [between(random, 10, 40), between(random, 30, 110)];
  return (x, y) => Math.floor((y + 60 + swing * Math.sin(x / length)) / height) % 4;
}
