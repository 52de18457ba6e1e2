import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Draw, drawPackage, thirdForVisit } from "~/exchange/pool/draw";
import { eligibleSongs, type PoolSong } from "~/exchange/pool/ratable";
import { tierConfigs } from "~/members/tiers";

const { free, premium } = tierConfigs;
/** Songs named by their position, counted from 1 as rule 9 does. */
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
const nobody = { userId: "viewer", displayName: "", ownArtists: {} };
const viewer = { userId: "owner-0", displayName: "Artist 0", ownArtists: { "id-1": "Artist 1" } };
const credited = fc.record({ artist: fc.nat(20), hasId: fc.boolean() });
// Few owners, tracks and artists, so that they meet.
const pool = fc.uniqueArray(
  fc
    .record({
      songId: fc.nat(400).map((n) => `song-${n}`),
      ownerId: fc.nat(40).map((n) => `owner-${n}`),
      recording: fc.nat(60).map((n) => `recording-${n}`),
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

describe("eligible songs", () => {
  test("are never the viewer's own or ones that credit them, no recording twice, at most two per uploader", () => {
    fc.assert(
      fc.property(pool, (songs) => {
        const eligible = eligibleSongs(songs, viewer);
        expect(eligible.filter(creditsViewer)).toEqual([]);
        expect(eligible.filter((song) => song.ownerId === "owner-0")).toEqual([]);
        expect(new Set(eligible.map((song) => song.recording)).size).toBe(eligible.length);
        for (const { ownerId } of eligible) {
          const shown = eligible.filter((song) => song.ownerId === ownerId);
          expect(shown.length).toBeLessThanOrEqual(2);
        }
      }),
    );
  });

  test("keep the pool's order, and nothing is dropped without a reason", () => {
    fc.assert(
      fc.property(pool, (songs) => {
        const eligible = eligibleSongs(songs, viewer);
        expect(songs.filter((song) => eligible.includes(song))).toEqual(eligible);
        for (const dropped of songs.filter((song) => !eligible.includes(song))) {
          const before = eligible.filter((song) => songs.indexOf(song) < songs.indexOf(dropped));
          const reasons = [
            dropped.ownerId === "owner-0",
            creditsViewer(dropped),
            before.some((song) => song.recording === dropped.recording),
            before.filter((song) => song.ownerId === dropped.ownerId).length === 2,
          ];
          expect(reasons).toContain(true);
        }
      }),
    );
  });

  test("of one recording is the first one's", () => {
    const songs: PoolSong[] = [
      { songId: "first", ownerId: "b", recording: "same", artists: [], artistIds: [] },
      { songId: "second", ownerId: "c", recording: "same", artists: [], artistIds: [] },
    ];
    const eligible = eligibleSongs(songs, nobody);
    expect(eligible.map((song) => song.songId)).toEqual(["first"]);
  });

  test("of one uploader are the first two", () => {
    const songs = ["first", "second", "third", "fourth"].map((songId) => {
      return { songId, ownerId: "prolific", recording: songId, artists: [], artistIds: [] };
    });
    const eligible = eligibleSongs(songs, nobody);
    expect(eligible.map((song) => song.songId)).toEqual(["first", "second"]);
  });
});

test("songs that credit the viewer take no other song's place", () => {
  const songs = ["first", "second", "third", "fourth"].map((songId) => {
    const artists = [songId === "first" ? "Artist 0" : "Somebody"];
    return { songId, ownerId: "prolific", recording: songId, artists, artistIds: [] };
  });
  const eligible = eligibleSongs(songs, viewer);
  expect(eligible.map((song) => song.songId)).toEqual(["second", "third"]);
});

describe("the slice", () => {
  const all = [1, 2, 3];
  test.each([
    { count: 0, visits: all.map(() => [] as number[]) },
    { count: 1, visits: all.map(() => [1]) },
    { count: 20, visits: all.map(() => range(1, 20)) },
    { count: 21, visits: [range(1, 7), range(8, 14), range(15, 21)] },
    { count: 59, visits: [range(1, 19), range(20, 39), range(40, 59)] },
    { count: 60, visits: [range(1, 20), range(41, 60), range(21, 40)] },
    { count: 61, visits: [range(1, 20), range(41, 61), range(21, 40)] },
    { count: 150, visits: [range(1, 50), range(101, 150), range(51, 100)] },
  ])("of $count songs is the right one on each visit", ({ count, visits }) => {
    const slices = [1, 2, 3].map((visit) => thirdForVisit(positions(count), visit));
    expect(slices).toEqual(visits);
  });

  test("of more than 20 songs shows every song on exactly one of three visits", () => {
    fc.assert(
      fc.property(fc.integer({ min: 21, max: 150 }), (count) => {
        const slices = [1, 2, 3].flatMap((visit) => thirdForVisit(positions(count), visit));
        expect(sorted(slices)).toEqual(positions(count));
      }),
    );
  });
});

describe("what a premium package is drawn from", () => {
  test.each([
    { count: 20, slide: 1, from: range(1, 20) },
    { count: 20, slide: 2, from: range(11, 19) },
    { count: 20, slide: 3, from: range(10, 14) },
    { count: 19, slide: 2, from: range(1, 19) },
    { count: 19, slide: 3, from: range(1, 19) },
    { count: 12, slide: 2, from: range(1, 12) },
    { count: 10, slide: 3, from: range(1, 10) },
    { count: 0, slide: 2, from: [] },
  ])("on slide $slide of $count songs", ({ count, slide, from }) => {
    expect(drawnFrom(count, { visit: 1, slide, ...premium })).toEqual(from);
  });

  test("are the positions within the visit's slice, not within all songs", () => {
    expect(drawnFrom(150, { visit: 2, slide: 2, ...premium })).toEqual(range(111, 119));
    expect(drawnFrom(60, { visit: 2, slide: 3, ...premium })).toEqual(range(50, 54));
  });

  test("are no places in a slice of fewer than twenty", () => {
    expect(drawnFrom(45, { visit: 3, slide: 2, ...premium })).toEqual(range(31, 45));
    expect(drawnFrom(58, { visit: 2, slide: 3, ...premium })).toEqual(range(20, 38));
  });
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

describe("a package", () => {
  test("for free comes from the whole slice on every slide", () => {
    for (const slide of [1, 2, 3]) {
      expect(drawnFrom(20, { visit: 1, slide, ...free })).toEqual(positions(20));
    }
  });

  test("is 5 songs for free and 4 for premium, or fewer if there are fewer", () => {
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

  test("has no song twice, and of thirty songs or more only songs of the visit's slice", () => {
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

  test("depends only on its arguments, and does not change the songs", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 150 }), place, numbers, (count, where, source) => {
        const songs = Object.freeze(positions(count)) as number[];
        const draw = () => drawPackage(songs, { ...where, ...free }, sourceOf(source));
        expect(draw()).toEqual(draw());
      }),
    );
  });

  test("gives every song of the slice the same chance", () => {
    const firsts = positions(20).map((song) => {
      const source = sourceOf([(song - 0.5) / 20]);
      return drawPackage(positions(20), { visit: 1, slide: 1, ...free }, source)[0];
    });
    expect(firsts).toEqual(positions(20));
  });
});
