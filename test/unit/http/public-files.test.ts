import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

function read(name: string): Buffer {
  return readFileSync(new URL(`../../../public/${name}`, import.meta.url));
}

/** The width and height in a PNG's header. */
function pngSize(png: Buffer): string {
  expect(png.toString("latin1", 1, 4)).toBe("PNG");
  return `${png.readUInt32BE(16)}x${png.readUInt32BE(20)}`;
}

const manifest = JSON.parse(read("site.webmanifest").toString()) as Record<string, string> & {
  icons: { src: string; sizes: string; type: string; purpose?: string }[];
};

test.each(manifest.icons.filter(({ type }) => type === "image/png"))(
  "the manifest's $src has the declared size",
  ({ src, sizes }) => {
    expect(pngSize(read(src))).toBe(sizes);
  },
);

test("the manifest has everything needed to install the app", () => {
  expect(manifest).toMatchObject({ name: "Fivefold", short_name: "Fivefold", start_url: "/" });
  const sizes = manifest.icons.map(({ sizes, purpose }) => `${sizes} ${purpose ?? "any"}`);
  expect(sizes).toEqual(expect.arrayContaining(["192x192 any", "512x512 any", "512x512 maskable"]));
});

test.each([
  ["apple-touch-icon.png", "180x180", 8_000],
  ["social.png", "1200x630", 60_000],
])("%s is %s, and its file is not too large", (name, size, most) => {
  expect(pngSize(read(name))).toBe(size);
  expect(read(name).byteLength).toBeLessThan(most);
});

test("the tune of the dare lasts as long as its rule says, and begins at once", () => {
  const tune = read("try.wav");
  expect(tune.toString("latin1", 0, 4) + tune.toString("latin1", 8, 12)).toBe("RIFFWAVE");
  const header = [20, 22, 34].map((at) => tune.readUInt16LE(at));
  expect(header).toEqual([1, 1, 16]);
  expect([tune.readUInt32LE(4) + 8, tune.readUInt32LE(40) + 44]).toEqual([480_044, 480_044]);
  expect(tune.byteLength / tune.readUInt32LE(28)).toBeCloseTo(20, 2);
});

test("favicon.ico has one image of 32 by 32 pixels, at the declared offset", () => {
  const icon = read("favicon.ico");
  expect([...icon.subarray(0, 8)]).toEqual([0, 0, 1, 0, 1, 0, 32, 32]);
  const begin = icon.readUInt32LE(18);
  expect(icon.readUInt32LE(14)).toBe(icon.byteLength - begin);
  expect(pngSize(icon.subarray(begin))).toBe("32x32");
});
