import { joinBytes } from "./bytes";

export type Outline = [x: number, y: number][];

/** How often a row of pixels is cut, so that edges come out smooth. */
const cuts = 4;

/** A picture of areas, each of one colour ("#rrggbb"). */
export class Raster {
  readonly #width: number;
  readonly #rows: Uint8Array[];

  constructor(width: number, height: number, ground: string) {
    this.#width = width;
    const paint = channels(ground);
    // A row begins with its filter: none.
    const row = Uint8Array.from({ length: 3 * width + 1 }, (_, at) => paint[(at + 2) % 3] ?? 0);
    row[0] = 0;
    this.#rows = Array.from({ length: height }, () => row.slice());
  }

  /** Fills what the outlines enclose; what runs the other way is a hole. */
  fill(outlines: Outline[], colour: string): void {
    const sides = outlines.flatMap((outline) =>
      outline.map((from, at) => ({ from, to: outline[(at + 1) % outline.length] ?? from })),
    );
    const [left, right] = ends(
      sides.map(({ from: [x] }) => x),
      this.#width,
    );
    const [top, bottom] = ends(
      sides.map(({ from: [, y] }) => y),
      this.#rows.length,
    );
    const paint = channels(colour);
    for (let y = top; y < bottom; y += 1) {
      const covered = new Float32Array(right);
      for (let cut = 0; cut < cuts; cut += 1) {
        cover(covered, crossings(sides, y + (cut + 0.5) / cuts));
      }
      const row = this.#rows[y] ?? covered;
      for (let x = left; x < right; x += 1) {
        const share = covered[x] ?? 0;
        if (share === 0) continue;
        for (let channel = 0; channel < 3; channel += 1) {
          const at = 3 * x + 1 + channel;
          const below = row[at] ?? 0;
          row[at] = Math.round(below + ((paint[channel] ?? 0) - below) * Math.min(1, share));
        }
      }
    }
  }

  async png(): Promise<Uint8Array> {
    const head = new Uint8Array(13);
    const fields = new DataView(head.buffer);
    fields.setUint32(0, this.#width);
    fields.setUint32(4, this.#rows.length);
    // Eight bits for each of three colours.
    head.set([8, 2], 8);
    const data = new Blob([joinBytes(this.#rows)])
      .stream()
      .pipeThrough(new CompressionStream("deflate"));
    return joinBytes([
      Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a),
      chunk("IHDR", head),
      chunk("IDAT", new Uint8Array(await new Response(data).arrayBuffer())),
      chunk("IEND", new Uint8Array()),
    ]);
  }
}

/** Between which pixels these places are. */
function ends(places: number[], most: number): [from: number, to: number] {
  return [
    Math.max(0, Math.floor(Math.min(...places))),
    Math.min(most, Math.ceil(Math.max(...places)) + 1),
  ];
}

/** Where a line across the picture enters an outline (1) or leaves it (-1). */
function crossings(sides: { from: Outline[0]; to: Outline[0] }[], y: number): [number, number][] {
  const found: [number, number][] = [];
  for (const { from, to } of sides) {
    if (from[1] <= y === to[1] <= y) continue;
    const x = from[0] + ((y - from[1]) / (to[1] - from[1])) * (to[0] - from[0]);
    found.push([x, from[1] <= y ? 1 : -1]);
  }
  return found.sort((one, other) => one[0] - other[0]);
}

function cover(covered: Float32Array, found: [number, number][]): void {
  let within = 0;
  for (const [place, [from, turn]] of found.entries()) {
    within += turn;
    const to = found[place + 1]?.[0] ?? from;
    if (within === 0) continue;
    for (let x = Math.max(0, Math.floor(from)); x < Math.min(covered.length, to); x += 1) {
      covered[x] = (covered[x] ?? 0) + (Math.min(to, x + 1) - Math.max(from, x)) / cuts;
    }
  }
}

function channels(colour: string): number[] {
  return [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
}

function chunk(name: string, data: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(data.length + 12);
  const fields = new DataView(bytes.buffer);
  fields.setUint32(0, data.length);
  bytes.set(new TextEncoder().encode(name), 4);
  bytes.set(data, 8);
  fields.setUint32(data.length + 8, checksum(bytes.subarray(4, -4)));
  return bytes;
}

/** CRC-32. */
function checksum(bytes: Uint8Array): number {
  let sum = -1;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit += 1) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0);
  }
  return ~sum >>> 0;
}
