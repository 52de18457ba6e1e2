import fc from "fast-check";
import { expect, test } from "vitest";
import { type Draw, drawPackage, thirdForVisit } from "~/exchange/pool/draw";
import { eligibleSongs, type PoolSong } from "~/exchange/pool/ratable";
import { tierConfigs } from "~/members/tiers";

const { free, premium } = tierConfigs;
/** Songs named by their position, counted from 1 as rule 9, slides does. */
function positions(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 1);
}

function range(first: number, last: number): number[] {
  return positions(last).slice(first - 1);
}

function sorted(songs: number[]): number[] {
  return songs.toSorted((a, b) => a - b);
}

/** A random source that repeats these numbers. */
function sourceOf(numbers: number[]): () => number {
  let at = 0;
  return () => numbers[at++ % numbers.length] ?? 0;
}

/** The songs that a package may begin with: it is drawn from them, with the same chance for each. */
function drawnFrom(count: number, draw: Draw): number[] {
  const fine = 2 * count;
  const firsts = positions(fine).flatMap((step) =>
    drawPackage(positions(count), draw, () => (step - 0.5) / fine).slice(0, 1),
  );
  return sorted([...new Set(firsts)]);
}

const numbers = fc.array(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), {
  minLength: 1,
  maxLength: 10,
});
const place = fc.record({
  visit: fc.integer({ min: 1, max: 3 }),
  slide: fc.integer({ min: 1, max: 3 }),
});
const viewer = { userId: "owner-0", displayName: "Artist 0", ownArtists: { "id-1": "Artist 1" } };
const credited = fc.record({ artist: fc.nat(20), hasId: fc.boolean() });
// Few owners, tracks and artists, so that they meet.
const pool = fc.uniqueArray(
  fc
    .record({
      songId: fc.nat(400).map((n) => `song-${n}`),
      ownerId: fc.nat(40).map((n) => `owner-${n}`),
      recording: fc.nat(60).map((n) => `recording-${n}`),
      isFull: fc.boolean(),
      credits: fc.array(credited, { minLength: 1, maxLength: 2 }),
    })
    .map(({ credits, ...song }) => ({
      ...song,
      artists: credits.map(({ artist }) => `Artist ${artist}`),
      artistIds: credits.map(({ artist, hasId }) => (hasId ? `id-${artist}` : null)),
    })),
  { selector: (song) => song.songId, maxLength: 150 },
);

/** Artist 0 by the name, as their id is unknown; artist 1 by the id alone. */
function creditsViewer({ artists, artistIds }: PoolSong): boolean {
  return artists.includes("Artist 0") || artistIds.includes("id-1");
}

test("eligible songs are never the viewer's own, never ones that credit them or have had their ratings from there, no recording twice, at most two per uploader", () => {
  fc.assert(
    fc.property(pool, (songs) => {
      const eligible = eligibleSongs(songs, viewer);
      expect(eligible.filter(creditsViewer)).toEqual([]);
      expect(eligible.filter((song) => song.ownerId === "owner-0" || song.isFull)).toEqual([]);
      expect(new Set(eligible.map((song) => song.recording)).size).toBe(eligible.length);
      for (const { ownerId } of eligible) {
        const shown = eligible.filter((song) => song.ownerId === ownerId);
        expect(shown.length).toBeLessThanOrEqual(2);
      }
    }),
  );
});

test("eligible songs keep the pool's order, and nothing is dropped without a reason", () => {
  fc.assert(
    fc.property(pool, (songs) => {
      const eligible = eligibleSongs(songs, viewer);
      expect(songs.filter((song) => eligible.includes(song))).toEqual(eligible);
      for (const dropped of songs.filter((song) => !eligible.includes(song))) {
        const before = eligible.filter((song) => songs.indexOf(song) < songs.indexOf(dropped));
        const reasons = [
          dropped.ownerId === "owner-0",
          creditsViewer(dropped),
          dropped.isFull,
          before.some((song) => song.recording === dropped.recording),
          before.filter((song) => song.ownerId === dropped.ownerId).length === 2,
        ];
        expect(reasons).toContain(true);
      }
    }),
  );
});

/** The songs of these that the viewer may be shown, named by their place. */
function eligibleOf(all: Partial<PoolSong>[]): string[] {
  const songs = all.map((song, place) => ({
    ...{ songId: `${place}`, ownerId: "prolific", recording: `${place}`, artistIds: [] },
    ...{ artists: ["Somebody"], isFull: false, ...song },
  }));
  return eligibleSongs(songs, viewer).map(({ songId }) => songId);
}

test.each<[string, Partial<PoolSong>[], string[]]>([
  [
    "of one recording the first one",
    [
      { ownerId: "b", recording: "same" },
      { ownerId: "c", recording: "same" },
    ],
    ["0"],
  ],
  ["of one uploader the first two", [{}, {}, {}, {}], ["0", "1"]],
  [
    "none that credits the viewer, which takes no other song's place",
    [{ artists: ["Artist 0"] }, {}, {}, {}],
    ["1", "2"],
  ],
])("eligible are %s", (_name, songs, eligible) => {
  expect(eligibleOf(songs)).toEqual(eligible);
});

test.each([
  [0, [[], [], []]],
  [1, [[1], [1], [1]]],
  [20, Array(3).fill(range(1, 20))],
  [21, [range(1, 7), range(8, 14), range(15, 21)]],
  [59, [range(1, 19), range(20, 39), range(40, 59)]],
  [60, [range(1, 20), range(41, 60), range(21, 40)]],
  [61, [range(1, 20), range(41, 61), range(21, 40)]],
  [150, [range(1, 50), range(101, 150), range(51, 100)]],
])("the slice of %j songs is the right one on each visit", (count, visits) => {
  const slices = [1, 2, 3].map((visit) => thirdForVisit(positions(count), visit));
  expect(slices).toEqual(visits);
});

test("the slice of more than 20 songs shows every song on exactly one of three visits", () => {
  fc.assert(
    fc.property(fc.integer({ min: 21, max: 150 }), (count) => {
      const slices = [1, 2, 3].flatMap((visit) => thirdForVisit(positions(count), visit));
      expect(sorted(slices)).toEqual(positions(count));
    }),
  );
});

test.each([
  [1, 1, 20, range(1, 20)],
  [1, 2, 20, range(11, 19)],
  [1, 3, 20, range(10, 14)],
  [1, 2, 19, range(1, 19)],
  [1, 3, 19, range(1, 19)],
  [1, 2, 12, range(1, 12)],
  [1, 3, 10, range(1, 10)],
  [1, 2, 0, []],
  // Places within the visit's slice, not within all songs.
  [2, 2, 150, range(111, 119)],
  [2, 3, 60, range(50, 54)],
  // A slice of fewer than twenty has no places.
  [3, 2, 45, range(31, 45)],
  [2, 3, 58, range(20, 38)],
])("what a premium package of visit %j is drawn from on slide %j of %j songs", (...row) => {
  const [visit, slide, count, from] = row;
  expect(drawnFrom(count, { visit, slide, ...premium })).toEqual(from);
});

test("where the visit's slice has fewer than two packages, all songs are drawn from", () => {
  for (const slide of [1, 2, 3]) {
    expect(drawnFrom(29, { visit: 1, slide, ...free })).toEqual(positions(29));
    expect(drawnFrom(30, { visit: 1, slide, ...free })).toEqual(range(1, 10));
    expect(drawnFrom(23, { visit: 1, slide, ...premium })).toEqual(positions(23));
    expect(drawnFrom(24, { visit: 1, slide, ...premium })).toEqual(range(1, 8));
  }
});

test("in every pool and on every visit and slide, one of the six newest songs comes in one package of two at most, and no package is short", () => {
  for (const config of [free, premium]) {
    const { packageSize: size } = config;
    for (const count of positions(150)) {
      for (const visit of [1, 2, 3]) {
        for (const slide of [1, 2, 3]) {
          const draw = { visit, slide, ...config };
          const from = drawnFrom(count, draw);
          const about = { tier: config.tier, count, visit, slide };
          const drawn = drawPackage(positions(count), draw, () => 0.5);
          expect({ ...about, drawn: drawn.length }).toEqual({
            ...about,
            drawn: Math.min(size, count),
          });
          if (count < 2 * size) continue;
          const newest = range(count - 5, count).filter((song) => from.includes(song));
          const isLikely = newest.length > 0 && size / from.length > 1 / 2;
          expect({ ...about, isLikely }).toEqual({ ...about, isLikely: false });
        }
      }
    }
  }
});

test("a package for free comes from the whole slice on every slide", () => {
  for (const slide of [1, 2, 3]) {
    expect(drawnFrom(20, { visit: 1, slide, ...free })).toEqual(positions(20));
  }
});

test("a package is 5 songs for free and 4 for premium, or fewer if there are fewer", () => {
  const start = { visit: 1, slide: 1 };
  for (const [config, size] of [
    [free, 5],
    [premium, 4],
  ] as const) {
    expect(drawPackage(positions(150), { ...start, ...config }, Math.random)).toHaveLength(size);
    expect(drawPackage(positions(3), { ...start, ...config }, Math.random)).toHaveLength(3);
    expect(drawPackage([], { ...start, ...config }, Math.random)).toEqual([]);
  }
});

test("a package has no song twice, and of thirty songs or more only songs of the visit's slice", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 150 }),
      place,
      fc.constantFrom(free, premium),
      numbers,
      (count, where, config, source) => {
        const songs = positions(count);
        const drawn = drawPackage(songs, { ...where, ...config }, sourceOf(source));
        expect(new Set(drawn).size).toBe(drawn.length);
        expect(drawn.length).toBeLessThanOrEqual(config.packageSize);
        expect(drawn.length > 0).toBe(count > 0);
        const slice = count < 30 ? songs : thirdForVisit(songs, where.visit);
        expect(drawn.filter((song) => !slice.includes(song))).toEqual([]);
      },
    ),
  );
});

test("a package depends only on its arguments, and does not change the songs", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 150 }), place, numbers, (count, where, source) => {
      const songs = Object.freeze(positions(count)) as number[];
      const draw = () => drawPackage(songs, { ...where, ...free }, sourceOf(source));
      expect(draw()).toEqual(draw());
    }),
  );
});

test("a package gives every song of the slice the same chance", () => {
  const firsts = positions(20).map((song) => {
    const source = sourceOf([(song - 0.5) / 20]);
    return drawPackage(positions(20), { visit: 1, slide: 1, ...free }, source)[0];
  });
  expect(firsts).toEqual(positions(20));
});
