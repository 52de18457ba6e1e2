/** What the player says and does while its driver connects, fails, or is replaced. */
import { expect, test } from "vitest";
import { wantsTicks } from "~/player/machine/machine";
import { failureMessages, messages } from "~/player/machine/messages";
import {
  canResume,
  initialStateAt,
  type PlayerInput,
  playsElsewhere,
  toSnapshot,
} from "~/player/machine/state";
import { elapsed, otherSong, playback, song, statesIn } from "../support.ts";

const states = statesIn("page");
const tick: PlayerInput = { type: "tick" };
const reconnect: PlayerInput = { type: "reconnecting", place: "page" };
const connecting = { text: "Connecting to Spotify...", tone: "ok" };
const ready = { text: "Ready", tone: "ok" };

test("an idle player says how its driver is", () => {
  expect(states.connecting.status).toEqual(connecting);
  expect(states.idle.status).toEqual(ready);
  const away = elapsed([[1_000, { type: "not-ready" }]], states.idle);
  expect(away.status).toEqual(connecting);
  expect(elapsed([[2_000, { type: "ready" }]], away).status).toEqual(ready);
});

test.each(["script", "initialization", "authentication", "account"] as const)(
  "an idle player says at once that it cannot start: %s",
  (failure) => {
    const failed: PlayerInput = { type: "driver-failed", failure };
    const error = { text: failureMessages[failure], tone: "error" };
    expect(elapsed([[1_000, failed]], states.connecting)).toMatchObject({
      phase: "idle",
      status: error,
      showRestart: false,
    });
    expect(elapsed([[1_000, failed]], states.idle).status).toEqual(error);
    const stopped = elapsed(
      [
        [5_000, failed],
        [6_000, { type: "stopped" }],
      ],
      states.playing,
    );
    expect(stopped.status).toEqual(error);
  },
);

test("a song that was given up waiting for the driver says what was wrong with it", () => {
  const late = elapsed([[8_001, tick]], states.loading);
  expect(late).toMatchObject({ phase: "failed", driver: "not-ready", showRestart: true });
  const told = elapsed([[9_000, { type: "driver-failed", failure: "account" }]], late);
  expect(told).toMatchObject({ status: { text: messages.noPremium }, showRestart: false });
});

test("connecting is watched for eight seconds, in the page alone", () => {
  expect(wantsTicks(states.connecting, 1_000)).toBe(true);
  expect(elapsed([[8_000, tick]], states.connecting).driver).toBe("connecting");
  const slow = elapsed([[8_001, tick]], states.connecting);
  expect(slow).toMatchObject({ phase: "idle", driver: "not-ready", status: connecting });
  expect(wantsTicks(slow, 9_000)).toBe(false);
  expect(wantsTicks(initialStateAt("app"), 1_000)).toBe(false);
});

test("another driver has eight seconds of its own, and a song that waits is played by it", () => {
  const again = elapsed([[7_000, reconnect]], states.loading);
  expect(elapsed([[15_000, tick]], again)).toMatchObject({ phase: "loading", song });
  expect(elapsed([[15_001, tick]], again)).toMatchObject({ phase: "failed" });
  expect(elapsed([[15_000, { type: "ready" }]], again)).toMatchObject({ phase: "starting", song });
});

test.each(["failed", "broken"] as const)("another driver begins calmly: %s", (name) => {
  const state = elapsed([[20_000, reconnect]], states[name]);
  expect(state).toMatchObject({ song: states[name].song, driver: "connecting", errorType: null });
  expect(state.status).toEqual(connecting);
  expect(elapsed([[21_000, { type: "ready" }]], state).status).toEqual(ready);
});

test("what was heard of a song is kept for another driver, which knows nothing of what plays", () => {
  const state = elapsed([[6_000, reconnect]], states.playing);
  expect(state).toMatchObject({ phase: "interrupted", song, heardMs: 5_000, showRestart: true });
  const stale = elapsed([[6_500, { type: "report", report: playback() }]], state);
  expect(stale.phase).toBe("interrupted");
  expect(wantsTicks({ ...stale, driver: "ready" }, 7_000)).toBe(false);
  const waiting = elapsed([[9_000, { type: "resumed" }]], state);
  expect(waiting).toMatchObject({ phase: "loading", heardMs: 5_000 });
  const resumed = elapsed([[9_500, { type: "ready" }]], waiting);
  expect(resumed).toMatchObject({ phase: "starting", heardMs: 5_000 });
});

test("a song that never began is not there to be resumed with another driver", () => {
  const broken = elapsed([[1_000, { type: "chosen", song }]], states.broken);
  const again = elapsed(
    [
      [2_000, reconnect],
      [3_000, { type: "ready" }],
    ],
    broken,
  );
  expect(again).toMatchObject({ phase: "failed", song, showRestart: true, status: ready });
  for (const state of [broken, again]) {
    expect(toSnapshot(state)).toMatchObject({ busy: false, secondsLeft: null });
    expect(canResume(state)).toBe(false);
  }
});

test("a driver that was late or lost tells when it is ready", () => {
  const late = elapsed([[8_001, tick]], states.loading);
  const lost = elapsed(
    [
      [6_000, { type: "not-ready" }],
      [6_500, { type: "report", report: null }],
    ],
    states.playing,
  );
  for (const state of [late, lost]) {
    expect(state.status.text).toBe(messages.notReady);
    expect(elapsed([[20_000, { type: "ready" }]], state).status).toEqual(ready);
  }
  expect(canResume(lost)).toBe(true);
});

test("a limit at the start is told while it is waited for", () => {
  const limited = elapsed([[800, { type: "unanswered", limited: true }]], states.starting);
  const text = "Spotify is asking us to slow down. Please wait a moment...";
  expect(limited).toMatchObject({ phase: "starting", status: { text, tone: "error" } });
  const accepted = elapsed([[7_800, { type: "play-accepted", attempt: 1 }]], limited);
  expect(accepted.status).toEqual({ text: messages.starting, tone: "ok" });
});

test.each(["confirming", "unlocked"] as const)("another driver does not disturb: %s", (name) => {
  const state = elapsed([[40_000, reconnect]], states[name]);
  const { phase, unlocked, heardMs, status } = states[name];
  expect(state).toMatchObject({ phase, unlocked, heardMs, status, sounding: false });
});

test("a browser that moved to the app comes back to the page with its own volume", () => {
  const moved = elapsed([[1_000, { type: "place-changed", place: "app" }]], states.broken);
  expect(moved).toMatchObject({ place: "app", volume: null });
  expect(elapsed([[1_500, { type: "volume-set", volume: 0.3 }]], moved).volume).toBeNull();
  expect(elapsed([[2_000, reconnect]], moved)).toMatchObject({ place: "page", volume: 0.8 });
});

test("the volume outlives songs and drivers", () => {
  const quiet = elapsed([[2_000, { type: "volume-set", volume: 0.3 }]], states.playing);
  const later = elapsed(
    [
      [3_000, { type: "stopped" }],
      [4_000, reconnect],
    ],
    quiet,
  );
  expect(later.volume).toBe(0.3);
});

test.each(["idle", "loading", "starting", "playing", "paused"] as const)(
  "a song that begins in another tab ends this one, and is told apart from another device: %s",
  (name) => {
    const state = elapsed([[12_000, { type: "other-tab-plays", song: otherSong }]], states[name]);
    expect(state).toMatchObject({ phase: "failed", showRestart: true, errorType: null });
    expect(state.song).toBe(otherSong);
    expect(state.status).toEqual({
      text: "This song plays in another of your tabs. Listen on there, or play it here from the start.",
      tone: "ok",
      kind: "elsewhere",
    });
    expect(playsElsewhere(state)).toBe(true);
    const again = elapsed([[13_000, { type: "chosen", song: otherSong }]], state);
    expect(playsElsewhere(again)).toBe(false);
    // Its listen is gone, so it cannot go on by itself.
    const report: PlayerInput = { type: "report", report: playback({ progressMs: 12_000 }) };
    expect(elapsed([[12_100, report]], state)).toBe(state);
  },
);

test("a song that is being confirmed waits for the answer, though another tab has begun one", () => {
  const state = elapsed(
    [[36_200, { type: "other-tab-plays", song: otherSong }]],
    states.confirming,
  );
  const report = playback({ trackIds: ["track-2"], progressMs: 100 });
  const seen = elapsed([[36_300, { type: "report", report }]], state);
  expect(seen).toMatchObject({ phase: "confirming", pauses: 0 });
  expect(elapsed([[36_400, { type: "confirmed", attempt: 1 }]], seen).phase).toBe("unlocked");
  const refused: PlayerInput = {
    type: "confirm-failed",
    attempt: 1,
    text: "No listen.",
    kept: false,
  };
  expect(elapsed([[36_400, refused]], seen).status.text).toBe(messages.otherTab);
});
