import fc, { type Arbitrary } from "fast-check";
import { expect, test } from "vitest";
import { isBusy, type PlayerState, secondsLeft } from "~/player/machine/state";
import { isSameTrack } from "~/sources/song";
import { after, begin, choose, type Input, playback, shortSong, song } from "../support.ts";

/** What the controller sends in that state, one after the other at once. */
type Draw = (state: PlayerState, now: number) => (Input & { attempt?: number })[];
type Weighed = { weight: number; arbitrary: Arbitrary<Draw> };
type Check = (state: PlayerState, previous: PlayerState, input: Input, now: number) => unknown;

const these =
  (...inputs: Input[]): Draw =>
  () =>
    inputs;
const report = (change: Parameters<typeof playback>[0]): Input => ({
  type: "report",
  report: playback(change),
});
const weighed = (weight: number, ...draws: Draw[]): Weighed => ({
  weight,
  arbitrary: fc.constantFrom(...draws),
});

const oddReport = fc.record({
  trackIds: fc.constantFrom("track-1", "track-9").map((trackId) => [trackId]),
  playing: fc.boolean(),
  progressMs: fc.nat(200_000),
});
const anyReport = fc.oneof(
  weighed(9, (_state, now) => [report({ progressMs: now })]),
  { weight: 2, arbitrary: oddReport.map((change) => these(report(change))) },
  weighed(1, these({ type: "report", report: null })),
);
const short = { ...shortSong, songId: "song-2" };
const tick = these({ type: "tick" });
const blocked = these({ type: "autoplay-failed" });
const accept: Input = { type: "play-accepted" };
const open = (requiredSeconds: number): Input => ({ type: "listen-opened", requiredSeconds });

/** Lets what is drawn happen to the state, and has each step checked, until that is done. */
function check(
  from: PlayerState,
  delays: Arbitrary<number>,
  draws: Weighed[],
  checker: () => Check,
) {
  const steps = fc.array(fc.tuple(delays, fc.oneof(...draws)), { maxLength: 60 });
  const property = fc.property(steps, (drawn) => {
    const look = checker();
    let state = from;
    let now = 1000;
    for (const [delay, draw] of drawn) {
      now += delay;
      for (const input of draw(state, now)) {
        const previous = state;
        state = after(state, now, input);
        if (look(state, previous, input, now) === "done") return;
      }
    }
  });
  fc.assert(property, { numRuns: 1000 });
}

test("a long song only unlocks after reports of it playing for the required time", () => {
  const unlock = (song.requiredSeconds + 1) * 1000;
  const steps = [
    weighed(4, tick),
    { weight: 5, arbitrary: anyReport },
    weighed(1, these({ type: "unanswered" })),
    weighed(1, blocked),
    weighed(1, these({ type: "resumed" }, accept)),
    weighed(1, these({ type: "reset" }, choose(song), open(song.requiredSeconds), accept)),
  ];
  check(begin(song), fc.integer({ min: 0, max: 12_000 }), steps, () => {
    /** Up to when playing time has been added up; null while nothing plays. */
    let countedUntil: number | null = 1000;
    // The tenth of a second between acceptance and the first report may count too.
    let played = 100;
    return (state, previous, input, now) => {
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
      expect(state.reachedMs).toBeGreaterThanOrEqual(0);
      expect(state.reachedMs).toBeLessThanOrEqual(Math.min(unlock, played));
      return state.phase === "confirming" && "done";
    };
  });
});

const unconfirmed = { type: "confirm-failed", text: "Error: not confirmed." } as const;

/** An answer for this attempt or for the one before. */
const answer = fc
  .tuple(
    fc.nat(1),
    fc.constantFrom<Input>(
      accept,
      { type: "confirmed" },
      { ...unconfirmed, kept: false },
      { ...unconfirmed, kept: true },
      { type: "refused", text: "Error: no such song." },
      { type: "start-failed", failure: "no-device" },
      { type: "start-failed", failure: "no-control" },
      { type: "start-failed", failure: "failed" },
    ),
  )
  .map(
    ([old, input]): Draw =>
      ({ attempt }) => [{ ...input, attempt: attempt - old }],
  );

const inAnyPlace: Input[] = [
  { type: "ready" },
  { type: "not-ready" },
  choose(song),
  choose(short),
  { type: "reset" },
  { type: "steered" },
  { type: "resumed" },
  { type: "unanswered" },
  { type: "unknown" },
  { type: "other-tab-plays", song: short },
  { type: "dialog-closed" },
  { type: "rated" },
  { type: "stopped" },
];

/** Inputs that only occur where songs play in the page. */
const inPage: Input[] = [
  { type: "driver-failed", failure: "script" },
  { type: "driver-failed", failure: "authentication" },
  { type: "autoplay-failed" },
  { type: "playback-error" },
  { type: "place-changed", place: "app" },
  { type: "reconnecting", place: "page" },
];

const moment = fc.integer({ min: -50, max: 2_000 });
const anyStep = [
  weighed(6, tick),
  { weight: 6, arbitrary: anyReport },
  { weight: 3, arbitrary: answer },
  // Only sent for a new listen: a resumed song keeps the listen that it has.
  weighed(1, ({ reachedMs }) => (reachedMs === 0 ? [open(3)] : [])),
  weighed(3, ...inAnyPlace.map((input) => these(input))),
];
const stepInPage = weighed(1, ...inPage.map((input) => these(input)));

test("with any inputs, the heard time stays in bounds and a song does not unlock early", () => {
  check(begin(short), moment, [...anyStep, stepInPage], () => {
    let latest = 1000;
    let acceptedAt = 900;
    return (state, previous, input, now) => {
      latest = Math.max(latest, now);
      // A resumed song continues the listen that began with its first acceptance.
      if (state.accepted && !previous.accepted && state.reachedMs === 0) acceptedAt = now;
      const limit = (state.requiredSeconds + 1) * 1000;
      expect(state.reachedMs).toBeGreaterThanOrEqual(0);
      expect(state.reachedMs).toBeLessThanOrEqual(limit);
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
    };
  });
});

test("in the app, playback can be resumed whenever the message contains Error or Wrong", () => {
  check(begin(shortSong, "playing", "app"), moment, anyStep, () => (state) => {
    if (/Error|Wrong/.test(state.status.text)) expect(state.showRestart).toBe(true);
  });
});

/** The server may know of a song that it was heard, and the page too. */
const heardBefore = weighed(
  1,
  these({ type: "listen-opened", requiredSeconds: 3, heard: true }),
  these(choose({ ...short, heard: true })),
);

test.each(["page", "app"] as const)(
  "in the %s, what was heard stays heard, and songs follow one another, whatever happens",
  (place) => {
    const steps = [...anyStep, stepInPage, heardBefore];
    check(begin(shortSong, "playing", place), moment, steps, () => (state, previous, input) => {
      const { song: current, unlocked: heard, heardIds } = state;
      // What was heard stays heard, also when it is played again after another song.
      expect(heardIds).toEqual(expect.arrayContaining([...previous.heardIds]));
      expect(heard).toBe(current !== null && heardIds.includes(current.songId));
      const left = secondsLeft(state);
      const isUnbegun =
        state.reachedMs === 0 && (state.phase === "failed" || state.phase === "interrupted");
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
    });
  },
);
