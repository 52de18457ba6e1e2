import { expect, test } from "vitest";
import type { ConfirmResult } from "~/player/listen-api";
import { otherSong, pausedAt, playback, plays, song, wrongTrack } from "../support.ts";
import { type ControllerRig, controllerRig } from "./rig.ts";

async function heardTenSeconds(place: "page" | "app" = "page"): Promise<ControllerRig> {
  const rig = controllerRig(place);
  await rig.start(song, 10_000);
  rig.calls();
  return rig;
}

const paused = pausedAt(10_000);
const goesOn = { phase: "playing", reachedMs: 10_000, attempt: 2 };
const playedFrom = (positionMs: number) => [
  "announce",
  `play spotify:track:track-1 from ${positionMs}`,
  "refresh",
];

/** A promise that resolves when the test says so. */
function deferred<T>() {
  const { promise, resolve } = Promise.withResolvers<T>();
  return { answer: promise, give: resolve };
}

test.each([
  ["app", "restart", wrongTrack],
  ["app", "restart", paused],
  ["page", "play", paused],
  ["page", "resume", paused],
] as const)(
  "in the %s, %s lets an interrupted song go on in its listen from where it was heard to",
  async (place, step, report) => {
    const rig = await heardTenSeconds(place);
    rig.report(report);
    rig[step](song);
    await rig.pass();
    expect(rig.calls()).toEqual(["activate", "prepare", ...playedFrom(10_000)]);
    rig.report(plays(10_000));
    expect(rig.state()).toMatchObject(goesOn);
  },
);

test.each(["page", "app"] as const)(
  "in the %s, a pause is told by a report, and what was paused goes on where it stands",
  async (place) => {
    const rig = await heardTenSeconds(place);
    rig.pause();
    await rig.pass();
    expect(rig.calls()).toEqual(["pause", "refresh"]);
    expect(rig.state().phase).toBe("playing");
    rig.report(paused);
    expect(rig.state()).toMatchObject({ phase: "interrupted", held: true });
    rig.resume();
    await rig.pass();
    expect(rig.calls()).toEqual(["activate", "resume", "refresh"]);
    rig.report(plays(10_000));
    expect(rig.state()).toMatchObject(goesOn);
  },
);

test("what is no longer on where it was paused is played from where it was heard to", async () => {
  const rig = await heardTenSeconds();
  rig.pause();
  rig.report(paused);
  rig.answers.current = wrongTrack;
  rig.resume();
  await rig.pass();
  expect(rig.calls().slice(-3)).toEqual(playedFrom(10_000));
});

test("a song that was heard is paused and resumed as it stands", async () => {
  const rig = controllerRig("app");
  await rig.start({ ...song, heard: true });
  rig.calls();
  rig.pause();
  await rig.pass();
  rig.report(paused);
  rig.resume();
  await rig.pass();
  expect(rig.calls()).toEqual(["pause", "refresh", "activate", "resume", "refresh"]);
  expect(rig.state()).toMatchObject({ phase: "unlocked", attempt: 1 });
});

test("in the app, a song that failed to start, or was not heard at all, starts over", async () => {
  const failed = controllerRig("app");
  failed.answers.play = async () => "no-control";
  const silent = controllerRig("app");
  for (const rig of [failed, silent]) {
    await rig.ask(song);
    await rig.pass(12_000);
    expect(rig.state().reachedMs).toBe(0);
    rig.restart();
    await rig.pass(50);
    expect(rig.count("open")).toBe(2);
  }
});

test("in the page, an interrupted song starts over after 50 ms, in a new listen", async () => {
  const rig = await heardTenSeconds();
  rig.report(paused);
  rig.restart();
  expect(rig.state()).toMatchObject({ phase: "idle", song, reachedMs: 0 });
  await rig.pass(49);
  expect(rig.calls()).toEqual(["activate"]);
  expect(rig.state().phase).toBe("idle");
  await rig.pass(1);
  expect(rig.calls()).toEqual(["prepare", "open song-1 on device", ...playedFrom(0)]);
});

test("a song that plays plays on when it is chosen again, and starts over on a restart", async () => {
  const rig = await heardTenSeconds();
  rig.play(song);
  await rig.pass(50);
  expect(rig.state()).toMatchObject({ phase: "playing", reachedMs: 10_000 });
  expect(rig.count("open")).toBe(0);
  rig.restart();
  await rig.pass(50);
  expect(rig.state()).toMatchObject({ phase: "starting", reachedMs: 0 });
  expect(rig.count("open")).toBe(1);
});

test("a second click within the 50 ms leads to one start", async () => {
  const rig = await heardTenSeconds();
  rig.restart();
  await rig.pass(30);
  rig.restart();
  rig.play(song);
  await rig.pass(49);
  expect(rig.count("open")).toBe(0);
  await rig.pass(1_000);
  expect(rig.count("open")).toBe(1);
});

test("another song chosen within the 50 ms wins", async () => {
  const rig = await heardTenSeconds();
  rig.restart();
  await rig.pass(30);
  rig.play(otherSong);
  await rig.pass(1_000);
  expect(rig.state().song).toBe(otherSong);
  expect(rig.has("open")).toEqual(["open song-2 on device"]);
});

test("nothing starts after a stop within the 50 ms", async () => {
  const rig = await heardTenSeconds();
  rig.restart();
  rig.stop();
  await rig.pass(1_000);
  expect(rig.state()).toMatchObject({ phase: "idle", song: null });
  expect(rig.count("open")).toBe(0);
});

test("a restart without a song does nothing", async () => {
  const rig = controllerRig();
  rig.emit("ready");
  rig.restart();
  await rig.pass(1_000);
  expect(rig.calls()).toEqual([]);
});

test("a move to the app disconnects the old driver and starts the song with the new one", async () => {
  const rig = controllerRig();
  rig.connect();
  expect(rig.calls()).toEqual(["connect page"]);
  rig.play(song);
  rig.emit({ type: "driver-failed", failure: "initialization" });
  rig.calls();
  rig.moveToApp();
  expect(rig.calls()).toEqual(["disconnect page", "connect app", "activate"]);
  const moved = rig.state();
  expect(moved).toMatchObject({ phase: "loading", place: "app", driver: "connecting", song });
  // Events of the old driver are ignored.
  rig.emit("ready", 1);
  rig.emit({ type: "driver-failed", failure: "account" }, 1);
  expect(rig.state()).toBe(moved);
  rig.emit("ready");
  await rig.pass();
  expect(rig.count("open song-1")).toBe(1);
  expect(rig.state()).toMatchObject({ phase: "starting", place: "app" });
});

test.each(["prepare", "open", "play"] as const)(
  "an answer to %s for an older attempt changes nothing",
  async (name) => {
    const rig = controllerRig();
    const late = deferred<never>();
    const usual = rig.answers[name];
    rig.answers[name] = () => late.answer;
    await rig.ask(song);
    rig.answers[name] = usual as never;
    rig.restart();
    await rig.pass(50);
    rig.report(playback());
    rig.calls();
    const states = [...rig.states];
    late.give((name === "open" ? { ok: false, error: "Old." } : "cancelled") as never);
    await rig.pass();
    expect([rig.calls(), rig.states]).toEqual([[], states]);
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
  await rig.ask(song);
  rig.stop();
  rig.calls();
  late.give(answer as never);
  await rig.pass(1_000);
  expect(rig.calls()).toEqual([]);
});

async function confirming(late: Promise<ConfirmResult>): Promise<ControllerRig> {
  const rig = controllerRig();
  rig.answers.confirm = () => late;
  await rig.start(song, 25_000);
  await rig.pass(10_000);
  expect(rig.state().phase).toBe("confirming");
  return rig;
}

test("a confirmation for an older attempt unlocks nothing", async () => {
  const late = deferred<ConfirmResult>();
  const rig = await confirming(late.answer);
  rig.restart();
  await rig.pass(50);
  late.give({ ok: true });
  await rig.pass();
  expect(rig.state().phase).toBe("starting");
});

test.each(["stop", "dispose"] as const)(
  "a confirmation refused after %s is not retried",
  async (end) => {
    const late = deferred<ConfirmResult>();
    const rig = await confirming(late.answer);
    rig[end]();
    rig.calls();
    late.give({ ok: false, error: null, secondsLeft: 3 });
    await rig.pass(5_000);
    expect(rig.calls()).toEqual([]);
    expect(rig.timers()).toBe(0);
  },
);
