import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { audioDriver } from "~/player/drivers/audio-driver";
import type { DriverEvent } from "~/player/drivers/driver";
import { plays } from "../support.ts";

const address = "/songs/song-1/audio?listen=listen-1";
const path = "/songs/song-1/audio";

/** An element as browsers have it, as far as the driver uses it. */
function elementRig() {
  const listeners = new Map<string, (() => void)[]>();
  const calls: string[] = [];
  let src = "";
  const element = {
    currentTime: 0,
    duration: Number.NaN,
    ended: false,
    paused: true,
    volume: 1,
    error: null as { code: number } | null,
    plays: () => Promise.resolve(),
    get src() {
      return src;
    },
    set src(value: string) {
      calls.push(`src ${value}`);
      src = value;
      element.currentTime = 0;
    },
    addEventListener(name: string, listener: () => void) {
      listeners.set(name, [...(listeners.get(name) ?? []), listener]);
    },
    load: () => void calls.push("load"),
    removeAttribute: (name: string) => void calls.push(`without ${name}`),
    pause() {
      calls.push("pause");
      element.paused = true;
    },
    async play() {
      calls.push(`play from ${element.currentTime}`);
      element.paused = false;
      await element.plays();
    },
  };
  const events: DriverEvent[] = [];
  /** The addresses that were asked for, and whether there is sound. */
  const asked: string[] = [];
  const there = { sound: false };
  const isThere = async (asks: string) => {
    asked.push(asks);
    return there.sound;
  };
  const driver = audioDriver(
    () => element as unknown as HTMLAudioElement,
    isThere,
  )({
    getToken: () => Promise.reject(new Error("nothing asks Spotify")),
    emit: (event) => events.push(event),
  });
  return {
    ...{ element, driver, calls, events, asked, there },
    /** An event of the element, and some time. */
    async tell(name: string, ms = 0) {
      for (const listener of listeners.get(name) ?? []) listener();
      await pass(ms);
    },
    failsWith(name: string) {
      element.plays = () => Promise.reject(new DOMException("no", name));
    },
  };
}

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

async function playingRig() {
  const rig = elementRig();
  await rig.driver.connect();
  expect(await rig.driver.play(address, 0)).toBe("started");
  rig.element.duration = 60;
  rig.calls.length = 0;
  rig.events.length = 0;
  return rig;
}

const report = (progressMs: number, playing = true) => ({
  type: "report",
  report: plays(progressMs, { playing, trackIds: [path], durationMs: 60_000 }),
});
const brokenOff = { type: "broken-off" };

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("is ready at once, and asks nobody for a token", async () => {
  const { driver, events } = elementRig();
  await driver.connect();
  expect(events).toEqual([{ type: "ready" }]);
  expect(await driver.prepare()).toEqual({ deviceId: "page" });
});

test("may make sound after a click, and a later click loads nothing again", async () => {
  const { driver, calls } = elementRig();
  driver.activate();
  expect(calls).toEqual(["load"]);
  await driver.play(address, 12_500);
  driver.activate();
  expect(calls).toEqual(["load", `src ${address}`, "play from 12.5"]);
});

test.each([
  ["NotSupportedError", "failed", []],
  ["AbortError", "cancelled", []],
  ["NotAllowedError", "started", [{ type: "autoplay-failed" }]],
])("a start that ends with %s has %s", async (name, result, told) => {
  const { driver, failsWith, events } = elementRig();
  failsWith(name);
  expect(await driver.play(address, 0)).toBe(result);
  expect(events).toEqual(told);
});

test("a start that ends although the sound comes is the browser's", async () => {
  const { driver, failsWith, events, asked, there } = elementRig();
  there.sound = true;
  failsWith("NotSupportedError");
  expect(await driver.play(address, 0)).toBe("undecodable");
  expect([events, asked]).toEqual([[], [address]]);
});

test.each([3, 4])("error %d on the way is the browser's where the sound comes", async (code) => {
  const { element, events, tell, asked, there } = await playingRig();
  element.error = { code };
  await tell("error");
  expect([events, asked]).toEqual([[], [address]]);
  await pass(600);
  there.sound = true;
  await tell("error");
  expect(events).toEqual([{ type: "undecodable" }]);
  expect(element.paused).toBe(true);
});

test("a connection that broke is asked nothing, and a song that began since is not told of", async () => {
  const { element, driver, events, tell, asked, there } = await playingRig();
  element.error = { code: 2 };
  void tell("error");
  expect(asked).toEqual([]);
  there.sound = true;
  element.error = { code: 3 };
  void tell("error");
  await driver.play("/songs/song-2/audio", 0);
  await pass(0);
  expect(events).toEqual([]);
});

test("reports what plays, and says nothing while a song starts", async () => {
  const { driver, element, events, tell } = elementRig();
  driver.refresh();
  await tell("pause");
  expect(events).toEqual([]);
  await driver.play(address, 0);
  Object.assign(element, { duration: 60, currentTime: 3 });
  driver.refresh();
  await tell("pause");
  expect(events).toEqual([report(3000), report(3000)]);
});

test("a song that has ended does not play", async () => {
  const { element, events, tell } = await playingRig();
  Object.assign(element, { currentTime: 60, ended: true });
  await tell("ended");
  expect(events).toEqual([report(60_000, false)]);
});

test("pauses and resumes under a condition", async () => {
  const { driver, calls } = await playingRig();
  await driver.pause(({ trackIds }) => trackIds[0] === "another");
  expect(await driver.resume(({ trackIds }) => trackIds[0] === "another")).toBe(false);
  expect(calls).toEqual([]);
  await driver.pause(({ trackIds }) => trackIds[0] === path);
  expect(await driver.resume(() => true)).toBe(true);
  expect(calls).toEqual(["pause", "play from 0"]);
});

test("has nothing to resume before a song was played", async () => {
  const { driver, calls } = elementRig();
  await driver.pause();
  expect(await driver.resume(() => true)).toBe(false);
  expect(calls).toEqual([]);
});

test("a connection that breaks is tried again where the song was, and given up after the fifth time", async () => {
  const { driver, element, events, calls, tell } = await playingRig();
  element.currentTime = 21;
  driver.refresh();
  await tell("error", 500);
  expect(calls).toEqual([`src ${address}`, "play from 21"]);
  for (const wait of [2000, 5000, 10_000]) {
    driver.refresh();
    await tell("error", wait);
  }
  expect(events).not.toContainEqual(brokenOff);
  driver.refresh();
  await tell("error");
  expect(events).toContainEqual(brokenOff);
});

test("what played on since does not count as a try", async () => {
  const { driver, element, events, tell } = await playingRig();
  for (let broken = 1; broken <= 8; broken++) {
    await tell("error", 500);
    element.currentTime += 1;
    driver.refresh();
  }
  expect(events).not.toContainEqual(brokenOff);
});

test("silence for a quarter of a minute counts as broken, a pause does not", async () => {
  const { driver, element, calls } = await playingRig();
  element.paused = true;
  await pass(60_000);
  driver.refresh();
  element.paused = false;
  await pass(14_000);
  driver.refresh();
  expect(calls).toEqual([]);
  await pass(2000);
  driver.refresh();
  await pass(500);
  expect(calls).toEqual([`src ${address}`, "play from 0"]);
});

test("a start that fails is not tried again", async () => {
  const { driver, failsWith, calls, tell } = elementRig();
  failsWith("NotSupportedError");
  await driver.play(address, 0);
  calls.length = 0;
  await tell("error", 60_000);
  expect(calls).toEqual([]);
});

test("a song's gain lowers the volume that one has set, for that song", async () => {
  const { driver, element } = await playingRig();
  await driver.play(address, 0, 0.5);
  expect(element.volume).toBe(0.4);
  driver.setVolume(1);
  expect(element.volume).toBe(0.5);
  await driver.play("/songs/song-2/audio", 0);
  expect(element.volume).toBe(1);
});

test("has a volume, and falls silent for good", async () => {
  const { driver, element, calls, tell } = await playingRig();
  expect(element.volume).toBe(0.8);
  driver.setVolume(0.3);
  expect(element.volume).toBe(0.3);
  driver.disconnect();
  await tell("error", 60_000);
  expect(calls).toEqual(["pause", "without src", "load"]);
});
