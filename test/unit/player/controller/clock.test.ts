import { expect, test } from "vitest";
import type { PlaybackTarget } from "~/player/drivers/driver";
import { pausedAt, plays, shortSong, song, wrongTrack } from "../support.ts";
import { type ControllerRig, controllerRig } from "./rig.ts";

const long = { ...song, requiredSeconds: 90 };
const unreachable = async () => ({ ok: false, error: null, secondsLeft: 9 }) as const;
const polled = (times: number) => Array(times).fill("refresh");

/** A song that plays with a driver that reports it when asked. */
async function playingIn(place: PlaybackTarget): Promise<ControllerRig> {
  const rig = controllerRig(place);
  rig.answers.refresh = () => rig.report(plays(rig.clock.now));
  await rig.ask(long);
  expect(rig.state().phase).toBe("playing");
  rig.calls();
  rig.clock.fired = 0;
  return rig;
}

const rates = [
  [30, "app"],
  [6, "page"],
] as const;

test.each(rates)(
  "polls %i times a minute in the %s, and ticks once a second",
  async (polls, place) => {
    const rig = await playingIn(place);
    rig.states.length = 0;
    await rig.pass(60_500);
    expect(rig.calls()).toEqual(polled(polls));
    expect(rig.clock.fired).toBe(60);
    const seconds = new Set(rig.states.map(({ reachedMs }) => reachedMs));
    expect([...seconds]).toEqual(Array.from({ length: 60 }, (_, index) => (index + 1) * 1000));
  },
);

test.each(rates)(
  "polls %i times a minute in the %s even when answers are slow",
  async (polls, place) => {
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
    expect(rig.calls()).toEqual(polled(polls));
  },
);

test("keeps polling for one minute after the song was interrupted", async () => {
  const rig = await playingIn("app");
  rig.answers.refresh = () => rig.report(pausedAt(2_000));
  await rig.pass(4_500);
  expect(rig.state().phase).toBe("interrupted");
  rig.calls();
  await rig.pass(50_000);
  expect(rig.calls()).toEqual(polled(25));
  await rig.pass(10_000);
  rig.calls();
  await rig.pass(600_000);
  expect(rig.calls()).toEqual([]);
  rig.check();
  expect(rig.calls()).toEqual(["refresh"]);
});

test("keeps polling at the same rate while Spotify cannot say whether the song continues", async () => {
  const rig = await playingIn("app");
  rig.answers.refresh = () => rig.report(null);
  await rig.pass(4_500);
  rig.answers.refresh = () => rig.emit({ type: "unanswered" });
  rig.calls();
  await rig.pass(20_000);
  expect(rig.calls()).toEqual(polled(10));
});

test("polls every second until the requested song plays", async () => {
  const rig = await playingIn("page");
  rig.restart();
  rig.answers.refresh = () => rig.report(null);
  await rig.pass(50);
  rig.calls();
  await rig.pass(5_500);
  expect(rig.calls()).toEqual(polled(5));
});

test("polls every second while a pause may be the player's own", async () => {
  const rig = await playingIn("page");
  rig.report(pausedAt(0));
  rig.answers.refresh = () => rig.report(pausedAt(0));
  await rig.pass(1_000);
  expect(rig.calls()).toEqual(polled(1));
  await rig.pass(1_000);
  expect(rig.calls()).toEqual(polled(1));
  expect(rig.state().phase).toBe("interrupted");
});

test("the timer shows every second, at whatever time playback began", async () => {
  const rig = controllerRig("page");
  await rig.ask(long);
  await rig.pass(400);
  rig.report(plays(100));
  await rig.pass(600);
  rig.states.length = 0;
  await rig.pass(4_000);
  expect(rig.states.map(({ reachedMs }) => reachedMs)).toEqual([1_000, 2_000, 3_000, 4_000]);
});

test("asks at once when the listener comes back to the tab, and when the device goes away", async () => {
  const rig = await playingIn("app");
  rig.check();
  expect(rig.calls()).toEqual(["refresh"]);
  rig.emit("not-ready");
  expect(rig.calls()).toEqual(["refresh"]);
  expect(rig.state().phase).toBe("playing");
  await rig.pass(1_600);
  rig.report(null);
  expect(rig.state().phase).toBe("interrupted");
  rig.calls();
  rig.check();
  expect(rig.calls()).toEqual(["refresh"]);
});

test("stops polling when the song has ended, and counts on by the clock alone", async () => {
  const rig = controllerRig("app");
  await rig.start({ ...shortSong, requiredSeconds: 30 });
  await rig.pass(3_500);
  rig.report(null);
  rig.calls();
  await rig.pass(20_000);
  expect(rig.state()).toMatchObject({ phase: "playing", ended: true, reachedMs: 23_000 });
  expect(rig.calls()).toEqual([]);
});

test("asks nothing while no song plays, nor while the driver connects", async () => {
  const rig = controllerRig("app");
  rig.check();
  expect(rig.calls()).toEqual([]);
  rig.play(song);
  await rig.pass(7_000);
  expect(rig.calls()).toEqual(["activate"]);
});

test("a song that played while the machine slept unlocks on waking", async () => {
  const rig = await playingIn("app");
  await rig.pass(60_000);
  await rig.sleep(40_000);
  expect(rig.calls().at(-1)).toBe("confirm song-1 at 100000");
  expect(rig.state().phase).toBe("unlocked");
});

test("the time that a song was paused while the machine slept does not count", async () => {
  const rig = await playingIn("app");
  await rig.pass(60_000);
  rig.answers.refresh = () => rig.report(pausedAt(61_000));
  await rig.sleep(40_000);
  await rig.pass(2_000);
  expect(rig.state()).toMatchObject({ phase: "interrupted", reachedMs: 61_500 });
});

test.each<[string, (rig: ControllerRig) => unknown]>([
  ["is unlocked", (rig) => rig.pass(91_000)],
  ["is stopped", (rig) => rig.stop()],
  [
    "is stopped, though it was about to start over",
    (rig) => {
      rig.restart();
      rig.stop();
    },
  ],
  ["has failed", (rig) => rig.emit({ type: "playback-error" })],
  [
    "is stopped while it is confirmed",
    async (rig) => {
      rig.answers.confirm = unreachable;
      await rig.pass(91_000);
      expect(rig.timers()).toBe(1);
      rig.stop();
    },
  ],
])("no timer is left when the song %s", async (_name, end) => {
  const rig = await playingIn("page");
  await end(rig);
  expect(rig.timers()).toBe(0);
});

test("only one confirmation is in progress after a wrong song in between", async () => {
  const rig = await playingIn("app");
  rig.answers.confirm = unreachable;
  await rig.pass(91_000);
  rig.report(wrongTrack);
  expect(rig.state().phase).toBe("interrupted");
  rig.report(plays(91_000));
  await rig.pass(1_000);
  expect(rig.state().phase).toBe("confirming");
  expect(rig.timers()).toBe(1);
});

test.each<[string, (rig: ControllerRig) => unknown]>([
  ["playing", () => undefined],
  ["about to start over", (rig) => rig.restart()],
  [
    "waiting for the confirmation",
    (rig) => {
      rig.answers.confirm = unreachable;
      return rig.pass(91_000);
    },
  ],
])("nothing keeps running after dispose: %s", async (_name, prepare) => {
  const rig = await playingIn("page");
  await prepare(rig);
  expect(rig.timers()).toBeGreaterThan(0);
  rig.dispose();
  expect(rig.timers()).toBe(0);
  expect(rig.calls().at(-1)).toBe("disconnect page");
  const last = rig.state();
  rig.report(null);
  await rig.pass(10_000);
  expect(rig.state()).toBe(last);
  expect(rig.calls()).toEqual([]);
});

test("opens no listen when disposed of before the start", async () => {
  const rig = controllerRig("page");
  rig.emit("ready");
  rig.play(song);
  rig.dispose();
  await rig.pass(1_000);
  expect(rig.count("open")).toBe(0);
});
