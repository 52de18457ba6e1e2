import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { drawPackage, eligibleSongs, type PoolSong, sliceByCount } from "~/domain/pool/select";
import { tierConfigs } from "~/domain/tiers/tiers";

const { free, premium } = tierConfigs;
/** A package size large enough for a whole slice, so that a draw shows all songs it chose from. */
const everything = 1000;

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
      trackId: fc.nat(60).map((n) => `track-${n}`),
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
  test("are never the viewer's own or ones that credit them, no track twice, at most two per uploader", () => {
    fc.assert(
      fc.property(pool, (songs) => {
        const eligible = eligibleSongs(songs, viewer);
        expect(eligible.filter(creditsViewer)).toEqual([]);
        expect(eligible.filter((song) => song.ownerId === "owner-0")).toEqual([]);
        expect(new Set(eligible.map((song) => song.trackId)).size).toBe(eligible.length);
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
            before.some((song) => song.trackId === dropped.trackId),
            before.filter((song) => song.ownerId === dropped.ownerId).length === 2,
          ];
          expect(reasons).toContain(true);
        }
      }),
    );
  });

  test("of one track is the first one's", () => {
    const songs: PoolSong[] = [
      { songId: "first", ownerId: "b", trackId: "same", artists: [], artistIds: [] },
      { songId: "second", ownerId: "c", trackId: "same", artists: [], artistIds: [] },
    ];
    const eligible = eligibleSongs(songs, nobody);
    expect(eligible.map((song) => song.songId)).toEqual(["first"]);
  });

  test("of one uploader are the first two", () => {
    const songs = ["first", "second", "third", "fourth"].map((songId) => {
      return { songId, ownerId: "prolific", trackId: songId, artists: [], artistIds: [] };
    });
    const eligible = eligibleSongs(songs, nobody);
    expect(eligible.map((song) => song.songId)).toEqual(["first", "second"]);
  });
});

test("songs that credit the viewer take no other song's place", () => {
  const songs = ["first", "second", "third", "fourth"].map((songId) => {
    const artists = [songId === "first" ? "Artist 0" : "Somebody"];
    return { songId, ownerId: "prolific", trackId: songId, artists, artistIds: [] };
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
    const slices = [1, 2, 3].map((visit) => sliceByCount(positions(count), visit));
    expect(slices).toEqual(visits);
  });

  test("of more than 20 songs shows every song on exactly one of three visits", () => {
    fc.assert(
      fc.property(fc.integer({ min: 21, max: 150 }), (count) => {
        const slices = [1, 2, 3].flatMap((visit) => sliceByCount(positions(count), visit));
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
    { count: 12, slide: 2, from: [11, 12] },
    { count: 12, slide: 3, from: [10, 11, 12] },
    { count: 11, slide: 2, from: [11] },
    { count: 10, slide: 2, from: range(1, 10) },
    { count: 10, slide: 3, from: [10] },
    { count: 9, slide: 3, from: range(1, 9) },
    { count: 0, slide: 2, from: [] },
  ])("on slide $slide of $count songs", ({ count, slide, from }) => {
    const tier = { tier: premium.tier, packageSize: everything };
    const drawn = drawPackage(positions(count), { visit: 1, slide, ...tier }, () => 0.5);
    expect(sorted(drawn)).toEqual(from);
  });

  test("are the positions within the visit's slice, not within all songs", () => {
    const tier = { tier: premium.tier, packageSize: everything };
    const drawn = drawPackage(positions(150), { visit: 2, slide: 2, ...tier }, () => 0);
    expect(sorted(drawn)).toEqual(range(111, 119));
  });
});

describe("a package", () => {
  test("for free comes from the whole slice on every slide", () => {
    for (const slide of [1, 2, 3]) {
      const tier = { tier: free.tier, packageSize: everything };
      const drawn = drawPackage(positions(20), { visit: 1, slide, ...tier }, () => 0.5);
      expect(sorted(drawn)).toEqual(positions(20));
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

  test("has no song twice and only songs of the visit's slice", () => {
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
          const slice = sliceByCount(songs, where.visit);
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
