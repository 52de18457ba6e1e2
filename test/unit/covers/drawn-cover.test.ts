import { createHash } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { coverSvg } from "~/covers/drawing";
import { coverPath, drawCover, isCoverHash } from "~/covers/drawn-cover";
import { toBase64Url } from "~/platform/base64";

const digest = fc.uint8Array({ minLength: 32, maxLength: 32 });
const hash = digest.map(toBase64Url);
const svgOf = (text: string) => coverSvg(drawCover(text));

test("a drawn cover is the same for the same hash, however that is written", () => {
  fc.assert(
    fc.property(digest, (bytes) => {
      const digits = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
      expect(svgOf(digits)).toBe(svgOf(toBase64Url(bytes)));
      expect(svgOf(digits)).toBe(svgOf(digits));
    }),
  );
});

test("a drawn cover differs from one hash to the next", () => {
  const hashes = Array.from({ length: 2000 }, (_, number) =>
    createHash("sha256").update(String(number)).digest("base64url"),
  );
  expect(new Set(hashes.map(svgOf)).size).toBe(hashes.length);
});

test("a drawn cover is small, and made of nothing but paths with colours and numbers", () => {
  const path =
    /^<path (?:fill="#[0-9a-f]{6}"|stroke="#[0-9a-f]{6}" stroke-width="\d+(?:\.\d)?"(?: stroke-linecap="round")?) d="[MLAHhvz\d .-]*"\/>$/;
  fc.assert(
    fc.property(hash, (text) => {
      const svg = svgOf(text);
      expect(svg.length).toBeLessThan(1536);
      const [, inside = ""] =
        /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" width="640" height="640" viewBox="0 0 640 640">(.*)<\/g><\/svg>$/.exec(
          svg,
        ) ?? [];
      const paths = inside.replace('<g fill="none">', "").split(/(?<=\/>)/);
      expect(paths.length).toBeGreaterThan(2);
      expect(paths.filter((one) => !path.test(one))).toEqual([]);
    }),
    { numRuns: 1000 },
  );
});

test("a drawn cover has shapes that stand out from its ground, and from a light and a dark page", () => {
  fc.assert(
    fc.property(hash, (text) => {
      const { ground, strokes } = drawCover(text);
      const colours = strokes.filter(({ parts }) => parts.length > 0).map((one) => one.colour);
      const most = (other: string) =>
        Math.max(...[ground, ...colours].map((colour) => contrast(colour, other)));
      expect(most(ground)).toBeGreaterThan(4.5);
      expect(most("#f7f6f3")).toBeGreaterThan(4.5);
      expect(most("#131317")).toBeGreaterThan(4.5);
    }),
    { numRuns: 1000 },
  );
});

test("a drawn cover has no arc near half a circle, which a little rounding would move", () => {
  const arc = /(?:([\d.]+) ([\d.]+))(?=A([\d.]+) \3 0 0 1 ([\d.]+) ([\d.]+))/g;
  fc.assert(
    fc.property(hash, (text) => {
      for (const [, ...numbers] of svgOf(text).matchAll(arc)) {
        const [x = 0, y = 0, radius = 0, toX = 0, toY = 0] = numbers.map(Number);
        expect(Math.hypot(toX - x, toY - y) / radius).toBeLessThan(1.92);
      }
    }),
  );
});

test("a drawn cover lies within its square, but for what the ends of a stroke may cut", () => {
  fc.assert(
    fc.property(hash, (text) => {
      const numbers = svgOf(text).match(/(?<= d="[^"]*)-?\d+(?:\.\d)?/g) ?? [];
      expect(numbers.map(Number).filter((number) => number < 0 || number > 640)).toEqual([]);
    }),
  );
});

test("an address of a cover holds a SHA-256 as base64url or as hexadecimal digits", () => {
  fc.assert(fc.property(hash, (text) => isCoverHash(text)));
  expect(isCoverHash("0a".repeat(32))).toBe(true);
  expect(coverPath("a".repeat(43))).toBe(`/covers/${"a".repeat(43)}.svg`);
});

test.each([
  "",
  "a".repeat(42),
  "a".repeat(44),
  `${"a".repeat(42)}+`,
  `${"a".repeat(43)}\n`,
  "0A".repeat(32),
  "0g".repeat(32),
  "0a".repeat(31),
])("an address of a cover holds nothing else: %j", (text) => {
  expect(isCoverHash(text)).toBe(false);
});

/** The contrast of two colours as WCAG 2.2 counts it. */
function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
