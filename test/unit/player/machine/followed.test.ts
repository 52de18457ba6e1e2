/** A listen from before a reload, whose song may still be on in the listener's own app. */
import { expect, test } from "vitest";
import { wantsReport, wantsTicks } from "~/player/machine/machine";
import type { PlayerInput } from "~/player/machine/state";
import { toSnapshot } from "~/player/machine/state";
import { elapsed, playback, song, statesIn, wrongTrack } from "../support.ts";

const { idle, playing } = statesIn("app");
const followed = elapsed([[10_000, { type: "followed", song }]], idle);
const report = (progressMs: number, playing = true): PlayerInput => ({
  type: "report",
  report: playback({ progressMs, playing }),
});

test("until Spotify has answered nothing is known", () => {
  expect(followed).toMatchObject({ song, heardMs: 0, dialogOpen: false, showRestart: false });
  expect(toSnapshot(followed)).toMatchObject({ busy: false, secondsLeft: null });
  expect(wantsTicks(followed, 10_500)).toBe(true);
  expect(wantsReport(followed, 10_500, 2_000)).toBe(true);
});

test("a song that still plays counts as far as it has come, and goes on", () => {
  const state = elapsed([[10_500, report(12_000)]], followed);
  expect(state).toMatchObject({ phase: "playing", heardMs: 12_000, countingFrom: 10_500 });
  expect(elapsed([[11_500, { type: "tick" }]], state).heardMs).toBe(13_000);
});

test.each([true, false])(
  "a song that was heard for long enough is confirmed: plays %s",
  (plays) => {
    const state = elapsed([[10_500, report(90_000, plays)]], followed);
    expect(elapsed([[11_500, { type: "tick" }]], state).phase).toBe("confirming");
  },
);

test("a song that was paused says so, and can be resumed from there", () => {
  const state = elapsed([[10_500, report(12_000, false)]], followed);
  expect(state).toMatchObject({ phase: "interrupted", heardMs: 12_000, dialogOpen: true });
  expect(state.status.text).toBe("Error: Playback Paused");
  const resumed = elapsed([[12_000, { type: "resumed" }]], state);
  expect(resumed).toMatchObject({ phase: "starting", heardMs: 12_000 });
  // What else plays is the listener's own choice no more.
  const wrong = elapsed([[11_000, { type: "report", report: wrongTrack }]], state);
  expect(wrong.pauses).toBe(1);
});

test.each<[string, PlayerInput]>([
  ["something else plays", { type: "report", report: wrongTrack }],
  ["nothing plays", { type: "report", report: null }],
])("the player is idle again where %s", (_name, input) => {
  const state = elapsed([[10_500, input]], followed);
  expect(state).toMatchObject({ phase: "idle", song: null, pauses: 0, dialogOpen: false });
  expect(state.status.text).toBe("Ready");
});

test.each(["unknown", "unanswered"] as const)(
  "where it is %s what plays, Spotify is asked again, and the player idle after five seconds",
  (type) => {
    const asked = elapsed([[10_500, { type }]], followed);
    expect(asked).toMatchObject({ song, heardMs: 0, dialogOpen: false });
    expect(wantsReport(asked, 11_500, 2_000)).toBe(true);
    expect(elapsed([[15_499, report(12_000)]], asked)).toMatchObject({ heardMs: 12_000 });
    const idle = elapsed([[15_500, { type }]], asked);
    expect(idle).toMatchObject({ phase: "idle", song: null, pauses: 0, dialogOpen: false });
  },
);

test("a player that has a song keeps it", () => {
  const input: PlayerInput = { type: "followed", song };
  expect(elapsed([[2_000, input]], playing)).toBe(playing);
});
