import fc from "fast-check";
import { expect, test } from "vitest";
import type { PlaybackReport } from "~/player/drivers/driver";
import { reduce } from "~/player/machine/machine";
import {
  initialStateAt,
  isBusy,
  type PlayerInput,
  type PlayerState,
  secondsLeft,
} from "~/player/machine/state";
import { isSameTrack } from "~/sources/song";
import { elapsed, playback, shortSong, song, startOf } from "../support.ts";

/** Creates inputs as the controller would send them in that state. */
type Draw = (state: PlayerState, now: number) => PlayerInput[];

const one =
  (input: PlayerInput): Draw =>
  () => [input];
const report = (change: Partial<PlaybackReport> | null): PlayerInput => ({
  type: "report",
  report: change && playback(change),
});

const tick = fc.constant(one({ type: "tick" }));
const silence = fc.constant(one({ type: "unanswered" }));
const inStep = fc.constant<Draw>((_state, now) => [report({ progressMs: now })]);
const anyReport = fc.oneof(
  { weight: 9, arbitrary: inStep },
  {
    weight: 2,
    arbitrary: fc
      .record({
        trackIds: fc.constantFrom("track-1", "track-9").map((trackId) => [trackId]),
        playing: fc.boolean(),
        progressMs: fc.nat(200_000),
      })
      .map((change) => one(report(change))),
  },
  { weight: 1, arbitrary: fc.constant(one(report(null))) },
);

/** What the controller sends to resume a song, and to start it over. */
const resume: Draw = ({ attempt }) => [
  { type: "resumed" },
  { type: "play-accepted", attempt: attempt + 1 },
];
const startOver: Draw = ({ attempt }) => [
  { type: "reset" },
  { type: "chosen", song },
  { type: "listen-opened", attempt: attempt + 2, requiredSeconds: song.requiredSeconds },
  { type: "play-accepted", attempt: attempt + 2 },
];

const step = fc.tuple(
  fc.integer({ min: 0, max: 12_000 }),
  fc.oneof(
    { weight: 4, arbitrary: tick },
    { weight: 5, arbitrary: anyReport },
    { weight: 1, arbitrary: silence },
    { weight: 1, arbitrary: fc.constant(one({ type: "autoplay-failed" })) },
    { weight: 1, arbitrary: fc.constant(resume) },
    { weight: 1, arbitrary: fc.constant(startOver) },
  ),
);

test("a long song only unlocks after reports of it playing for the required time", () => {
  const unlock = (song.requiredSeconds + 1) * 1000;
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      let state = elapsed(startOf(song));
      let now = 1000;
      /** Up to when playing time has been added up; null while nothing plays. */
      let countedUntil: number | null = 1000;
      // The tenth of a second between acceptance and the first report may count too.
      let played = 100;
      for (const [delay, draw] of steps) {
        now += delay;
        for (const input of draw(state, now)) {
          const previous = state;
          state = reduce(state, { ...input, now });
          if (state.attempt !== previous.attempt) countedUntil = null;
          if (input.type === "chosen") played = 0;
          if (input.type === "play-accepted" && state.accepted && state.phase === "starting") {
            countedUntil = now;
          }
          if (countedUntil !== null) played += now - countedUntil;
          if (input.type === "report" && state.phase !== "starting") {
            const isPlaying = input.report?.playing && isSameTrack(input.report, song);
            countedUntil = isPlaying ? now : null;
          } else if (input.type === "autoplay-failed" && previous.phase !== "interrupted") {
            countedUntil = null;
          } else if (countedUntil !== null) {
            countedUntil = now;
          }
          expect(state.heardMs).toBeGreaterThanOrEqual(0);
          expect(state.heardMs).toBeLessThanOrEqual(Math.min(unlock, played));
          if (state.phase === "confirming") return;
        }
      }
    }),
    { numRuns: 1000 },
  );
});

/** An answer for this attempt or for the one before. */
const answer = fc
  .tuple(
    fc.nat(1),
    fc.constantFrom<(attempt: number) => PlayerInput>(
      (attempt) => ({ type: "play-accepted", attempt }),
      (attempt) => ({ type: "confirmed", attempt }),
      (attempt) => ({
        type: "confirm-failed",
        attempt,
        text: "Error: not confirmed.",
        kept: false,
      }),
      (attempt) => ({ type: "confirm-failed", attempt, text: "Error: not known.", kept: true }),
      (attempt) => ({ type: "refused", attempt, text: "Error: no such song." }),
      (attempt) => ({ type: "start-failed", attempt, failure: "no-device" }),
      (attempt) => ({ type: "start-failed", attempt, failure: "no-control" }),
      (attempt) => ({ type: "start-failed", attempt, failure: "failed" }),
    ),
  )
  .map(
    ([old, input]): Draw =>
      ({ attempt }) => [input(attempt - old)],
  );

/** Only sent for a new listen: a resumed song keeps the listen that it has. */
const opened: Draw = ({ attempt, heardMs }) =>
  heardMs === 0 ? [{ type: "listen-opened", attempt, requiredSeconds: 3 }] : [];

const inAnyPlace = fc.constantFrom<PlayerInput>(
  { type: "ready" },
  { type: "not-ready" },
  { type: "chosen", song },
  { type: "chosen", song: { ...shortSong, songId: "song-2" } },
  { type: "reset" },
  { type: "steered" },
  { type: "resumed" },
  { type: "unanswered" },
  { type: "unknown" },
  { type: "other-tab-plays", song: { ...shortSong, songId: "song-2" } },
  { type: "dialog-closed" },
  { type: "rated" },
  { type: "stopped" },
);

/** Inputs that only occur where songs play in the page. */
const inPage = fc.constantFrom<PlayerInput>(
  { type: "driver-failed", failure: "script" },
  { type: "driver-failed", failure: "authentication" },
  { type: "autoplay-failed" },
  { type: "playback-error" },
  { type: "place-changed", place: "app" },
  { type: "reconnecting", place: "page" },
);

const moment = fc.integer({ min: -50, max: 2_000 });
const anyStep = [
  { weight: 6, arbitrary: tick },
  { weight: 6, arbitrary: anyReport },
  { weight: 3, arbitrary: answer },
  { weight: 1, arbitrary: fc.constant(opened) },
  { weight: 3, arbitrary: inAnyPlace.map(one) },
];

test("with any inputs, the heard time stays in bounds and a song does not unlock early", () => {
  const steps = fc.oneof(...anyStep, { weight: 1, arbitrary: inPage.map(one) });
  fc.assert(
    fc.property(fc.array(fc.tuple(moment, steps), { maxLength: 60 }), (drawn) => {
      let state = elapsed(startOf({ ...shortSong, songId: "song-2" }));
      let now = 1000;
      let latest = now;
      let acceptedAt = 900;
      for (const [delay, draw] of drawn) {
        now += delay;
        latest = Math.max(latest, now);
        for (const input of draw(state, now)) {
          const previous = state;
          state = reduce(state, { ...input, now });
          // A resumed song continues the listen that began with its first acceptance.
          if (state.accepted && !previous.accepted && state.heardMs === 0) acceptedAt = now;
          const limit = (state.requiredSeconds + 1) * 1000;
          expect(state.heardMs).toBeGreaterThanOrEqual(0);
          expect(state.heardMs).toBeLessThanOrEqual(limit);
          if (state.phase === "confirming" && previous.phase !== "confirming") {
            expect(latest - acceptedAt).toBeGreaterThanOrEqual(limit);
          }
          if (state.unlocked && !previous.unlocked && !["chosen", "rated"].includes(input.type)) {
            const isBack = input.type === "other-tab-plays";
            if (isBack) expect(previous.heardIds).toContain(state.song?.songId);
            else expect(previous.phase).toBe("confirming");
          }
          if (state.dialogOpen) {
            expect(state).toMatchObject({ place: "app", showRestart: true });
            expect(state.errorType).not.toBeNull();
          }
        }
      }
    }),
    { numRuns: 1000 },
  );
});

test("in the app, playback can be resumed whenever the message contains Error or Wrong", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(moment, fc.oneof(...anyStep)), { maxLength: 60 }), (drawn) => {
      let state = elapsed(startOf(shortSong), initialStateAt("app"));
      let now = 1000;
      for (const [delay, draw] of drawn) {
        now += delay;
        for (const input of draw(state, now)) state = reduce(state, { ...input, now });
        if (/Error|Wrong/.test(state.status.text)) expect(state.showRestart).toBe(true);
      }
    }),
    { numRuns: 1000 },
  );
});

/** The server may know of a song that it was heard, and the page too. */
const heardBefore = fc.constantFrom<Draw>(
  ({ attempt }) => [{ type: "listen-opened", attempt, requiredSeconds: 3, heard: true }],
  one({ type: "chosen", song: { ...shortSong, songId: "song-2", heard: true } }),
);

test.each(["page", "app"] as const)("whatever happens in the %s", (place) => {
  const steps = fc.oneof(
    ...anyStep,
    { weight: 1, arbitrary: inPage.map(one) },
    { weight: 1, arbitrary: heardBefore },
  );
  fc.assert(
    fc.property(fc.array(fc.tuple(moment, steps), { maxLength: 60 }), (drawn) => {
      let state = elapsed(startOf(shortSong), initialStateAt(place));
      let now = 1000;
      for (const [delay, draw] of drawn) {
        now += delay;
        for (const input of draw(state, now)) {
          const previous = state;
          state = reduce(state, { ...input, now });
          const { song: current, unlocked: heard, heardIds } = state;
          // What was heard stays heard, also when it is played again after another song.
          expect(heardIds).toEqual(expect.arrayContaining([...previous.heardIds]));
          expect(heard).toBe(current !== null && heardIds.includes(current.songId));
          const left = secondsLeft(state);
          const isUnbegun =
            state.heardMs === 0 && (state.phase === "failed" || state.phase === "interrupted");
          expect(left === null).toBe(current === null || heard || isUnbegun);
          expect(left ?? 0).toBeGreaterThanOrEqual(0);
          // A song is let go of by who stops it, moves on to another one, to the app, or to another tab.
          if (current?.songId !== previous.song?.songId) {
            const isOver = previous.rated || input.type === "rated";
            const letsGo = ["chosen", "stopped", "place-changed", "other-tab-plays"];
            if (!isOver) expect(letsGo).toContain(input.type);
          }
          // Never two songs at once.
          if (input.type === "chosen" && isBusy(previous)) expect(state).toBe(previous);
          if (state.pauses > previous.pauses) {
            expect(state).toMatchObject({ phase: "interrupted", errorType: "wrongSong" });
            expect(heard).toBe(false);
            expect(state.accepted).toBe(true);
          }
          if (heard && state.phase === "unlocked") {
            expect(state).toMatchObject({ errorType: null, status: { tone: "ok" } });
          }
        }
      }
    }),
    { numRuns: 1000 },
  );
});
