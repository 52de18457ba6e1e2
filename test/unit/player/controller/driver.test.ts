/** A controller that changes its driver, sets its volume, and hears of other tabs. */
import { expect, test } from "vitest";
import { messages } from "~/player/machine/messages";
import { offersInitialize } from "~/player/machine/state";
import { song } from "../support.ts";
import { controllerRig } from "./rig.ts";

async function heardFiveSeconds() {
  const rig = controllerRig();
  await rig.start(song);
  await rig.pass(5_000);
  return rig;
}

test("initialize connects another driver without the old one, and keeps the song and the volume", async () => {
  const rig = controllerRig();
  rig.connect();
  rig.setVolume(0.3);
  rig.play(song);
  rig.emit({ type: "driver-failed", failure: "script" });
  expect(offersInitialize(rig.state())).toBe(true);
  rig.calls();
  rig.initialize();
  expect(rig.calls()).toEqual(["disconnect page", "volume 0.3", "connect page"]);
  expect(rig.state()).toMatchObject({ song, driver: "connecting", volume: 0.3 });
  rig.emit({ type: "driver-failed", failure: "account" }, 1);
  rig.emit("ready");
  expect(rig.state().status).toEqual({ text: "Ready", tone: "ok" });
  expect(offersInitialize(rig.state())).toBe(false);
  rig.restart();
  await rig.pass(50);
  expect(rig.count("open song-1")).toBe(1);
  expect(rig.state().phase).toBe("starting");
});

test("initialize in the middle of a song keeps what was heard of it", async () => {
  const rig = await heardFiveSeconds();
  rig.emit("not-ready");
  rig.initialize();
  rig.emit("ready");
  rig.resume();
  await rig.pass();
  expect(rig.count("play spotify:track:track-1 from 5000")).toBe(1);
  expect(rig.count("open")).toBe(1);
});

test("from the app, initialize leads back to the page where songs played at first", () => {
  const rig = controllerRig();
  rig.moveToApp();
  rig.calls();
  rig.initialize();
  expect(rig.calls()).toEqual(["disconnect app", "volume 0.8", "connect page"]);
  expect(rig.state().place).toBe("page");
});

test("a driver that takes longer than usual is found out by the clock alone", async () => {
  const rig = controllerRig();
  rig.setVolume(0.5);
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
  rig.setVolume(wanted);
  expect(rig.calls()).toEqual([`volume ${volume}`]);
  expect(rig.state().volume).toBe(volume);
});

test("a song in another tab ends the one here, which starts over in a listen of its own", async () => {
  const rig = await heardFiveSeconds();
  rig.otherTabPlays({ song, place: "page" });
  expect(rig.state().status.text).toBe(messages.otherTab);
  rig.play(song);
  await rig.pass(50);
  expect(rig.count("open")).toBe(2);
  expect(rig.count("play spotify:track:track-1 from 0")).toBe(2);
});

test("a song that the server knows to be heard is not confirmed again", async () => {
  const rig = controllerRig();
  rig.answers.open = async () => ({ ok: true, requiredSeconds: 3, heard: true });
  await rig.start(song);
  await rig.pass(20_000);
  expect(rig.state()).toMatchObject({ phase: "unlocked", unlocked: true, sounding: true });
  expect(rig.count("confirm")).toBe(0);
  rig.play(song);
  await rig.pass(50);
  expect(rig.count("play spotify:track:track-1 from 0")).toBe(2);
  expect(rig.state()).toMatchObject({ phase: "starting", unlocked: true });
});

test("a lost device is replaced once, by the click that resumes the song", async () => {
  const rig = await heardFiveSeconds();
  rig.emit("not-ready");
  rig.report(null);
  rig.calls();
  rig.resume();
  expect(rig.calls()).toEqual(["disconnect page", "volume 0.8", "connect page", "activate"]);
  rig.resume();
  rig.emit("ready");
  await rig.pass();
  expect(rig.count("connect page")).toBe(0);
  expect(rig.count("play spotify:track:track-1 from 5000")).toBe(1);
  expect(rig.count("open")).toBe(0);
});

test("a lost device that has come back is not replaced", () => {
  const rig = controllerRig();
  rig.emit("ready");
  rig.emit("not-ready");
  rig.emit("ready");
  rig.play(song);
  expect(rig.count("connect")).toBe(0);
});
