/** What becomes of a song that is open to rating already. */
import { expect, test } from "vitest";
import { messages } from "~/player/machine/messages";
import { isBusy, type PlayerState, secondsLeft } from "~/player/machine/state";
import {
  after,
  begin,
  choose,
  type Happening,
  otherSong,
  pausedAt,
  playback,
  plays,
  song,
  statesIn,
  wrongTrack,
} from "../support.ts";

const heardSong = { ...song, heard: true };
const calm = { errorType: null, dialogOpen: false, showRestart: false };
const open = { phase: "unlocked", unlocked: true, pauses: 0, ...calm };
const stops = pausedAt(40_000);
const ends: [string, Happening][] = [
  ["ended", null],
  ["replaced by another track", { ...wrongTrack, progressMs: 9_000 }],
];
const places = ["page", "app"] as const;

test.each([["paused", stops], ...ends] as const)(
  "a song that was heard may be %s",
  (_name, input) => {
    for (const { unlocked } of places.map(statesIn)) {
      const state = after(unlocked, 40_000, input);
      expect(state).toMatchObject({ ...open, sounding: false, status: unlocked.status });
      expect(after(state, 41_000, plays(41_000))).toMatchObject({ ...open, sounding: true });
    }
  },
);

test.each([["paused", stops], ...ends] as const)(
  "a song that is played once more may be %s",
  (_name, input) => {
    for (const place of places) {
      const replayed = begin(heardSong, "playing", place);
      expect(replayed).toMatchObject({ ...open, sounding: true });
      expect(replayed.status).toEqual({ text: "Playing...", tone: "ok" });
      const status = { text: messages.unlocked, tone: "ok" };
      expect(after(replayed, 5_000, input)).toMatchObject({ ...open, sounding: false, status });
    }
  },
);

test.each(places)("a song that was rated can be paused, and goes on, in the %s", (place) => {
  const rated = after(statesIn(place).unlocked, 37_000, "rated");
  const status = { text: "Playing...", tone: "ok" };
  expect(rated).toMatchObject({ ...open, sounding: true, rated: true, status });
  const held = after(rated, 40_000, stops);
  expect(held).toMatchObject({ ...open, held: true, rated: true });
  expect(held.status).toEqual({ text: "Paused.", tone: "ok" });
  expect(after(held, 50_000, plays(40_100))).toMatchObject({ sounding: true, held: false, status });
  expect(after({ ...held, rated: false }, 41_000, "rated").song).toBeNull();
});

test.each(ends)("a song that was rated plays on until it is %s", (_name, input) => {
  for (const { unlocked } of places.map(statesIn)) {
    expect(after(unlocked, 37_000, "rated", 40_000, input)).toMatchObject({
      ...{ phase: "idle", song: null, rated: false },
      status: { text: "Ready", tone: "ok" },
    });
  }
});

test.each(places)(
  "in the %s, a song rated elsewhere before its time is open to anything",
  (place) => {
    const rated = after(statesIn(place).playing, 5_000, "rated");
    expect(rated).toMatchObject({ ...open, sounding: true });
    expect(secondsLeft(rated)).toBeNull();
    expect(isBusy(rated)).toBe(false);
  },
);

test.each(places)(
  "in the %s, a heard song that does not start says so, whatever plays instead, and stays heard",
  (place) => {
    const accepted = begin(heardSong, "accepted", place);
    const state = after(accepted, 1_000, wrongTrack, 10_901, "tick", 11_000, wrongTrack);
    expect(state).toMatchObject({
      ...{ phase: "interrupted", unlocked: true, errorType: null, pauses: 0 },
      status: { text: messages.startFailed, tone: "error" },
    });
    expect(after(state, 12_000, playback())).toMatchObject({ ...open, sounding: true });
  },
);

const { idle, starting, unlocked } = statesIn("page");
const another = after(unlocked, 40_000, choose(otherSong));

test.each<[string, PlayerState]>([
  ["the page says so", after(idle, 1, choose(heardSong))],
  [
    "the server says so at its start",
    after(starting, 800, { type: "listen-opened", requiredSeconds: 34, heard: true }),
  ],
  ["it was heard in this page before", after(another, 41_000, "stopped", 42_000, choose(song))],
])("a song is open to rating from the start where %s", (_name, state) => {
  expect(state).toMatchObject({ phase: "starting", unlocked: true });
  expect(after(state, 43_000, "playback-error")).toMatchObject({ phase: "failed", unlocked: true });
});

test("a song that was not heard is not open to rating, though another one was", () => {
  expect(another.unlocked).toBe(false);
});
