import { expect, test } from "vitest";
import type { PlaybackReport } from "~/player/drivers/driver";
import type { ConfirmResult } from "~/player/listen-api";
import { otherSong, playback, settled, song, wrongTrack } from "../support.ts";
import { type ControllerRig, controllerRig } from "./rig.ts";

/** Plays a song for ten seconds. */
async function playTenSeconds(rig: ControllerRig): Promise<void> {
  rig.answers.open = async () => ({ ok: true, requiredSeconds: 34, heard: false });
  rig.emit({ type: "ready" });
  rig.controller.play(song);
  await settled();
  rig.emit({ type: "report", report: playback() });
  await rig.pass(10_000);
  rig.emit({ type: "report", report: playback({ progressMs: 10_000 }) });
}

const paused = playback({ playing: false, progressMs: 10_000 });

/** A promise that resolves when the test says so. */
function deferred<T>() {
  let give: (value: T) => void = () => undefined;
  const answer = new Promise<T>((resolve) => {
    give = resolve;
  });
  return { answer, give };
}

test.each<[string, PlaybackReport]>([
  ["a pause", paused],
  ["a wrong song", wrongTrack],
])(
  "in the app, after %s, a restart resumes the song in the listen that is open",
  async (_name, report) => {
    const rig = controllerRig("app");
    await playTenSeconds(rig);
    rig.emit({ type: "report", report });
    rig.calls.length = 0;
    rig.controller.restart();
    await settled();
    expect(rig.calls).toEqual([
      "activate",
      "prepare",
      "announce",
      "play spotify:track:track-1 from 10000",
      "refresh",
    ]);
    rig.emit({ type: "report", report: playback({ progressMs: 10_000 }) });
    expect(rig.state()).toMatchObject({ phase: "playing", heardMs: 10_000, attempt: 2 });
  },
);

test.each(["page", "app"] as const)(
  "in the %s, a pause is told by a report, and what was paused goes on where it stands",
  async (place) => {
    const rig = controllerRig(place);
    await playTenSeconds(rig);
    rig.calls.length = 0;
    rig.controller.pause();
    await settled();
    expect(rig.calls).toEqual(["pause", "refresh"]);
    expect(rig.state().phase).toBe("playing");
    rig.emit({ type: "report", report: paused });
    expect(rig.state()).toMatchObject({ phase: "interrupted", held: true });
    rig.calls.length = 0;
    rig.controller.resume();
    await settled();
    expect(rig.calls).toEqual(["activate", "resume", "refresh"]);
    rig.emit({ type: "report", report: playback({ progressMs: 10_000 }) });
    expect(rig.state()).toMatchObject({ phase: "playing", heardMs: 10_000, attempt: 2 });
  },
);

test("what is no longer on where it was paused is played from where it was heard to", async () => {
  const rig = controllerRig();
  await playTenSeconds(rig);
  rig.controller.pause();
  rig.emit({ type: "report", report: paused });
  rig.answers.current = wrongTrack;
  rig.calls.length = 0;
  rig.controller.resume();
  await settled();
  expect(rig.calls).toContain("play spotify:track:track-1 from 10000");
  expect(rig.count("open")).toBe(0);
});

test("a song that was heard is paused and resumed as it stands", async () => {
  const rig = controllerRig("app");
  rig.emit({ type: "ready" });
  rig.controller.play({ ...song, heard: true });
  await settled();
  rig.emit({ type: "report", report: playback() });
  rig.calls.length = 0;
  rig.controller.pause();
  await settled();
  rig.emit({ type: "report", report: paused });
  rig.controller.resume();
  await settled();
  expect(rig.calls).toEqual(["pause", "refresh", "activate", "resume", "refresh"]);
  expect(rig.state()).toMatchObject({ phase: "unlocked", attempt: 1 });
});

test("in the app, a song that failed to start starts over", async () => {
  const rig = controllerRig("app");
  rig.answers.play = async () => "no-control";
  rig.emit({ type: "ready" });
  rig.controller.play(song);
  await settled();
  rig.controller.restart();
  await rig.pass(50);
  expect(rig.count("open")).toBe(2);
});

test("in the app, a song without heard time starts over", async () => {
  const rig = controllerRig("app");
  rig.emit({ type: "ready" });
  rig.controller.play(song);
  await rig.pass(12_000);
  expect(rig.state()).toMatchObject({ phase: "interrupted", heardMs: 0 });
  rig.controller.restart();
  await rig.pass(50);
  expect(rig.count("open")).toBe(2);
});

test("in the page, an interrupted song starts over after 50 ms, in a new listen", async () => {
  const rig = controllerRig();
  await playTenSeconds(rig);
  rig.emit({ type: "report", report: paused });
  rig.calls.length = 0;
  rig.controller.restart();
  expect(rig.state()).toMatchObject({ phase: "idle", song, heardMs: 0 });
  await rig.pass(49);
  expect(rig.calls).toEqual(["activate"]);
  expect(rig.state().phase).toBe("idle");
  await rig.pass(1);
  await settled();
  expect(rig.calls).toEqual([
    "activate",
    "prepare",
    "open song-1 on device",
    "announce",
    "play spotify:track:track-1 from 0",
    "refresh",
  ]);
});

test("a song that plays plays on when it is chosen again, and starts over on a restart", async () => {
  const rig = controllerRig();
  await playTenSeconds(rig);
  rig.controller.play(song);
  await rig.pass(50);
  expect(rig.state()).toMatchObject({ phase: "playing", heardMs: 10_000 });
  expect(rig.count("open")).toBe(1);
  rig.controller.restart();
  await rig.pass(50);
  expect(rig.state()).toMatchObject({ phase: "starting", heardMs: 0 });
  expect(rig.count("open")).toBe(2);
});

test.each(["play", "resume"] as const)(
  "in the page, %s lets an interrupted song go on in its listen from where it was heard to",
  async (name) => {
    const rig = controllerRig();
    await playTenSeconds(rig);
    rig.emit({ type: "report", report: paused });
    rig.calls.length = 0;
    rig.controller[name](song);
    await settled();
    expect(rig.calls).toEqual([
      "activate",
      "prepare",
      "announce",
      "play spotify:track:track-1 from 10000",
      "refresh",
    ]);
    rig.emit({ type: "report", report: playback({ progressMs: 10_000 }) });
    expect(rig.state()).toMatchObject({ phase: "playing", heardMs: 10_000 });
  },
);

test("a second click within the 50 ms leads to one start", async () => {
  const rig = controllerRig();
  await playTenSeconds(rig);
  rig.controller.restart();
  await rig.pass(30);
  rig.controller.restart();
  rig.controller.play(song);
  await rig.pass(49);
  expect(rig.count("open")).toBe(1);
  await rig.pass(1_000);
  expect(rig.count("open")).toBe(2);
});

test("another song chosen within the 50 ms wins", async () => {
  const rig = controllerRig();
  await playTenSeconds(rig);
  rig.controller.restart();
  await rig.pass(30);
  rig.controller.play(otherSong);
  await rig.pass(1_000);
  expect(rig.state().song).toBe(otherSong);
  expect(rig.calls.filter((call) => call.startsWith("open"))).toEqual([
    "open song-1 on device",
    "open song-2 on device",
  ]);
});

test("nothing starts after a stop within the 50 ms", async () => {
  const rig = controllerRig();
  await playTenSeconds(rig);
  rig.controller.restart();
  rig.controller.stop();
  await rig.pass(1_000);
  expect(rig.state()).toMatchObject({ phase: "idle", song: null });
  expect(rig.count("open")).toBe(1);
});

test("a restart without a song does nothing", async () => {
  const rig = controllerRig();
  rig.emit({ type: "ready" });
  rig.controller.restart();
  await rig.pass(1_000);
  expect(rig.calls).toEqual([]);
});

test("the song starts when the listener comes back from opening the app", async () => {
  const rig = controllerRig("app");
  rig.answers.prepare = async () => "no-device";
  rig.emit({ type: "ready" });
  rig.controller.play(song);
  await settled();
  expect(rig.state().errorType).toBe("noDevice");
  rig.answers.prepare = async () => ({ deviceId: "phone" });
  rig.controller.check();
  await rig.pass(50);
  expect(rig.calls).toContain("open song-1 on phone");
  expect(rig.state()).toMatchObject({ phase: "starting", errorType: null, dialogOpen: false });
});

test("a move to the app disconnects the old driver and starts the song with the new one", async () => {
  const rig = controllerRig();
  rig.controller.connect();
  expect(rig.calls).toEqual(["connect page"]);
  rig.controller.play(song);
  rig.emit({ type: "driver-failed", failure: "initialization" });
  rig.calls.length = 0;
  rig.controller.moveToApp();
  expect(rig.calls).toEqual(["disconnect page", "connect app", "activate"]);
  expect(rig.state()).toMatchObject({ phase: "loading", place: "app", driver: "connecting", song });
  rig.emit({ type: "ready" });
  await settled();
  expect(rig.count("open song-1")).toBe(1);
  expect(rig.state()).toMatchObject({ phase: "starting", place: "app" });
});

test("events of the old driver are ignored", async () => {
  const rig = controllerRig();
  rig.controller.play(song);
  rig.emit({ type: "driver-failed", failure: "script" });
  rig.controller.moveToApp();
  const moved = rig.state();
  rig.emit({ type: "ready" }, 1);
  rig.emit({ type: "driver-failed", failure: "account" }, 1);
  expect(rig.state()).toBe(moved);
});

test.each(["prepare", "open", "play"] as const)(
  "an answer to %s for an older attempt changes nothing",
  async (name) => {
    const rig = controllerRig();
    const late = deferred<never>();
    const usual = rig.answers[name];
    rig.answers[name] = () => late.answer;
    rig.emit({ type: "ready" });
    rig.controller.play(song);
    await settled();
    rig.answers[name] = usual as never;
    rig.controller.restart();
    await rig.pass(50);
    rig.emit({ type: "report", report: playback() });
    const { calls, states } = rig;
    const before = [calls.length, states.length];
    late.give((name === "open" ? { ok: false, error: "Old." } : "cancelled") as never);
    await settled();
    expect([calls.length, states.length]).toEqual(before);
    expect(rig.state().phase).toBe("playing");
  },
);

test.each([
  ["prepare", { deviceId: "device" }],
  ["open", { ok: true, requiredSeconds: 34, heard: false }],
  ["play", "started"],
] as const)("a successful %s that ends after the stop has no effect", async (name, answer) => {
  const rig = controllerRig();
  const late = deferred<never>();
  rig.answers[name] = () => late.answer;
  rig.emit({ type: "ready" });
  rig.controller.play(song);
  await settled();
  rig.controller.stop();
  const calls = [...rig.calls];
  late.give(answer as never);
  await rig.pass(1_000);
  expect(rig.calls).toEqual(calls);
});

test("a confirmation for an older attempt unlocks nothing", async () => {
  const rig = controllerRig();
  const late = deferred<{ ok: true }>();
  rig.answers.confirm = () => late.answer;
  await playTenSeconds(rig);
  await rig.pass(15_000);
  rig.emit({ type: "report", report: playback({ progressMs: 25_000 }) });
  await rig.pass(10_000);
  expect(rig.state().phase).toBe("confirming");
  rig.controller.restart();
  await rig.pass(50);
  late.give({ ok: true });
  await settled();
  expect(rig.state().phase).toBe("starting");
});

test.each(["stop", "dispose"] as const)(
  "a confirmation refused after %s is not retried",
  async (end) => {
    const rig = controllerRig();
    const late = deferred<ConfirmResult>();
    rig.answers.confirm = () => late.answer;
    await playTenSeconds(rig);
    await rig.pass(15_000);
    rig.emit({ type: "report", report: playback({ progressMs: 25_000 }) });
    await rig.pass(10_000);
    rig.controller[end]();
    const calls = [...rig.calls];
    late.give({ ok: false, error: null, secondsLeft: 3 });
    await rig.pass(5_000);
    expect(rig.calls).toEqual(calls);
    expect(rig.timers()).toBe(0);
  },
);
