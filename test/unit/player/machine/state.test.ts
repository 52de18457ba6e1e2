import { expect, test } from "vitest";
import { canMoveToApp, initialState, toSnapshot } from "~/player/machine/state";
import { elapsed, song, statesIn } from "../support.ts";

const states = statesIn("page");

test.each([
  ["idle", { place: "page", songId: null, phase: "idle", unlocked: false, busy: false }],
  ["loading", { place: "page", songId: "song-1", phase: "loading", unlocked: false, busy: true }],
  ["starting", { place: "page", songId: "song-1", phase: "starting", unlocked: false, busy: true }],
  ["playing", { place: "page", songId: "song-1", phase: "playing", unlocked: false, busy: true }],
  [
    "paused",
    { place: "page", songId: "song-1", phase: "interrupted", unlocked: false, busy: false },
  ],
  [
    "confirming",
    { place: "page", songId: "song-1", phase: "confirming", unlocked: false, busy: true },
  ],
  ["unlocked", { place: "page", songId: "song-1", phase: "unlocked", unlocked: true, busy: false }],
  ["failed", { place: "page", songId: "song-1", phase: "failed", unlocked: false, busy: false }],
] as const)("the snapshot of %s", (name, snapshot) => {
  expect(toSnapshot(states[name])).toEqual(snapshot);
});

test("the snapshot keeps the song while it is about to start over", () => {
  const state = elapsed([[12_000, { type: "reset" }]], states.playing);
  expect(toSnapshot(state)).toMatchObject({ songId: "song-1", phase: "idle", busy: false });
});

test.each([
  { name: "driver failed", state: { phase: "failed", driver: "script" }, can: true },
  { name: "driver ready", state: { phase: "failed", driver: "ready" }, can: false },
  { name: "driver connecting", state: { phase: "failed", driver: "connecting" }, can: true },
  { name: "song still playing", state: { phase: "playing", driver: "script" }, can: false },
  {
    name: "already in the app",
    state: { phase: "failed", driver: "script", place: "app" },
    can: false,
  },
] as const)("can move to the app, $name: $can", ({ state, can }) => {
  expect(canMoveToApp({ ...initialState, song, ...state })).toBe(can);
});
