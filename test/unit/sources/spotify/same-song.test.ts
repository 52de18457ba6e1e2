import fc from "fast-check";
import { expect, test } from "vitest";
import { eachSongOnce, isSameSong } from "~/sources/same-song";
import type { Track } from "~/sources/song";

function track(changes: Partial<Track> = {}): Track {
  return {
    trackId: "a",
    title: "Midnight Meadow",
    artists: ["Mara Lind"],
    album: "Single",
    artUrl: null,
    smallerArt: {},
    durationMs: 180_000,
    isrc: null,
    spotifyUrl: "https://open.spotify.com/track/a",
    explicit: false,
    ...changes,
  };
}

test.each([
  ["the same recording on another album", { isrc: "X1" }, { isrc: "X1", title: "Other" }, true],
  ["another recording of the same length", { isrc: "X1" }, { isrc: "X2" }, false],
  ["a code on one side only", { isrc: "X1" }, { durationMs: 182_000 }, true],
  ["another length", {}, { durationMs: 182_001 }, false],
  ["another spelling of the title", {}, { title: " midnight  MEADOW" }, true],
  ["another guest", {}, { artists: ["mara lind", "A Guest"] }, true],
  ["another main artist", {}, { artists: ["A Guest", "Mara Lind"] }, false],
  ["a remix", {}, { title: "Midnight Meadow - Remix" }, false],
])("%s", (_what, one, other, same) => {
  expect(isSameSong(track(one), track({ trackId: "b", ...other }))).toBe(same);
});

const tracks = fc
  .array(
    fc.record({
      trackId: fc.constantFrom("a", "b", "c", "d", "e"),
      title: fc.constantFrom("One", "one", "Two"),
      isrc: fc.constantFrom(null, "X1", "X2"),
      durationMs: fc.constantFrom(100_000, 101_000, 200_000),
    }),
  )
  .map((all) => all.map((changes) => track(changes)));

test("each song is there once, in order, under an id that was submitted if there is one", () => {
  fc.assert(
    fc.property(tracks, fc.uniqueArray(fc.constantFrom("a", "b", "c")), (all, submitted) => {
      const isSubmitted = ({ trackId }: Track) => (submitted as string[]).includes(trackId);
      const kept = eachSongOnce(all, isSubmitted);
      const firsts = eachSongOnce(all, () => false);
      // Without any submitted, what is kept are the first ids, of which no two are one song.
      firsts.forEach((one, at) => {
        expect(firsts.slice(at + 1).filter((other) => isSameSong(one, other))).toEqual([]);
      });
      expect(firsts).toEqual(all.filter((one) => firsts.includes(one)));
      expect(kept).toHaveLength(firsts.length);
      kept.forEach((one, at) => {
        const first = firsts[at];
        if (!first) throw new Error("no song");
        expect(isSameSong(first, one)).toBe(true);
        if (one !== first) expect(isSubmitted(one)).toBe(true);
        if (isSubmitted(first)) expect(isSubmitted(one)).toBe(true);
      });
    }),
  );
});
