/** What becomes of a song that is open to rating already. */
import { describe, expect, test } from "vitest";
import { messages } from "~/player/machine/messages";
import { isBusy, type PlayerInput, type PlayerState, secondsLeft } from "~/player/machine/state";
import {
  elapsed,
  otherSong,
  playback,
  report,
  type Step,
  song,
  startOf,
  statesIn,
  wrongTrack,
} from "../support.ts";

const heardSong = { ...song, heard: true };
const calm = { errorType: null, dialogOpen: false, showRestart: false };
const ends: [string, PlayerInput][] = [
  ["paused", report(playback({ playing: false, progressMs: 40_000 }))],
  ["ended", report(null)],
  ["replaced by another track", report({ ...wrongTrack, progressMs: 9_000 })],
];

describe.each(["page", "app"] as const)("in the %s", (place) => {
  const { unlocked, connecting } = statesIn(place);
  const replayed = elapsed(startOf(heardSong), connecting);

  test.each(ends)("a song that was heard may be %s", (_name, input) => {
    const state = elapsed([[40_000, input]], unlocked);
    expect(state).toMatchObject({ phase: "unlocked", unlocked: true, sounding: false, pauses: 0 });
    expect(state).toMatchObject({ status: unlocked.status, ...calm });
    const again = elapsed([[41_000, report(playback({ progressMs: 41_000 }))]], state);
    expect(again).toMatchObject({ phase: "unlocked", sounding: true, ...calm });
  });

  test.each(ends)("so may one that is played once more: %s", (_name, input) => {
    expect(replayed).toMatchObject({ phase: "unlocked", unlocked: true, sounding: true });
    expect(replayed.status).toEqual({ text: "Playing...", tone: "ok" });
    const state = elapsed([[5_000, input]], replayed);
    expect(state).toMatchObject({ phase: "unlocked", unlocked: true, sounding: false, pauses: 0 });
    expect(state).toMatchObject({ status: { text: messages.unlocked, tone: "ok" }, ...calm });
  });

  const rated = elapsed([[37_000, { type: "rated" }]], unlocked);

  test("one that was rated can be paused, and goes on", () => {
    expect(rated).toMatchObject({ phase: "unlocked", sounding: true, rated: true, ...calm });
    expect(rated.status).toEqual({ text: "Playing...", tone: "ok" });
    const held = elapsed([[40_000, ends[0]?.[1] as PlayerInput]], rated);
    expect(held).toMatchObject({ phase: "unlocked", held: true, rated: true, ...calm });
    expect(held.status).toEqual({ text: "Paused.", tone: "ok" });
    const on = elapsed([[50_000, report(playback({ progressMs: 40_100 }))]], held);
    expect(on).toMatchObject({ sounding: true, held: false, status: { text: "Playing..." } });
    expect(elapsed([[41_000, { type: "rated" }]], { ...held, rated: false }).song).toBeNull();
  });

  test.each(ends.slice(1))("one that was rated plays on until it is %s", (_name, input) => {
    const over = elapsed([[40_000, input]], rated);
    expect(over).toMatchObject({ phase: "idle", song: null, rated: false });
    expect(over.status).toEqual({ text: "Ready", tone: "ok" });
  });

  test("one that was rated elsewhere before its time is open to anything", () => {
    const rated = elapsed([[5_000, { type: "rated" }]], statesIn(place).playing);
    expect(rated).toMatchObject({ phase: "unlocked", unlocked: true, sounding: true, ...calm });
    expect(secondsLeft(rated)).toBeNull();
    expect(isBusy(rated)).toBe(false);
  });

  test("a heard song that does not start says so, whatever plays instead, and stays heard", () => {
    const state = elapsed(
      [
        ...startOf(heardSong).slice(0, 4),
        [1_000, report(wrongTrack)],
        [10_901, { type: "tick" }],
        [11_000, report(wrongTrack)],
      ],
      connecting,
    );
    expect(state).toMatchObject({
      phase: "interrupted",
      unlocked: true,
      errorType: null,
      pauses: 0,
    });
    expect(state.status).toEqual({ text: messages.startFailed, tone: "error" });
    const late = elapsed([[12_000, report(playback())]], state);
    expect(late).toMatchObject({ phase: "unlocked", sounding: true, ...calm });
  });
});

/** Plays another song for a moment, and then this one again, as the page still shows it. */
const another: Step[] = [
  [40_000, { type: "chosen", song: otherSong }],
  [41_000, { type: "stopped" }],
  [42_000, { type: "chosen", song }],
];

test.each<[string, PlayerState]>([
  ["the page says so", elapsed([[1, { type: "chosen", song: heardSong }]], statesIn("page").idle)],
  [
    "the server says so at its start",
    elapsed(
      [[800, { type: "listen-opened", attempt: 1, requiredSeconds: 34, heard: true }]],
      statesIn("page").starting,
    ),
  ],
  ["it was heard in this page before", elapsed(another, statesIn("page").unlocked)],
])("a song is open to rating from the start where %s", (_name, state) => {
  expect(state).toMatchObject({ phase: "starting", unlocked: true });
  expect(elapsed([[43_000, { type: "playback-error" }]], state)).toMatchObject({
    phase: "failed",
    unlocked: true,
  });
});

test("a song that was not heard is not, though another one was", () => {
  expect(elapsed(another.slice(0, 1), statesIn("page").unlocked).unlocked).toBe(false);
});
