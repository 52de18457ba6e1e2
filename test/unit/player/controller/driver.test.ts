/** A controller that changes its driver, sets its volume, and hears of other tabs. */
import { expect, test } from "vitest";
import { messages } from "~/player/machine/messages";
import { offersInitialize } from "~/player/machine/state";
import { playback, settled, song } from "../support.ts";
import { controllerRig } from "./rig.ts";

test("initialize connects another driver without the old one, and keeps the song and the volume", async () => {
  const rig = controllerRig();
  rig.controller.connect();
  rig.controller.setVolume(0.3);
  rig.controller.play(song);
  rig.emit({ type: "driver-failed", failure: "script" });
  expect(offersInitialize(rig.state())).toBe(true);
  rig.calls.length = 0;
  rig.controller.initialize();
  expect(rig.calls).toEqual(["disconnect page", "volume 0.3", "connect page"]);
  expect(rig.state()).toMatchObject({ song, driver: "connecting", volume: 0.3 });
  rig.emit({ type: "driver-failed", failure: "account" }, 1);
  rig.emit({ type: "ready" });
  expect(rig.state().status).toEqual({ text: "Ready", tone: "ok" });
  expect(offersInitialize(rig.state())).toBe(false);
  rig.controller.restart();
  await rig.pass(50);
  expect(rig.count("open song-1")).toBe(1);
  expect(rig.state().phase).toBe("starting");
});

test("initialize in the middle of a song keeps what was heard of it", async () => {
  const rig = controllerRig();
  rig.answers.open = async () => ({ ok: true, requiredSeconds: 34, heard: false });
  rig.emit({ type: "ready" });
  rig.controller.play(song);
  await settled();
  rig.emit({ type: "report", report: playback() });
  await rig.pass(5_000);
  rig.emit({ type: "not-ready" });
  rig.controller.initialize();
  rig.emit({ type: "ready" });
  rig.controller.resume();
  await settled();
  expect(rig.calls).toContain("play spotify:track:track-1 from 5000");
  expect(rig.count("open")).toBe(1);
});

test("from the app, initialize leads back to the page where songs played at first", () => {
  const rig = controllerRig();
  rig.controller.moveToApp();
  rig.calls.length = 0;
  rig.controller.initialize();
  expect(rig.calls).toEqual(["disconnect app", "volume 0.8", "connect page"]);
  expect(rig.state().place).toBe("page");
});

test("a driver that takes longer than usual is found out by the clock alone", async () => {
  const rig = controllerRig();
  rig.controller.setVolume(0.5);
  await rig.pass(8_000);
  expect(offersInitialize(rig.state())).toBe(false);
  await rig.pass(1_000);
  expect(offersInitialize(rig.state())).toBe(true);
  expect(rig.timers()).toBe(0);
});

test.each([
  [0.25, 0.25],
  [-1, 0],
  [7, 1],
])("a volume of %f is set as %f", (wanted, volume) => {
  const rig = controllerRig();
  rig.controller.setVolume(wanted);
  expect(rig.calls).toEqual([`volume ${volume}`]);
  expect(rig.state().volume).toBe(volume);
});

test("a song in another tab ends the one here, which starts over in a listen of its own", async () => {
  const rig = controllerRig();
  rig.answers.open = async () => ({ ok: true, requiredSeconds: 34, heard: false });
  rig.emit({ type: "ready" });
  rig.controller.play(song);
  await settled();
  rig.emit({ type: "report", report: playback() });
  await rig.pass(5_000);
  rig.controller.otherTabPlays({ song, place: "page" });
  expect(rig.state().status.text).toBe(messages.otherTab);
  rig.controller.play(song);
  await rig.pass(50);
  expect(rig.count("open")).toBe(2);
  expect(rig.count("play spotify:track:track-1 from 0")).toBe(2);
});

test("a song that the server knows to be heard is not confirmed again", async () => {
  const rig = controllerRig();
  rig.answers.open = async () => ({ ok: true, requiredSeconds: 3, heard: true });
  rig.emit({ type: "ready" });
  rig.controller.play(song);
  await settled();
  rig.emit({ type: "report", report: playback() });
  await rig.pass(20_000);
  expect(rig.state()).toMatchObject({ phase: "unlocked", unlocked: true, sounding: true });
  expect(rig.count("confirm")).toBe(0);
  rig.controller.play(song);
  await rig.pass(50);
  expect(rig.count("play spotify:track:track-1 from 0")).toBe(2);
  expect(rig.state()).toMatchObject({ phase: "starting", unlocked: true });
});

test("a lost device is replaced once, by the click that resumes the song", async () => {
  const rig = controllerRig();
  rig.answers.open = async () => ({ ok: true, requiredSeconds: 34, heard: false });
  rig.emit({ type: "ready" });
  rig.controller.play(song);
  await settled();
  rig.emit({ type: "report", report: playback() });
  await rig.pass(5_000);
  rig.emit({ type: "not-ready" });
  rig.emit({ type: "report", report: null });
  rig.calls.length = 0;
  rig.controller.resume();
  expect(rig.calls).toEqual(["disconnect page", "volume 0.8", "connect page", "activate"]);
  rig.controller.resume();
  expect(rig.count("connect page")).toBe(1);
  rig.emit({ type: "ready" });
  await settled();
  expect(rig.calls).toContain("play spotify:track:track-1 from 5000");
  expect(rig.count("open")).toBe(0);
});

test("a lost device that has come back is not replaced", () => {
  const rig = controllerRig();
  rig.emit({ type: "ready" });
  rig.emit({ type: "not-ready" });
  rig.emit({ type: "ready" });
  rig.controller.play(song);
  expect(rig.count("connect")).toBe(0);
});

test.each([
  ["app", 1],
  ["page", 0],
] as const)(
  "an open listen from before a reload is looked for, %s: %i times",
  async (place, times) => {
    const rig = controllerRig(place);
    rig.emit({ type: "ready" });
    rig.controller.follow(song, { listenId: "listen-1", positionMs: 0 });
    await rig.pass(1_000);
    expect(rig.count("refresh")).toBe(times);
    expect(rig.count("open")).toBe(0);
  },
);
