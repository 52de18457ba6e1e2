import { expect, test, vi } from "vitest";
import type { DriverFailure } from "~/player/drivers/driver";
import { settled } from "../support.ts";
import { readyRig, type SdkRig, sdkRig, sdkState, sdkTrack } from "./sdk-rig.ts";

const failed = (failure: DriverFailure) => ({ type: "driver-failed", failure });

test("plays in the page, and is asked every ten seconds", () => {
  expect(sdkRig().driver).toMatchObject({ pollMs: 10_000 });
});

test("becomes ready with the SDK's device, and tells when that goes and returns", async () => {
  const { driver, sdk, events, tell } = sdkRig();
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

test.each<[string, (rig: SdkRig) => void, DriverFailure]>([
  [
    "the script does not load",
    ({ sdk }) => {
      sdk.loads = () => Promise.reject(new Error("no script"));
    },
    "script",
  ],
  [
    "the SDK does not connect",
    ({ sdk }) => {
      sdk.connects = async () => false;
    },
    "initialization",
  ],
  [
    "the SDK breaks on connecting",
    ({ sdk }) => {
      sdk.connects = () => Promise.reject(new Error("broken"));
    },
    "initialization",
  ],
])("fails once: %s", async (_name, arrange, failure) => {
  const rig = sdkRig();
  arrange(rig);
  await rig.driver.connect();
  expect(rig.events).toEqual([failed(failure)]);
});

test.each([
  ["initialization_error", "initialization"],
  ["account_error", "account"],
] as const)("%s stands although the SDK does not connect either", async (error, failure) => {
  const { driver, sdk, events, tell } = sdkRig();
  sdk.connects = async () => {
    tell(error);
    return false;
  };
  await driver.connect();
  expect(events).toEqual([failed(failure)]);
});

test("a refused token is followed by another one and a second connection", async () => {
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
  ["does not come about", async () => false],
  ["breaks", () => Promise.reject(new Error("broken"))],
])("a second connection that %s fails the driver", async (_name, connects) => {
  const { driver, sdk, events, tell, pass } = sdkRig();
  await driver.connect();
  sdk.connects = connects;
  tell("authentication_error");
  await pass();
  expect(events).toEqual([failed("authentication")]);
});

test("no token to be had fails a driver that is not ready, not one that is", async () => {
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

const report = {
  playing: true,
  progressMs: 5_000,
  trackIds: ["track-1"],
  isrc: null,
  durationMs: 200_000,
};

test.each([
  ["the song", sdkState(), report],
  ["the song, paused", sdkState({ paused: true }), { ...report, playing: false }],
  [
    "a relinked copy",
    sdkState({}, { ...sdkTrack, id: "copy", linked_from: { id: "track-1", uri: null } }),
    { ...report, trackIds: ["copy", "track-1"] },
  ],
  [
    "a relinked copy by its address",
    sdkState(
      {},
      {
        id: null,
        uri: "spotify:track:copy",
        linked_from: { id: null, uri: "spotify:track:track-1" },
      },
    ),
    { ...report, trackIds: ["copy", "track-1"] },
  ],
  [
    "an advertisement",
    sdkState({}, { id: null, uri: "spotify:ad:1" }),
    { ...report, trackIds: [] },
  ],
  ["no track", sdkState({}, null), null],
  ["nothing", null, null],
])("reports %s, unasked and when asked", async (_name, state, expected) => {
  const { driver, sdk, events, tell, pass } = await readyRig();
  tell("player_state_changed", state);
  expect(events).toEqual([{ type: "report", report: expected }]);
  sdk.state = async () => state;
  driver.refresh();
  await pass();
  expect(events.slice(1)).toEqual([{ type: "report", report: expected }]);
});

test.each([
  ["autoplay_failed", { type: "autoplay-failed" }],
  ["playback_error", { type: "playback-error" }],
])("tells of %s", async (name, event) => {
  const { events, tell } = await readyRig();
  tell(name);
  expect(events).toEqual([event]);
});

test("asks once at a time, and again after an answer that failed", async () => {
  const { driver, sdk, calls, events, pass } = await readyRig();
  sdk.state = () => Promise.reject(new Error("broken"));
  driver.refresh();
  driver.refresh();
  await pass();
  expect(calls).toEqual(["state"]);
  expect(events).toEqual([{ type: "unanswered" }]);
  driver.refresh();
  expect(calls).toEqual(["state", "state"]);
});

test("has nothing to ask before there is a player", () => {
  const { driver, calls } = sdkRig();
  driver.refresh();
  driver.activate();
  expect(calls).toEqual([]);
});

test("lets the browser make sound inside the click", async () => {
  const { driver, calls } = await readyRig();
  driver.activate();
  expect(calls).toEqual(["activate"]);
});

test("connects once", async () => {
  const { driver, sdk } = sdkRig();
  await driver.connect();
  await driver.connect();
  expect(sdk.made).toBe(1);
});

test("disconnected before the script is there, it makes no player", async () => {
  const { driver, sdk, events } = sdkRig();
  const connected = driver.connect();
  driver.disconnect();
  await connected;
  expect(sdk.made).toBe(0);
  expect(events).toEqual([]);
});

test("disconnected, it says nothing any more and cannot play", async () => {
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

test("is not stopped by a question that the SDK leaves open", async () => {
  const { driver, sdk, calls, events } = await readyRig();
  sdk.state = () => new Promise(() => undefined);
  driver.refresh();
  await vi.advanceTimersByTimeAsync(2_000);
  expect(events).toEqual([{ type: "unanswered" }]);
  sdk.state = async () => null;
  driver.refresh();
  await vi.advanceTimersByTimeAsync(0);
  expect(calls).toEqual(["state", "state"]);
  expect(events.at(-1)).toEqual({ type: "report", report: null });
});
