import fc from "fast-check";
import { expect, test } from "vitest";
import {
  inOrder,
  nextWindow,
  type PoolWindow,
  poolSize,
  type SongInLine,
} from "~/exchange/pool/pool-window";

const minute = 60_000;
const start = 1_000 * minute;
const none: PoolWindow = { seenTo: 0, waiting: [] };

/** Songs with these numbers, which came into line a minute apart. */
function songs(...numbers: number[]): SongInLine[] {
  return numbers.map((n) => ({ songId: `song-${n}`, since: start + n * minute }));
}

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

/** What a viewer with this window finds, of the songs that the viewer may rate. */
function walk(ratable: SongInLine[], window: PoolWindow, lastLineSince: number) {
  const waiting = ratable.filter(({ songId }) => window.waiting.includes(songId));
  const ahead = ratable
    .filter(({ since }) => since > window.seenTo)
    .sort(inOrder)
    .slice(0, poolSize);
  const known = new Map([...waiting, ...ahead].map((song) => [song.songId, song]));
  const due = [...known.values()].sort(inOrder).slice(0, poolSize);
  const counts = { ratedCount: 100, passedCount: 0, submittedCount: 0, leftAt: null };
  return { seenTo: window.seenTo, due, lastLineSince, ...counts };
}

function windowAfter(ratable: SongInLine[], window = none, last = ratable.at(-1)?.since ?? start) {
  return nextWindow(walk(ratable, window, last));
}

test("the window ends before the last song of the pool", () => {
  expect(windowAfter(songs(...range(301, 600)))).toEqual({
    seenTo: start + 450 * minute - 1,
    waiting: range(301, 449).map((n) => `song-${n}`),
  });
});

test("it does not end within a minute of the last song in line, where a song may still be inserted", () => {
  const last = start + 10 * minute;
  expect(windowAfter([], none, last)).toEqual({ seenTo: last - minute, waiting: [] });
  expect(windowAfter(songs(10), none, last)).toEqual({ seenTo: last - minute, waiting: [] });
});

test("no window is stored if it is no further on, or if the viewer has few ratings, passes and submissions, and no earlier account", () => {
  const last = start + 10 * minute;
  expect(windowAfter([], { seenTo: last - minute, waiting: [] }, last)).toBeNull();
  const light = { ...walk(songs(1, 2), none, last), ratedCount: 49, submittedCount: 50 };
  expect(nextWindow(light)).toBeNull();
  expect(nextWindow({ ...light, submittedCount: 51 })).not.toBeNull();
  expect(nextWindow({ ...light, passedCount: 1 })).not.toBeNull();
  expect(nextWindow({ ...light, leftAt: start })).not.toBeNull();
});

test("songs that came into line at the same moment are sorted by id", () => {
  const sameMoment = fc.uniqueArray(fc.nat(99), { minLength: 2 });
  fc.assert(
    fc.property(sameMoment, (numbers) => {
      const tied = numbers.map((n): SongInLine => ({ songId: `song-${n + 100}`, since: start }));
      const ids = tied.toSorted(inOrder).map(({ songId }) => songId);
      expect(ids).toEqual(ids.toSorted());
    }),
  );
});

/** An event between two draws of the viewer, and the song that it concerns. */
const event = fc.record({
  what: fc.constantFrom("rated", "filled", "again", "postponed", "added"),
  which: fc.nat(),
  /** How far the clock is behind, in milliseconds. */
  late: fc.nat({ max: minute - 1 }),
});

test("whatever happens in between, a walk from a window finds the same songs as one from the start", () => {
  const looks = fc.array(fc.array(event, { maxLength: 40 }), { maxLength: 30 });
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 400 }), looks, (count, all) => {
      const due = new Map(songs(...range(1, count)).map((song) => [song.songId, song.since]));
      const rated = new Set<string>();
      let last = start + count * minute;
      let window = none;
      for (const events of all) {
        for (const { what, which, late } of events) {
          const ids = [...due.keys()];
          const id = ids[which % (ids.length || 1)];
          if (what === "added" || !id) due.set(`song-${due.size + 1}`, last + minute / 2 - late);
          else if (what === "rated") rated.add(id);
          else if (what === "filled") due.set(id, 0);
          // A song submitted again only gets a new place if it was owed nothing; otherwise it keeps its place.
          else if (what === "again" && due.get(id) === 0) due.set(id, last + minute / 2 - late);
          else if (what === "postponed" && due.get(id) !== 0)
            due.set(id, (due.get(id) ?? 0) + late);
          last = Math.max(last, ...due.values());
        }
        const ratable = [...due]
          .filter(([id, lineSince]) => lineSince > 0 && !rated.has(id))
          .map(([songId, since]): SongInLine => ({ songId, since }));
        const lastLineSince = Math.max(0, ...due.values());
        const found = walk(ratable, window, lastLineSince);
        expect(found.due).toEqual(walk(ratable, none, lastLineSince).due);
        window = nextWindow(found) ?? window;
        expect(window.waiting.length).toBeLessThanOrEqual(poolSize);
      }
    }),
    { numRuns: 60 },
  );
});
