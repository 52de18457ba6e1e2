import { expect, test } from "vitest";
import {
  canMoveToApp,
  initialState,
  offersInitialize,
  secondsLeft,
  toSnapshot,
} from "~/player/machine/state";
import { elapsed, song, statesIn } from "../support.ts";

const states = statesIn("page");

const unheard = {
  ...{ place: "page", rated: false, heardIds: [], sounding: false, held: false },
  closed: false,
};
const ofSong = { ...unheard, songId: "song-1" };

test.each([
  ["idle", { ...unheard, songId: null, phase: "idle", busy: false, secondsLeft: null }],
  ["loading", { ...ofSong, phase: "loading", busy: true, secondsLeft: 34 }],
  ["starting", { ...ofSong, phase: "starting", busy: true, secondsLeft: 34 }],
  ["playing", { ...ofSong, phase: "playing", sounding: true, busy: true, secondsLeft: 34 }],
  ["paused", { ...ofSong, phase: "interrupted", busy: false, secondsLeft: 25 }],
  ["confirming", { ...ofSong, phase: "confirming", sounding: true, busy: true, secondsLeft: 0 }],
  [
    "unlocked",
    {
      ...{ ...ofSong, phase: "unlocked", heardIds: ["song-1"], sounding: true },
      ...{ busy: false, secondsLeft: null },
    },
  ],
  ["failed", { ...ofSong, phase: "failed", busy: false, secondsLeft: null }],
] as const)("the snapshot of %s", (name, snapshot) => {
  expect(toSnapshot(states[name])).toEqual(snapshot);
});

test("the seconds left are rounded up, change once a second, and never exceed what the tier asks", () => {
  const left = [1, 1_001, 2_999, 3_000, 3_001].map((now) =>
    secondsLeft(elapsed([[now, { type: "tick" }]], states.playing)),
  );
  expect(left).toEqual([34, 34, 34, 33, 33]);
});

test.each([
  { name: "connecting as usual", of: states.connecting, offered: false },
  {
    name: "connecting for longer than usual",
    of: elapsed([[8_001, { type: "tick" }]], states.connecting),
    offered: true,
  },
  { name: "ready", of: states.idle, offered: false },
  { name: "broken", of: states.broken, offered: true },
  {
    name: "without Spotify Premium",
    of: elapsed([[1, { type: "driver-failed", failure: "account" }]], states.connecting),
    offered: false,
  },
  {
    name: "gone in the middle of a song",
    of: elapsed([[2_000, { type: "not-ready" }]], states.playing),
    offered: true,
  },
  { name: "playing", of: states.playing, offered: false },
  { name: "paused too early", of: states.paused, offered: false },
  { name: "not started", of: states.failed, offered: true },
  {
    name: "without sound",
    of: elapsed([[10_901, { type: "tick" }]], states.accepted),
    offered: true,
  },
  { name: "waiting in the app", of: statesIn("app").connecting, offered: false },
  { name: "not started in the app", of: statesIn("app").failed, offered: true },
])("a new player is offered where the old one is $name: $offered", ({ of, offered }) => {
  expect(offersInitialize(of)).toBe(offered);
});

test("the snapshot keeps the song while it is about to start over", () => {
  const state = elapsed([[12_000, { type: "reset" }]], states.playing);
  expect(toSnapshot(state)).toMatchObject({ songId: "song-1", phase: "idle", busy: false });
});

test.each([
  { name: "driver failed", state: { phase: "failed", driver: "script" }, can: true },
  { name: "driver ready", state: { phase: "failed", driver: "ready" }, can: false },
  { name: "driver connecting", state: { phase: "failed", driver: "connecting" }, can: true },
  {
    name: "another driver failed too",
    state: { phase: "interrupted", driver: "script" },
    can: true,
  },
  { name: "no Spotify Premium", state: { phase: "failed", driver: "account" }, can: false },
  { name: "song paused", state: { phase: "interrupted", driver: "not-ready" }, can: false },
  { name: "song still playing", state: { phase: "playing", driver: "script" }, can: false },
  {
    name: "already in the app",
    state: { phase: "failed", driver: "script", place: "app" },
    can: false,
  },
] as const)("can move to the app, $name: $can", ({ state, can }) => {
  expect(canMoveToApp({ ...initialState, song, ...state })).toBe(can);
});
