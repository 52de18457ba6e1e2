/** What the player says and does while its driver connects, fails, or is replaced. */
import { expect, test } from "vitest";
import { wantsTicks } from "~/player/machine/machine";
import { failureMessages, messages } from "~/player/machine/messages";
import { canResume, initialStateAt, playsElsewhere, toSnapshot } from "~/player/machine/state";
import { after, choose, otherSong, playback, plays, song, statesIn } from "../support.ts";

const states = statesIn("page");
const reconnect = { type: "reconnecting", place: "page" } as const;
const otherTab = { type: "other-tab-plays", song: otherSong } as const;
const connecting = { text: "Connecting to Spotify...", tone: "ok" };
const ready = { text: "Ready", tone: "ok" };

test("an idle player says how its driver is", () => {
  expect(states.connecting.status).toEqual(connecting);
  expect(states.idle.status).toEqual(ready);
  const away = after(states.idle, 1_000, "not-ready");
  expect(away.status).toEqual(connecting);
  expect(after(away, 2_000, "ready").status).toEqual(ready);
});

test.each(["script", "initialization", "authentication", "account"] as const)(
  "an idle player says at once that it cannot start: %s",
  (failure) => {
    const failed = { type: "driver-failed", failure } as const;
    const status = { text: failureMessages[failure], tone: "error" };
    const told = { phase: "idle", status, showRestart: false };
    for (const idle of [states.connecting, states.idle]) {
      expect(after(idle, 1_000, failed)).toMatchObject(told);
    }
    expect(after(states.playing, 5_000, failed, 6_000, "stopped")).toMatchObject(told);
  },
);

test("a song that was given up waiting for the driver says what was wrong with it", () => {
  const late = after(states.loading, 8_001, "tick");
  expect(late).toMatchObject({ phase: "failed", driver: "not-ready", showRestart: true });
  expect(after(late, 9_000, { type: "driver-failed", failure: "account" })).toMatchObject({
    status: { text: messages.noPremium },
    showRestart: false,
  });
});

test("connecting is watched for eight seconds, in the page alone", () => {
  expect(wantsTicks(states.connecting, 1_000)).toBe(true);
  expect(after(states.connecting, 8_000, "tick").driver).toBe("connecting");
  const slow = after(states.connecting, 8_001, "tick");
  expect(slow).toMatchObject({ phase: "idle", driver: "not-ready", status: connecting });
  expect(wantsTicks(slow, 9_000)).toBe(false);
  expect(wantsTicks(initialStateAt("app"), 1_000)).toBe(false);
});

test("another driver has eight seconds of its own, and a song that waits is played by it", () => {
  const again = after(states.loading, 7_000, reconnect);
  expect(after(again, 15_000, "tick")).toMatchObject({ phase: "loading", song });
  expect(after(again, 15_001, "tick").phase).toBe("failed");
  expect(after(again, 15_000, "ready")).toMatchObject({ phase: "starting", song });
});

test.each(["failed", "broken"] as const)("another driver begins calmly: %s", (name) => {
  const state = after(states[name], 20_000, reconnect);
  expect(state).toMatchObject({ song: states[name].song, driver: "connecting", errorType: null });
  expect(state.status).toEqual(connecting);
  expect(after(state, 21_000, "ready").status).toEqual(ready);
});

test("what was heard of a song is kept for another driver, which knows nothing of what plays", () => {
  const state = after(states.playing, 6_000, reconnect);
  expect(state).toMatchObject({ phase: "interrupted", song, reachedMs: 5_000, showRestart: true });
  const stale = after(state, 6_500, playback());
  expect(stale.phase).toBe("interrupted");
  expect(wantsTicks({ ...stale, driver: "ready" }, 7_000)).toBe(false);
  const waiting = after(state, 9_000, "resumed");
  expect(waiting).toMatchObject({ phase: "loading", reachedMs: 5_000 });
  expect(after(waiting, 9_500, "ready")).toMatchObject({ phase: "starting", reachedMs: 5_000 });
});

test("a song that never began is not there to be resumed with another driver", () => {
  const broken = after(states.broken, 1_000, choose(song));
  const again = after(broken, 2_000, reconnect, 3_000, "ready");
  expect(again).toMatchObject({ phase: "failed", song, showRestart: true, status: ready });
  for (const state of [broken, again]) {
    expect(toSnapshot(state)).toMatchObject({ busy: false, secondsLeft: null });
    expect(canResume(state)).toBe(false);
  }
});

test("a driver that was late or lost tells when it is ready", () => {
  const late = after(states.loading, 8_001, "tick");
  const lost = after(states.playing, 6_000, "not-ready", 6_500, null);
  for (const [state, text] of [
    [late, messages.notReady],
    [lost, messages.lost],
  ] as const) {
    expect(state.status.text).toBe(text);
    expect(after(state, 20_000, "ready").status).toEqual(ready);
  }
  expect(canResume(lost)).toBe(true);
});

test("a limit at the start is told while it is waited for", () => {
  const limited = after(states.starting, 800, { type: "unanswered", limited: true });
  const text = "Spotify asks us to slow down. The song starts by itself.";
  expect(limited).toMatchObject({ phase: "starting", status: { text, tone: "ok" } });
  const { status } = after(limited, 7_800, "play-accepted");
  expect(status).toEqual({ text: messages.starting, tone: "ok" });
});

test.each(["confirming", "unlocked"] as const)("another driver does not disturb: %s", (name) => {
  const { phase, unlocked, reachedMs, status } = states[name];
  expect(after(states[name], 40_000, reconnect)).toMatchObject({
    ...{ phase, unlocked, reachedMs, status, sounding: false },
  });
});

test("a browser that moved to the app comes back to the page with its own volume", () => {
  const moved = after(states.broken, 1_000, { type: "place-changed", place: "app" });
  expect(moved).toMatchObject({ place: "app", volume: null });
  expect(after(moved, 1_500, { type: "volume-set", volume: 0.3 }).volume).toBeNull();
  expect(after(moved, 2_000, reconnect)).toMatchObject({ place: "page", volume: 0.8 });
});

test("the volume outlives songs and drivers", () => {
  const quiet = after(states.playing, 2_000, { type: "volume-set", volume: 0.3 });
  expect(after(quiet, 3_000, "stopped", 4_000, reconnect).volume).toBe(0.3);
});

test.each(["idle", "loading", "starting", "playing", "paused"] as const)(
  "a song that begins in another tab ends this one, and is told apart from another device: %s",
  (name) => {
    const state = after(states[name], 12_000, otherTab);
    expect(state).toMatchObject({
      ...{ phase: "failed", showRestart: true, errorType: null, song: otherSong },
    });
    expect(state.status).toEqual({
      text: "This song plays in another of your tabs. Listen on there, or play it here from the start.",
      tone: "ok",
      kind: "elsewhere",
    });
    expect(playsElsewhere(state)).toBe(true);
    expect(playsElsewhere(after(state, 13_000, choose(otherSong)))).toBe(false);
    // Its listen is gone, so it cannot go on by itself.
    expect(after(state, 12_100, plays(12_000))).toBe(state);
  },
);

test("a song that is being confirmed waits for the answer, though another tab has begun one", () => {
  const told = after(states.confirming, 36_200, otherTab);
  const seen = after(told, 36_300, plays(100, { trackIds: ["track-2"] }));
  expect(seen).toMatchObject({ phase: "confirming", pauses: 0 });
  expect(after(seen, 36_400, "confirmed").phase).toBe("unlocked");
  const refused = { type: "confirm-failed", text: "No listen.", kept: false } as const;
  expect(after(seen, 36_400, refused).status.text).toBe(messages.otherTab);
});
