import fc from "fast-check";
import { expect, test } from "vitest";
import type { Score } from "~/exchange/rating/scale";
import { pictureSvg } from "~/routes/ratings-of-my-songs_.$songId/picture-svg";

const cover = { url: "data:image/png;base64,AAAA", width: 640, height: 640 };
const fives = [{ scores: [1, 2, 3, 3, 4] as Score[], hidden: 0 }];
const plain = {
  title: "Midnight Ferry",
  artists: ["The Lanterns", "Ada"],
  spotifyUrl: "https://open.spotify.com/track/t1" as string | null,
  tint: 5,
  picture: { said: "3 of 5 liked it.", note: null as string | null, fives },
};

/** Every letter is half as wide as it is high. */
function draw(
  changes: Partial<typeof plain> = {},
  means: { cover: typeof cover | null } = { cover },
) {
  const measure = (text: string, font: string) =>
    0.5 * [...text].length * Number(/([\d.]+)px/.exec(font)?.[1]);
  const voiceUrl = "data:font/woff2;base64,AAAA";
  return pictureSvg({ ...plain, ...changes }, { ...means, voiceUrl, measure });
}

/** All that a picture says, line by line. */
function lines(svg: string): string[] {
  const written = [...svg.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(([, text = ""]) => text);
  return written.map((text) => text.replaceAll("&lt;", "<").replaceAll("&amp;", "&"));
}

function count(svg: string, piece: string): number {
  return svg.split(piece).length - 1;
}

test("a picture says song, artists, result and where they are from, and nothing else", () => {
  expect(lines(draw()).join(" ")).toBe(
    "Midnight Ferry The Lanterns, Ada 3 of 5 liked it. Fivefold Spotify",
  );
  const picture = {
    said: "All five are in.",
    note: "Two are shown here.",
    fives: [{ scores: [1, 4] as Score[], hidden: 3 }],
  };
  expect(lines(draw({ spotifyUrl: null, picture })).join(" ")).toBe(
    "Midnight Ferry The Lanterns, Ada All five are in. Two are shown here. Fivefold",
  );
});

test("a picture loads nothing, so that it can be drawn", () => {
  const addresses = [...draw().matchAll(/(?:href="|url\()([^)"]*)/g)].map(([, to = ""]) => to);
  expect(addresses.map((to) => to.slice(0, 5)).sort()).toEqual(["#corn", "data:", "data:"]);
});

test("the marks of a five go from worst to best, and what is not shown is a bare stroke", () => {
  const circles = (svg: string) =>
    [...svg.matchAll(/translate\((\d+) 22\)"><circle r="16"( fill)?/g)].map(
      ([, x, full]) => `${x}${full ? " full" : ""}`,
    );
  expect(circles(draw())).toEqual(["36", "102", "168 full", "234 full", "300 full"]);
  const mixed = { ...plain.picture, fives: [{ scores: [4, 1] as Score[], hidden: 3 }] };
  const svg = draw({ picture: mixed });
  expect(circles(svg)).toEqual(["234", "300 full"]);
  expect([count(svg, " 8V174"), count(svg, " 38V174")]).toEqual([3, 1]);
});

test("up to four fives are drawn, two side by side, none larger than its place", () => {
  for (let drawn = 1; drawn <= 4; drawn += 1) {
    const svg = draw({ picture: { ...plain.picture, fives: Array(drawn).fill(fives[0]) } });
    const places = [
      ...svg.matchAll(/translate\(([\d.]+) ([\d.]+)\) scale\(([\d.]+)\)" stroke-width="4/g),
    ];
    expect(places).toHaveLength(drawn);
    expect(new Set(places.map(([, x]) => x)).size).toBe(drawn > 1 ? 2 : 1);
    for (const place of places) {
      const [x = 0, y = 0, scale = 0] = place.slice(1).map(Number);
      expect([x >= 84, x + 322 * scale < 996.1, y > 650, y + 184 * scale < 1610]).not.toContain(
        false,
      );
    }
  }
});

const box = /<(rect|image) x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)"/g;
const boxes = (svg: string) =>
  [...svg.matchAll(box)].map(([, name, ...at]) => [name, ...at.map(Number)]);

test("a cover is shown whole, whatever its form, with round corners", () => {
  expect(boxes(draw())).toEqual([
    ["rect", 84, 250, 400, 400],
    ["image", 84, 250, 400, 400],
  ]);
  const wide = draw({}, { cover: { ...cover, width: 1000, height: 500 } });
  expect(boxes(wide)[1]).toEqual(["image", 84, 450, 400, 200]);
  const high = draw({}, { cover: { ...cover, width: 200, height: 800 } });
  expect(boxes(high)[1]).toEqual(["image", 84, 250, 100, 400]);
});

test("a cover that cannot be had leaves its colour", () => {
  const svg = draw({}, { cover: null });
  expect(boxes(svg)).toEqual([["rect", 84, 250, 400, 400]]);
  expect(svg).not.toContain("<image");
});

test("a title that is long is written smaller, and then cut, beside the cover", () => {
  const anything = fc.string({ unit: "grapheme", minLength: 1, maxLength: 400 });
  fc.assert(
    fc.property(anything, (title) => {
      const svg = draw({ title });
      const places = [...svg.matchAll(/<text x="528" y="([\d.]+)"/g)].map(([, y]) => Number(y));
      expect(places.length).toBeLessThanOrEqual(6);
      for (const y of places) expect([y > 250, y < 650]).not.toContain(false);
    }),
  );
  expect(lines(draw({ title: "Long ".repeat(60) }))[3]).toMatch(/…$/);
});

test("a title is text, whatever is in it, and leaves out what XML cannot have", () => {
  const shown = draw({ title: `</text><&"'\u0007\ud800` });
  expect(lines(shown)[0]).toBe(`</text><&"'`);
  const unit = fc.nat(0xffff).map((code) => String.fromCharCode(code));
  const binary = fc.string({ unit, maxLength: 40 });
  fc.assert(
    fc.property(binary, binary, (title, artist) => {
      const svg = draw({ title, artists: [artist] });
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
      expect(svg).not.toMatch(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/);
      expect(() => encodeURIComponent(svg)).not.toThrow();
      expect(count(svg, "<text")).toBe(lines(svg).length);
    }),
  );
});

test("a title that is written from the right starts at the left all the same", () => {
  const rightToLeft = 'font-size="62" direction="rtl" text-anchor="end"';
  expect(draw({ title: "12 אהבה" })).toContain(rightToLeft);
  expect(draw({ title: "Love אהבה" })).not.toContain(rightToLeft);
});
