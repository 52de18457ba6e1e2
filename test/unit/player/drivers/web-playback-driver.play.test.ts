import { expect, test, vi } from "vitest";
import { isTheSong, never, rateLimited, refusal } from "../support.ts";
import { readyRig, type SdkRig, sdkRig, sdkState } from "./sdk-rig.ts";

const uri = "spotify:track:track-1";
const request = "PUT /v1/me/player/play";
const rejects = (error: Error) => () => Promise.reject(error);
const broken = rejects(new Error("broken"));
const still = sdkState({ paused: true });
const other = sdkState({}, { id: "other", uri: "spotify:track:other" });

async function rigThatSays(state: unknown): Promise<SdkRig> {
  const rig = await readyRig();
  rig.sdk.state = async () => state;
  return rig;
}

async function rigThatAnswers(answers: SdkRig["sdk"]["answers"]): Promise<SdkRig> {
  const rig = await readyRig();
  rig.sdk.answers = answers;
  return rig;
}

/** The result of playing, after all waiting. */
async function played(rig: SdkRig) {
  const outcome = rig.driver.play(uri, 0);
  await rig.pass(10_000);
  return outcome;
}

test("starts only this track in the page, from the position", async () => {
  const { driver, requests } = await readyRig();
  expect(await driver.play(uri, 12_345)).toBe("started");
  expect(requests).toEqual([
    {
      method: "PUT",
      path: "/v1/me/player/play",
      query: { device_id: "tab" },
      body: { uris: [uri], position_ms: 12_345 },
      maxWaitMs: 2_000,
    },
  ]);
});

test.each([
  ["what plays", sdkState(), ["state", "pause", request]],
  ["nothing when nothing plays", null, ["state", request]],
  ["nothing when it is paused already", still, ["state", request]],
])("first pauses %s", async (_name, state, calls) => {
  const rig = await rigThatSays(state);
  expect(await rig.driver.play(uri, 0)).toBe("started");
  expect(rig.calls).toEqual(calls);
});

test("starts the song even if the SDK cannot say what plays", async () => {
  const rig = await readyRig();
  rig.sdk.state = broken;
  expect(await rig.driver.play(uri, 0)).toBe("started");
});

test("waits one second for an SDK that does not answer", async () => {
  const rig = await readyRig();
  rig.sdk.state = never;
  const outcome = rig.driver.play(uri, 0);
  await rig.pass(999);
  expect(rig.calls).toEqual(["state"]);
  await rig.pass(1);
  expect(await outcome).toBe("started");
});

test("does not pause the new song when the SDK answers after that", async () => {
  const rig = await readyRig();
  rig.sdk.state = async () => {
    await new Promise((resolve) => setTimeout(resolve, 1_200));
    return sdkState();
  };
  expect(await played(rig)).toBe("started");
  expect(rig.calls).toEqual(["state", request]);
});

test("keeps trying the same device when it goes away in between", async () => {
  const rig = await rigThatAnswers(rejects(refusal(404)));
  const outcome = rig.driver.play(uri, 0);
  await rig.pass(500);
  rig.tell("not_ready", { device_id: "tab" });
  await rig.pass(10_000);
  expect(await outcome).toBe("failed");
  expect(rig.requests.map(({ query }) => query?.device_id)).toEqual(["tab", "tab", "tab"]);
});

test.each([404, 500, 503, 0])(
  "makes three attempts, a second apart, when Spotify answers %i",
  async (status) => {
    const rig = await rigThatAnswers(rejects(refusal(status)));
    const outcome = rig.driver.play(uri, 0);
    const sent: number[] = [];
    for (const ms of [999, 1, 1_000, 10_000]) {
      await rig.pass(ms);
      sent.push(rig.requests.length);
    }
    expect(sent).toEqual([1, 2, 3, 3]);
    expect(await outcome).toBe("failed");
  },
);

test("plays on a device that Spotify does not know at first", async () => {
  const rig = await rigThatAnswers(() => {
    if (rig.requests.length < 3) throw refusal(404, "NO_ACTIVE_DEVICE");
    return null;
  });
  expect(await played(rig)).toBe("started");
});

test.each([
  ["no Premium", refusal(403, "PREMIUM_REQUIRED"), "no-premium"],
  ["another refusal", refusal(403, "UNKNOWN"), "failed"],
  ["no token", new Error("HTTP 401"), "failed"],
])("fails at once: %s", async (_name, error, failure) => {
  const rig = await rigThatAnswers(rejects(error));
  expect(await played(rig)).toBe(failure);
  expect(rig.requests).toHaveLength(1);
});

test("a limit is told before it is waited for, and ends the start where it is too long", async () => {
  let longLimit = false;
  const rig = await rigThatAnswers(({ maxWaitMs }) => {
    if (maxWaitMs !== undefined || longLimit) throw rateLimited;
    return null;
  });
  expect(await played(rig)).toBe("started");
  expect(rig.events).toEqual([{ type: "unanswered", limited: true }]);
  longLimit = true;
  expect(await played(rig)).toBe("limited");
});

test("cannot play without a device", async () => {
  const rig = sdkRig();
  expect(await rig.driver.play(uri, 0)).toBe("failed");
  await rig.driver.connect();
  expect(await rig.driver.play(uri, 0)).toBe("failed");
  expect(rig.requests).toEqual([]);
});

test("a newer song cancels an older one that is not sent yet or waits for another attempt", async () => {
  const rig = await rigThatAnswers(rejects(refusal(404)));
  rig.sdk.state = never;
  const first = rig.driver.play("spotify:track:first", 0);
  rig.sdk.state = async () => null;
  const second = rig.driver.play("spotify:track:second", 0);
  await rig.pass(500);
  rig.sdk.answers = () => null;
  const third = rig.driver.play(uri, 0);
  await rig.pass(10_000);
  expect(await Promise.all([first, second, third])).toEqual(["cancelled", "cancelled", "started"]);
  expect(rig.requests.map(({ body }) => body)).toEqual([
    { uris: ["spotify:track:second"], position_ms: 0 },
    { uris: [uri], position_ms: 0 },
  ]);
});

test.each([
  ["a request", never],
  ["the wait for another attempt", rejects(refusal(404))],
])("a disconnect cancels %s at once, and leaves no timer", async (_name, answers) => {
  const rig = await rigThatAnswers(answers);
  const outcome = rig.driver.play(uri, 0);
  await rig.pass(500);
  rig.driver.disconnect();
  expect(await outcome).toBe("cancelled");
  expect(vi.getTimerCount()).toBe(0);
});

test.each<[string, unknown, typeof isTheSong | undefined, string[]]>([
  ["what plays", sdkState(), undefined, ["state", "pause"]],
  ["the track that meets the condition", sdkState(), isTheSong, ["state", "pause"]],
  ["no track that does not meet the condition", other, isTheSong, ["state"]],
  ["nothing when it is paused already", still, undefined, ["state"]],
  ["nothing when nothing plays, which the SDK would call an error", null, undefined, ["state"]],
])("pauses %s", async (_name, state, condition, calls) => {
  const rig = await rigThatSays(state);
  await rig.driver.pause(condition);
  expect(rig.calls).toEqual(calls);
});

test.each([
  ["what is paused", still, isTheSong, ["state", "resume"], true],
  ["nothing that plays already", sdkState(), isTheSong, ["state"], true],
  ["no other track", still, () => false, ["state"], false],
  ["nothing when nothing is on", null, isTheSong, ["state"], false],
])("resumes %s", async (_name, state, condition, calls, plays) => {
  const rig = await rigThatSays(state);
  expect(await rig.driver.resume(condition)).toBe(plays);
  expect(rig.calls).toEqual(calls);
});

test("an SDK that does not answer, or fails, resumes nothing", async () => {
  const rig = await readyRig();
  rig.sdk.state = never;
  const resumed = rig.driver.resume(isTheSong);
  await rig.pass(2_000);
  expect(await resumed).toBe(false);
  rig.sdk.state = broken;
  expect(await rig.driver.resume(isTheSong)).toBe(false);
});
