import { expect, test } from "vitest";
import {
  canMoveToApp,
  initialState,
  offersInitialize,
  type PlayerState,
  secondsLeft,
  toSnapshot,
} from "~/player/machine/state";
import { after, song, statesIn } from "../support.ts";

const states = statesIn("page");

const unheard = {
  ...{ place: "page", rated: false, heardIds: [], sounding: false, held: false },
  ...{ closed: false, busy: false, secondsLeft: null, songId: "song-1" },
};
const busy = { ...unheard, busy: true, secondsLeft: 34 };

test.each([
  ["idle", { ...unheard, songId: null, phase: "idle" }],
  ["loading", { ...busy, phase: "loading" }],
  ["starting", { ...busy, phase: "starting" }],
  ["playing", { ...busy, phase: "playing", sounding: true }],
  ["paused", { ...unheard, phase: "interrupted", secondsLeft: 25 }],
  ["confirming", { ...busy, phase: "confirming", sounding: true, secondsLeft: 0 }],
  ["unlocked", { ...unheard, phase: "unlocked", heardIds: ["song-1"], sounding: true }],
  ["failed", { ...unheard, phase: "failed" }],
] as const)("the snapshot of %s", (name, snapshot) => {
  expect(toSnapshot(states[name])).toEqual(snapshot);
});

test("the seconds left are rounded up, change once a second, and never exceed what the tier asks", () => {
  const left = [1, 1_001, 2_999, 3_000, 3_001].map((now) =>
    secondsLeft(after(states.playing, now, "tick")),
  );
  expect(left).toEqual([34, 34, 34, 33, 33]);
});

const withoutPremium = { type: "driver-failed", failure: "account" } as const;

test.each<[string, PlayerState, boolean]>([
  ["connecting as usual", states.connecting, false],
  ["connecting for longer than usual", after(states.connecting, 8_001, "tick"), true],
  ["ready", states.idle, false],
  ["broken", states.broken, true],
  ["without Spotify Premium", after(states.connecting, withoutPremium), false],
  ["gone while a song plays on", after(states.playing, 2_000, "not-ready"), true],
  ["gone with its song", after(states.playing, 2_000, "not-ready", 2_500, null), false],
  ["playing", states.playing, false],
  ["paused too early", states.paused, false],
  ["not started", states.failed, true],
  ["without sound", after(states.accepted, 10_901, "tick"), true],
  ["waiting in the app", statesIn("app").connecting, false],
  ["not started in the app", statesIn("app").failed, false],
])("whether a new player is offered where the old one is %s", (_name, state, offered) => {
  expect(offersInitialize(state)).toBe(offered);
});

test("the snapshot keeps the song while it is about to start over", () => {
  const state = after(states.playing, 12_000, "reset");
  expect(toSnapshot(state)).toMatchObject({ songId: "song-1", phase: "idle", busy: false });
});

test.each<[string, Partial<PlayerState>, boolean]>([
  ["its driver has failed", { phase: "failed", driver: "script" }, true],
  ["its driver is ready", { phase: "failed", driver: "ready" }, false],
  ["its driver is connecting", { phase: "failed", driver: "connecting" }, true],
  ["another driver failed too", { phase: "interrupted", driver: "script" }, true],
  ["there is no Spotify Premium", { phase: "failed", driver: "account" }, false],
  ["it is paused", { phase: "interrupted", driver: "not-ready" }, false],
  ["it still plays", { phase: "playing", driver: "script" }, false],
  ["it is in the app", { phase: "failed", driver: "script", place: "app" }, false],
])("whether a song can move to the app where %s", (_name, state, can) => {
  expect(canMoveToApp({ ...initialState, song, ...state })).toBe(can);
});
