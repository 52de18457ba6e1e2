import { expect, test } from "vitest";
import type { PlaybackTarget } from "~/player/drivers/driver";
import { playback, settled, shortSong, song, wrongTrack } from "../support.ts";
import { type ControllerRig, controllerRig } from "./rig.ts";

const required = 90;

/** Plays a song with a driver that reports it when asked. */
async function start(rig: ControllerRig): Promise<void> {
  rig.answers.open = async () => ({ ok: true, requiredSeconds: required, heard: false });
  rig.answers.refresh = () => {
    rig.emit({ type: "report", report: playback({ progressMs: rig.clock.now }) });
  };
  rig.emit({ type: "ready" });
  rig.controller.play({ ...song, requiredSeconds: required });
  await settled();
}

async function playingIn(place: PlaybackTarget): Promise<ControllerRig> {
  const rig = controllerRig(place);
  await start(rig);
  expect(rig.state().phase).toBe("playing");
  rig.calls.length = 0;
  rig.clock.fired = 0;
  return rig;
}

test.each([
  { place: "app", polls: 30 },
  { place: "page", polls: 6 },
] as const)("polls $polls times a minute in the $place", async ({ place, polls }) => {
  const rig = await playingIn(place);
  await rig.pass(60_500);
  expect(rig.calls).toEqual(Array(polls).fill("refresh"));
});

test.each([
  { place: "app", polls: 30 },
  { place: "page", polls: 6 },
] as const)(
  "polls $polls times a minute in the $place even when answers are slow",
  async ({ place, polls }) => {
    const rig = await playingIn(place);
    const answer = rig.answers.refresh;
    let due: number | null = null;
    rig.answers.refresh = () => {
      due = rig.clock.now + 200;
    };
    while (rig.clock.now < 60_500) {
      await rig.pass(100);
      if (due === rig.clock.now) answer();
    }
    expect(rig.calls).toEqual(Array(polls).fill("refresh"));
  },
);

test("keeps polling for one minute after the song was interrupted", async () => {
  const rig = await playingIn("app");
  const report = playback({ playing: false, progressMs: 2_000 });
  rig.answers.refresh = () => rig.emit({ type: "report", report });
  await rig.pass(4_500);
  expect(rig.state().phase).toBe("interrupted");
  rig.calls.length = 0;
  await rig.pass(50_000);
  expect(rig.calls).toEqual(Array(25).fill("refresh"));
  await rig.pass(10_000);
  rig.calls.length = 0;
  await rig.pass(600_000);
  expect(rig.calls).toEqual([]);
  rig.controller.check();
  expect(rig.calls).toEqual(["refresh"]);
});

test("keeps polling at the same rate while Spotify cannot say whether the song continues", async () => {
  const rig = await playingIn("app");
  rig.answers.refresh = () => rig.emit({ type: "report", report: null });
  await rig.pass(4_500);
  rig.answers.refresh = () => rig.emit({ type: "unanswered" });
  rig.calls.length = 0;
  await rig.pass(20_000);
  expect(rig.calls).toEqual(Array(10).fill("refresh"));
});

test("polls every second until the requested song plays", async () => {
  const rig = controllerRig("page");
  await start(rig);
  rig.controller.restart();
  rig.answers.refresh = () => rig.emit({ type: "report", report: null });
  await rig.pass(50);
  rig.calls.length = 0;
  await rig.pass(5_500);
  expect(rig.calls).toEqual(Array(5).fill("refresh"));
});

test.each(["app", "page"] as const)("ticks once a second in the %s", async (place) => {
  const rig = await playingIn(place);
  rig.states.length = 0;
  await rig.pass(60_500);
  expect(rig.clock.fired).toBe(60);
  const seconds = new Set(rig.states.map(({ heardMs }) => heardMs));
  expect([...seconds]).toEqual(Array.from({ length: 60 }, (_, index) => (index + 1) * 1000));
});

test("the timer shows every second, at whatever time playback began", async () => {
  const rig = controllerRig("page");
  rig.answers.open = async () => ({ ok: true, requiredSeconds: required, heard: false });
  rig.emit({ type: "ready" });
  rig.controller.play({ ...song, requiredSeconds: required });
  await rig.pass(400);
  rig.emit({ type: "report", report: playback({ progressMs: 100 }) });
  await rig.pass(600);
  rig.states.length = 0;
  await rig.pass(4_000);
  expect(rig.states.map(({ heardMs }) => heardMs)).toEqual([1_000, 2_000, 3_000, 4_000]);
});

test("asks at once when the listener comes back to the tab", async () => {
  const rig = await playingIn("app");
  rig.controller.check();
  expect(rig.calls).toEqual(["refresh"]);
  rig.emit({ type: "report", report: null });
  await rig.pass(1_600);
  rig.emit({ type: "report", report: null });
  expect(rig.state().phase).toBe("interrupted");
  rig.calls.length = 0;
  rig.controller.check();
  expect(rig.calls).toEqual(["refresh"]);
});

test("polls every second while a pause may be the player's own", async () => {
  const rig = controllerRig("page");
  await start(rig);
  const loading = playback({ playing: false });
  rig.emit({ type: "report", report: loading });
  rig.answers.refresh = () => rig.emit({ type: "report", report: loading });
  rig.calls.length = 0;
  await rig.pass(1_000);
  expect(rig.calls).toEqual(["refresh"]);
  await rig.pass(1_000);
  expect(rig.calls).toEqual(["refresh", "refresh"]);
  expect(rig.state().phase).toBe("interrupted");
});

test("stops polling when the song has ended, and counts on by the clock alone", async () => {
  const rig = controllerRig("app");
  rig.emit({ type: "ready" });
  rig.controller.play({ ...shortSong, requiredSeconds: 30 });
  rig.answers.open = async () => ({ ok: true, requiredSeconds: 30, heard: false });
  await settled();
  rig.emit({ type: "report", report: playback({ durationMs: 4_000 }) });
  await rig.pass(3_500);
  rig.emit({ type: "report", report: null });
  rig.calls.length = 0;
  await rig.pass(20_000);
  expect(rig.state()).toMatchObject({ phase: "playing", ended: true, heardMs: 23_000 });
  expect(rig.calls).toEqual([]);
});

test("asks nothing while the driver is connecting", async () => {
  const rig = controllerRig("app");
  rig.controller.play(song);
  await rig.pass(7_000);
  expect(rig.calls).toEqual(["activate"]);
});

test("asks nothing when no song plays", () => {
  const rig = controllerRig("app");
  rig.emit({ type: "ready" });
  rig.controller.check();
  expect(rig.calls).toEqual([]);
});

test("asks at once when the device goes away", async () => {
  const rig = await playingIn("page");
  rig.answers.refresh = () => undefined;
  rig.emit({ type: "not-ready" });
  expect(rig.calls).toEqual(["refresh"]);
  expect(rig.state().phase).toBe("playing");
});

test("a song that played while the machine slept unlocks on waking", async () => {
  const rig = await playingIn("app");
  await rig.pass(60_000);
  await rig.sleep(40_000);
  await settled();
  expect(rig.calls.at(-1)).toBe("confirm song-1 at 100000");
  expect(rig.state().phase).toBe("unlocked");
});

test("the time that a song was paused while the machine slept does not count", async () => {
  const rig = await playingIn("app");
  await rig.pass(60_000);
  rig.answers.refresh = () => {
    rig.emit({ type: "report", report: playback({ playing: false, progressMs: 61_000 }) });
  };
  await rig.sleep(40_000);
  await rig.pass(2_000);
  expect(rig.state()).toMatchObject({ phase: "interrupted", heardMs: 61_500 });
});

test("no timer is left when the song is unlocked", async () => {
  const rig = await playingIn("page");
  await rig.pass(91_000);
  await settled();
  expect(rig.state().phase).toBe("unlocked");
  expect(rig.timers()).toBe(0);
});

test("no timer is left when the song is stopped, even if it was about to start over", async () => {
  const rig = await playingIn("page");
  rig.controller.stop();
  expect(rig.timers()).toBe(0);
  await start(rig);
  rig.controller.restart();
  rig.controller.stop();
  expect(rig.timers()).toBe(0);
});

test("no timer is left when the song has failed", async () => {
  const rig = await playingIn("page");
  rig.emit({ type: "playback-error" });
  expect(rig.state().phase).toBe("failed");
  expect(rig.timers()).toBe(0);
});

test("no timer of a confirmation is left when the song is stopped", async () => {
  const rig = await playingIn("page");
  rig.answers.confirm = async () => ({ ok: false, error: null, secondsLeft: 9 });
  await rig.pass(91_000);
  await settled();
  expect(rig.timers()).toBe(1);
  rig.controller.stop();
  expect(rig.timers()).toBe(0);
});

test("only one confirmation is in progress after a wrong song in between", async () => {
  const rig = await playingIn("app");
  rig.answers.confirm = async () => ({ ok: false, error: null, secondsLeft: 9 });
  await rig.pass(91_000);
  rig.emit({ type: "report", report: wrongTrack });
  expect(rig.state().phase).toBe("interrupted");
  rig.emit({ type: "report", report: playback({ progressMs: 91_000 }) });
  await rig.pass(1_000);
  expect(rig.state().phase).toBe("confirming");
  expect(rig.timers()).toBe(1);
});

test.each<[string, (rig: ControllerRig) => void | Promise<void>]>([
  ["playing", () => undefined],
  ["about to start over", (rig) => rig.controller.restart()],
  [
    "waiting for the confirmation",
    (rig) => {
      rig.answers.confirm = async () => ({ ok: false, error: null, secondsLeft: 9 });
      return rig.pass(91_000);
    },
  ],
])("nothing keeps running after dispose: %s", async (_name, prepare) => {
  const rig = await playingIn("page");
  await prepare(rig);
  await settled();
  expect(rig.timers()).toBeGreaterThan(0);
  rig.controller.dispose();
  expect(rig.timers()).toBe(0);
  expect(rig.calls.at(-1)).toBe("disconnect page");
  const last = rig.state();
  rig.emit({ type: "report", report: null });
  await rig.pass(10_000);
  expect(rig.state()).toBe(last);
  expect(rig.calls.at(-1)).toBe("disconnect page");
});

test("opens no listen when disposed of before the start", async () => {
  const rig = controllerRig("page");
  rig.emit({ type: "ready" });
  rig.controller.play(song);
  rig.controller.dispose();
  await rig.pass(1_000);
  expect(rig.count("open")).toBe(0);
});
