import { expect, test } from "vitest";
import type { DriverFailure } from "~/player/drivers/driver";
import { never, plays, settled } from "../support.ts";
import { readyRig, type SdkRig, sdkRig, sdkState, sdkTrack } from "./sdk-rig.ts";

const failed = (failure: DriverFailure) => ({ type: "driver-failed", failure });

test("becomes ready with the SDK's device, and reports when that goes away and returns", async () => {
  const { driver, sdk, events, tell } = sdkRig();
  expect(driver.pollMs).toBe(10_000);
  expect(await driver.prepare()).toBe("failed");
  await driver.connect();
  expect(sdk.options).toMatchObject({ name: "Fivefold", volume: 0.8, enableMediaSession: true });
  expect(events).toEqual([]);
  tell("ready", { device_id: "tab" });
  expect(await driver.prepare()).toEqual({ deviceId: "tab" });
  tell("not_ready", { device_id: "tab" });
  expect(await driver.prepare()).toBe("failed");
  tell("ready", { device_id: "tab-2" });
  expect(await driver.prepare()).toEqual({ deviceId: "tab-2" });
  expect(events).toEqual([{ type: "ready" }, { type: "not-ready" }, { type: "ready" }]);
});

test("a volume is set at once, or before the SDK is there with its player", async () => {
  const { driver, sdk, calls } = sdkRig();
  driver.setVolume(0.3);
  await driver.connect();
  expect(sdk.options).toMatchObject({ volume: 0.3 });
  driver.setVolume(0.5);
  expect(calls).toEqual(["connect", "volume 0.5"]);
});

const broken = (): Promise<never> => Promise.reject(new Error("broken"));

test.each<[string, Partial<SdkRig["sdk"]>, DriverFailure]>([
  ["the script does not load", { loads: broken }, "script"],
  ["the SDK does not connect", { connects: async () => false }, "initialization"],
  ["the SDK throws on connecting", { connects: broken }, "initialization"],
])("fails once: %s", async (_name, change, failure) => {
  const rig = sdkRig();
  Object.assign(rig.sdk, change);
  await rig.driver.connect();
  expect(rig.events).toEqual([failed(failure)]);
});

test.each([
  ["initialization_error", "initialization"],
  ["account_error", "account"],
] as const)(
  "%s is the only failure reported when the SDK then does not connect",
  async (error, failure) => {
    const { driver, sdk, events, tell } = sdkRig();
    sdk.connects = async () => {
      tell(error);
      return false;
    };
    await driver.connect();
    expect(events).toEqual([failed(failure)]);
  },
);

test("after a refused token it connects once more with a new one", async () => {
  const { driver, sdk, calls, events, tokens, tell, askForToken, pass } = sdkRig();
  const given: string[][] = [];
  sdk.token = async () => `token-${tokens.length}`;
  sdk.connects = async () => {
    given.push(askForToken());
    await settled();
    if (given.length === 1) tell("authentication_error");
    return given.length === 2;
  };
  await driver.connect();
  await pass();
  expect(calls).toEqual(["connect", "connect"]);
  expect(tokens).toEqual([false, true]);
  expect(given).toEqual([["token-1"], ["token-2"]]);
  expect(events).toEqual([]);
});

test("a token refused twice fails the driver, once", async () => {
  const { driver, sdk, calls, events, tell } = sdkRig();
  sdk.connects = async () => {
    await settled();
    tell("authentication_error");
    return false;
  };
  await driver.connect();
  expect(calls).toEqual(["connect", "connect"]);
  expect(events).toEqual([failed("authentication")]);
});

test.each([
  ["does not succeed", async () => false],
  ["throws", broken],
])("a second connection that %s fails the driver", async (_name, connects) => {
  const { driver, sdk, events, tell, pass } = sdkRig();
  await driver.connect();
  sdk.connects = connects;
  tell("authentication_error");
  await pass();
  expect(events).toEqual([failed("authentication")]);
});

test("a missing token fails a driver that is not ready, but not one that is", async () => {
  const { driver, sdk, events, tell, askForToken, pass } = sdkRig();
  sdk.token = () => Promise.reject(new Error("HTTP 503"));
  await driver.connect();
  expect(askForToken()).toEqual([]);
  await pass();
  expect(events).toEqual([failed("authentication")]);
  tell("ready", { device_id: "tab" });
  events.length = 0;
  askForToken();
  await pass();
  expect(events).toEqual([]);
});

const report = plays(5_000);
const linked = { id: null, uri: "spotify:track:copy" };

test.each([
  ["the song", sdkState(), report],
  ["the song, paused", sdkState({ paused: true }), { ...report, playing: false }],
  [
    "a relinked copy",
    sdkState({}, { ...sdkTrack, id: "copy", linked_from: { id: "track-1", uri: null } }),
    { ...report, trackIds: ["copy", "track-1"] },
  ],
  [
    "a relinked copy by its URI",
    sdkState({}, { ...linked, linked_from: { id: null, uri: "spotify:track:track-1" } }),
    { ...report, trackIds: ["copy", "track-1"] },
  ],
  [
    "a local file",
    sdkState({}, { id: null, uri: "spotify:local:a" }),
    { ...report, trackIds: ["spotify:local:a"] },
  ],
  ["an advertisement", sdkState({}, { id: null, uri: "spotify:ad:1" }), "unknown"],
  ["no track", sdkState({}, null), "unknown"],
  ["nothing", null, null],
])("reports %s, unasked and when asked", async (_name, state, told) => {
  const { driver, sdk, events, tell, pass } = await readyRig();
  const expected = told === "unknown" ? { type: told } : { type: "report", report: told };
  tell("player_state_changed", state);
  expect(events).toEqual([expected]);
  sdk.state = async () => state;
  driver.refresh();
  await pass();
  expect(events.slice(1)).toEqual([expected]);
});

test.each([
  ["autoplay_failed", { type: "autoplay-failed" }],
  ["playback_error", { type: "playback-error" }],
])("reports %s", async (name, event) => {
  const { events, tell } = await readyRig();
  tell(name);
  expect(events).toEqual([event]);
});

test("asks only once at a time, and again after a request that failed", async () => {
  const { driver, sdk, calls, events, pass } = await readyRig();
  sdk.state = broken;
  driver.refresh();
  driver.refresh();
  await pass();
  expect(calls).toEqual(["state"]);
  expect(events).toEqual([{ type: "unanswered" }]);
  driver.refresh();
  expect(calls).toEqual(["state", "state"]);
});

test("asks nothing before there is a player", () => {
  const { driver, calls } = sdkRig();
  driver.refresh();
  driver.activate();
  expect(calls).toEqual([]);
});

test("connects once, and lets the browser make sound inside the click", async () => {
  const { driver, sdk, calls } = await readyRig();
  await driver.connect();
  expect(sdk.created).toBe(1);
  driver.activate();
  expect(calls).toEqual(["activate"]);
});

test("creates no player when it is disconnected before the script has loaded", async () => {
  const { driver, sdk, events } = sdkRig();
  const connected = driver.connect();
  driver.disconnect();
  await connected;
  expect(sdk.created).toBe(0);
  expect(events).toEqual([]);
});

test("emits nothing and cannot play after a disconnect", async () => {
  const { driver, sdk, calls, events, tell, askForToken, pass } = await readyRig();
  driver.refresh();
  sdk.token = () => Promise.reject(new Error("HTTP 401"));
  tell("not_ready", { device_id: "tab" });
  events.length = 0;
  askForToken();
  driver.disconnect();
  expect(calls.at(-1)).toBe("disconnect");
  tell("ready", { device_id: "tab" });
  tell("player_state_changed", sdkState());
  tell("account_error");
  await pass();
  expect(events).toEqual([]);
  calls.length = 0;
  driver.refresh();
  await driver.pause();
  expect(await driver.play("spotify:track:track-1", 0)).toBe("failed");
  expect(calls).toEqual([]);
});

test("asks again after a request that the SDK never answers", async () => {
  const { driver, sdk, calls, events, pass } = await readyRig();
  sdk.state = never;
  driver.refresh();
  await pass(2_000);
  sdk.state = async () => null;
  driver.refresh();
  await pass();
  expect(calls).toEqual(["state", "state"]);
  expect(events).toEqual([{ type: "unanswered" }, { type: "report", report: null }]);
});
