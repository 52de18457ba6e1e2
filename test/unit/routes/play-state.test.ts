import { expect, test } from "vitest";
import { rateIn } from "~/player/bar/format-time";
import type { PlayerSnapshot } from "~/player/machine/state";
import { playState } from "~/routes/_index/carousel/play-form";

function player(snapshot: Partial<PlayerSnapshot>): PlayerSnapshot {
  return {
    place: "page",
    songId: "song",
    phase: "idle",
    rated: false,
    heardIds: [],
    sounding: false,
    held: false,
    closed: false,
    busy: false,
    secondsLeft: 10,
    ...snapshot,
  };
}

test.each([
  ["idle", null],
  ["idle", player({ songId: "another", phase: "playing", sounding: true })],
  ["idle", player({ phase: "failed" })],
  ["loading", player({ phase: "loading" })],
  ["loading", player({ phase: "starting" })],
  ["playing", player({ phase: "playing" })],
  ["playing", player({ phase: "confirming" })],
  ["playing", player({ phase: "unlocked", sounding: true })],
  ["paused", player({ phase: "interrupted" })],
  ["paused", player({ phase: "unlocked", heardIds: ["song"], held: true })],
  ["idle", player({ phase: "interrupted", secondsLeft: null })],
  ["heard", player({ phase: "unlocked", heardIds: ["song"] })],
] as const)("what a song's button says %s", (state, snapshot) => {
  expect(playState(snapshot, { songId: "song", heard: false })).toBe(state);
});

test("a song that was heard can be played again, whatever the player has", () => {
  const heard = { songId: "song", heard: true };
  expect(playState(null, heard)).toBe("heard");
  expect(playState(player({ songId: null }), heard)).toBe("heard");
  expect(playState(player({ songId: "another", phase: "playing" }), heard)).toBe("heard");
  expect(playState(player({ phase: "loading" }), heard)).toBe("loading");
  const heardHere = player({ songId: "another", heardIds: ["song"] });
  expect(playState(heardHere, { songId: "song", heard: false })).toBe("heard");
});

test("the wait is told in seconds, and at its end that the server is asked", () => {
  expect(rateIn(45)).toBe("Rate in 45 s");
  expect(rateIn(0)).toBe("Checking...");
});
