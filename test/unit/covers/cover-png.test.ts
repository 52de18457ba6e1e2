import { crc32, inflateSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { coverPng } from "~/covers/cover-png";
import type { Stroke } from "~/covers/drawing";
import { drawCover } from "~/covers/drawn-cover";

const black = [0, 0, 0];
const white = [255, 255, 255];
const size = 192;

/** Reads a PNG of eight bits a colour whose rows have no filter. Fails where a checksum is wrong. */
function decode(png: Uint8Array) {
  expect([...png.slice(0, 8)]).toEqual([137, 80, 78, 71, 13, 10, 26, 10]);
  const view = new DataView(png.buffer);
  const chunks = new Map<string, Uint8Array>();
  for (let at = 8; at < png.length; ) {
    const length = view.getUint32(at);
    const named = png.slice(at + 4, at + 8 + length);
    expect(view.getUint32(at + 8 + length)).toBe(crc32(named));
    chunks.set(String.fromCharCode(...named.slice(0, 4)), named.slice(4));
    at += 12 + length;
  }
  expect([...chunks.keys()]).toEqual(["IHDR", "IDAT", "IEND"]);
  expect([...(chunks.get("IHDR") ?? [])]).toEqual([0, 0, 0, size, 0, 0, 0, size, 8, 2, 0, 0, 0]);
  const rows = inflateSync(chunks.get("IDAT") ?? new Uint8Array());
  expect(rows.length).toBe(size * (1 + 3 * size));
  /** At a place of the drawing. */
  return (x: number, y: number) => {
    const [column, row] = [x, y].map((place) => Math.floor((place * size) / 640)) as [
      number,
      number,
    ];
    const at = row * (1 + 3 * size) + 1 + 3 * column;
    return [...rows.subarray(at, at + 3)];
  };
}

async function pixelsOf(stroke: Omit<Stroke, "colour">) {
  return decode(await coverPng({ ground: "#ffffff", strokes: [{ colour: "#000000", ...stroke }] }));
}

describe("a cover as PNG", () => {
  test("is read by whoever reads PNG, has the cover's ground, and is below 20 KB", async () => {
    for (let number = 0; number < 60; number += 1) {
      const drawing = drawCover(number.toString(16).padStart(8, "0").repeat(8));
      const png = await coverPng(drawing);
      const pixelAt = decode(png);
      const ground = [1, 3, 5].map((at) => Number.parseInt(drawing.ground.slice(at, at + 2), 16));
      for (const corner of [0, 639]) expect(pixelAt(corner, 0)).toEqual(ground);
      expect(png.length).toBeLessThan(20_000);
    }
  });

  test("shows a disc", async () => {
    const point: [number, number] = [200, 300];
    const pixelAt = await pixelsOf({
      width: 100,
      cap: "round",
      parts: [{ from: point, to: point }],
    });
    expect([pixelAt(200, 300), pixelAt(240, 300), pixelAt(200, 345)]).toEqual(Array(3).fill(black));
    expect([pixelAt(255, 300), pixelAt(240, 340), pixelAt(200, 244)]).toEqual(Array(3).fill(white));
  });

  test("shows a line with round ends", async () => {
    const line = { from: [100, 100], to: [300, 300] } as {
      from: [number, number];
      to: [number, number];
    };
    const pixelAt = await pixelsOf({ width: 40, cap: "round", parts: [line] });
    expect([pixelAt(200, 200), pixelAt(90, 90), pixelAt(300, 312)]).toEqual(Array(3).fill(black));
    expect([pixelAt(200, 240), pixelAt(80, 80), pixelAt(320, 320)]).toEqual(Array(3).fill(white));
  });

  test.each([
    { sweep: 90, filled: [45], empty: [135, 225, 315] },
    { sweep: 180, filled: [45, 135], empty: [225, 315] },
    { sweep: 260, filled: [45, 135, 225], empty: [315] },
  ])("shows an arc of $sweep degrees", async ({ sweep, filled, empty }) => {
    for (const cap of ["butt", "round"] as const) {
      const pixelAt = await pixelsOf({ width: 60, cap, parts: [{ radius: 200, start: 0, sweep }] });
      const at = (radius: number, angle: number) => {
        const turn = (angle * Math.PI) / 180;
        return pixelAt(320 + radius * Math.sin(turn), 320 - radius * Math.cos(turn));
      };
      for (const angle of filled) {
        expect([at(200, angle), at(160, angle), at(240, angle)]).toEqual([black, white, white]);
      }
      for (const angle of empty) expect(at(200, angle)).toEqual(white);
      expect(at(200, -4)).toEqual(cap === "round" ? black : white);
    }
  });

  test("mixes the colours at an edge", async () => {
    const point: [number, number] = [320, 320];
    const pixelAt = await pixelsOf({
      width: 400,
      cap: "round",
      parts: [{ from: point, to: point }],
    });
    const shades = new Set(Array.from({ length: 640 }, (_, x) => pixelAt(x, 200)[0]));
    expect([...shades].filter((shade) => shade !== 0 && shade !== 255)).not.toEqual([]);
  });
});
