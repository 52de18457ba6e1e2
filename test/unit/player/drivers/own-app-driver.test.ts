import { expect, test } from "vitest";
import type { DriverEvent, PlaybackReport } from "~/player/drivers/driver";
import { ownAppDriver } from "~/player/drivers/own-app-driver";
import type { ApiRequest } from "~/sources/spotify/client/requests";
import { SpotifyError } from "~/sources/spotify/client/spotify";
import { recordingCall, settled } from "../support.ts";

const device = "/v1/me/player";
const current = "/v1/me/player/currently-playing";
const active = { device: { id: "phone", is_active: true }, is_playing: false };
/** Without it, Spotify does not name an episode. */
const query = { additional_types: "track,episode" };
const uri = "spotify:track:track-1";
const item = { id: "track-1", duration_ms: 200_000 };
const rateLimited = new SpotifyError(429, "Slow down", {
  reason: "RATE_LIMITED",
  retryAfterSeconds: 3_600,
});

/** A driver whose requests are answered by path; other paths are answered without a body. */
function rig(answers: Record<string, unknown> = {}) {
  const { call, requests } = recordingCall(({ path }) => answerOf(answers[path] ?? null));
  const events: DriverEvent[] = [];
  const driver = ownAppDriver(call)({
    getToken: async () => "token",
    emit: (event) => events.push(event),
  });
  return { driver, requests, events, answers };
}

function answerOf(given: unknown): unknown {
  if (given instanceof Error) throw given;
  return typeof given === "function" ? given() : given;
}

const put = (name: "play" | "pause", rest: Partial<ApiRequest>) => ({
  method: "PUT",
  maxWaitMs: 2_000,
  path: `/v1/me/player/${name}`,
  ...rest,
});

/** An answer that never comes. */
const never = () => new Promise(() => undefined);

test("is ready at once, and is polled every two seconds", async () => {
  const { driver, events } = rig();
  await driver.connect();
  expect(events).toEqual([{ type: "ready" }]);
  expect(driver).toMatchObject({ pollMs: 2_000 });
});

test("finds the active device and starts only this track on it", async () => {
  const { driver, requests } = rig({ [device]: active });
  expect(await driver.prepare()).toEqual({ deviceId: "phone" });
  expect(await driver.play(uri, 0)).toBe("started");
  expect(requests).toEqual([
    { path: device, fresh: true, maxWaitMs: 2_000 },
    put("play", { query: { device_id: "phone" }, body: { uris: [uri], position_ms: 0 } }),
  ]);
});

test("first pauses what plays there, and starts at the position", async () => {
  const { driver, requests } = rig({ [device]: { ...active, is_playing: true } });
  await driver.prepare();
  await driver.play(uri, 12_345);
  expect(requests.slice(1)).toEqual([
    put("pause", { query: { device_id: "phone" } }),
    put("play", { query: { device_id: "phone" }, body: { uris: [uri], position_ms: 12_345 } }),
  ]);
});

test("starts the song even if the pause before it fails", async () => {
  const { driver } = rig({
    [device]: { ...active, is_playing: true },
    "/v1/me/player/pause": new SpotifyError(403, "Restriction violated"),
  });
  await driver.prepare();
  expect(await driver.play(uri, 0)).toBe("started");
});

test("sends commands without a device id when the active device hides its id", async () => {
  const { driver, requests } = rig({
    [device]: { device: { id: null, is_active: true }, is_playing: true, item },
  });
  expect(await driver.prepare()).toEqual({ deviceId: "active" });
  await driver.play(uri, 0);
  await driver.pause();
  expect(requests.filter(({ method }) => method === "PUT")).toEqual([
    put("pause", {}),
    put("play", { body: { uris: [uri], position_ms: 0 } }),
    put("pause", {}),
  ]);
});

const isFirst = ({ trackIds }: PlaybackReport) => trackIds.includes("track-1");

test.each([
  ["what plays", { ...active, is_playing: true, item }, undefined, true],
  ["the track that meets the condition", { ...active, is_playing: true, item }, isFirst, true],
  [
    "no track that does not meet the condition",
    { ...active, is_playing: true, item: { ...item, id: "other" } },
    isFirst,
    false,
  ],
  ["nothing when it is paused already", { ...active, item }, undefined, false],
  ["nothing when nothing plays", null, undefined, false],
  ["nothing when what plays is unknown", new SpotifyError(500, "Server error"), undefined, false],
])("pauses %s", async (_name, answer, condition, pauses) => {
  const { driver, requests, answers } = rig({ [device]: active });
  await driver.prepare();
  answers[device] = answer;
  requests.length = 0;
  await driver.pause(condition);
  expect(requests[0]).toEqual({ path: device, query, fresh: true });
  const commands = requests.filter(({ method }) => method === "PUT");
  expect(commands).toEqual(pauses ? [put("pause", { query: { device_id: "phone" } })] : []);
});

test.each<[string, unknown, typeof isFirst, boolean, boolean]>([
  ["what is paused", { ...active, item }, isFirst, true, true],
  ["nothing that plays already", { ...active, is_playing: true, item }, isFirst, false, true],
  ["no other track", { ...active, item }, () => false, false, false],
  ["nothing when nothing is on", null, isFirst, false, false],
  ["nothing when what is on is unknown", new SpotifyError(500, "Down"), isFirst, false, false],
])("resumes %s", async (_name, answer, condition, sends, plays) => {
  const { driver, requests } = rig({ [device]: answer });
  expect(await driver.resume(condition)).toBe(plays);
  const commands = requests.filter(({ method }) => method === "PUT");
  expect(commands).toEqual(sends ? [put("play", {})] : []);
});

test("a pause that Spotify refuses does not throw", async () => {
  const { driver } = rig({
    [device]: { ...active, is_playing: true, item },
    "/v1/me/player/pause": new SpotifyError(403, "Restriction violated"),
  });
  await expect(driver.pause()).resolves.toBeUndefined();
});

test.each([
  ["nothing is active", null, "no-device"],
  ["there is no device", { device: null, is_playing: false }, "no-device"],
  ["the device is not active", { device: { id: "phone", is_active: false } }, "no-device"],
  ["Spotify limits requests", rateLimited, "limited"],
  [
    "there is no Premium",
    new SpotifyError(403, "Premium", { reason: "PREMIUM_REQUIRED" }),
    "no-premium",
  ],
  ["Spotify is down", new SpotifyError(503, "Service Unavailable"), "failed"],
  ["there is no network", new SpotifyError(0, "Spotify could not be reached"), "failed"],
  ["the session has ended", new Error("HTTP 401"), "failed"],
])("finds no device when %s", async (_name, answer, failure) => {
  const { driver } = rig({ [device]: answer });
  expect(await driver.prepare()).toBe(failure);
});

test.each([
  [
    "the device is gone",
    new SpotifyError(404, "No device", { reason: "NO_ACTIVE_DEVICE" }),
    "no-device",
  ],
  [
    "there is no Premium",
    new SpotifyError(403, "Premium", { reason: "PREMIUM_REQUIRED" }),
    "no-premium",
  ],
  [
    "the device is restricted",
    new SpotifyError(403, "Restricted", { reason: "UNKNOWN" }),
    "no-control",
  ],
  ["Spotify limits requests", rateLimited, "limited"],
  ["Spotify is down", new SpotifyError(502, "Bad Gateway"), "no-control"],
  ["there is no network", new SpotifyError(0, "Spotify could not be reached"), "no-control"],
])("cannot start the song when %s", async (_name, answer, failure) => {
  const { driver } = rig({ [device]: active, "/v1/me/player/play": answer });
  await driver.prepare();
  expect(await driver.play(uri, 0)).toBe(failure);
});

test("limits at the start are told before they are waited for", async () => {
  const { driver, events, answers } = rig();
  const limitedOnce = (answer: unknown) => {
    let asked = 0;
    return () => answerOf(asked++ === 0 ? rateLimited : answer);
  };
  answers[device] = limitedOnce(active);
  answers["/v1/me/player/play"] = limitedOnce(null);
  expect(await driver.prepare()).toEqual({ deviceId: "phone" });
  expect(await driver.play(uri, 0)).toBe("started");
  const told = { type: "unanswered", limited: true };
  expect(events).toEqual([told, told]);
});

test("a newer song cancels the older one, whose request is then never sent", async () => {
  const { driver, requests, answers } = rig({
    [device]: { ...active, is_playing: true },
    "/v1/me/player/pause": never,
  });
  await driver.prepare();
  const older = driver.play("spotify:track:older", 0);
  await settled();
  answers["/v1/me/player/pause"] = null;
  const newer = driver.play(uri, 0);
  expect(await Promise.all([older, newer])).toEqual(["cancelled", "started"]);
  const bodies = requests.filter(({ path }) => path.endsWith("/play")).map(({ body }) => body);
  expect(bodies).toEqual([{ uris: [uri], position_ms: 0 }]);
});

test("a disconnect cancels what is in progress", async () => {
  const { driver } = rig({ [device]: never, "/v1/me/player/play": never });
  const prepared = driver.prepare();
  driver.disconnect();
  expect(await prepared).toBe("cancelled");
  const played = driver.play(uri, 0);
  driver.disconnect();
  expect(await played).toBe("cancelled");
});

const report = { trackIds: ["track-1"], isrc: null, durationMs: 200_000 };

test.each([
  [
    "the song",
    { is_playing: true, progress_ms: 5_000, item },
    { ...report, playing: true, progressMs: 5_000 },
  ],
  [
    "the song, paused",
    { is_playing: false, progress_ms: 5_000, item },
    { ...report, playing: false, progressMs: 5_000 },
  ],
  [
    "a relinked copy",
    {
      is_playing: true,
      progress_ms: 1,
      item: {
        id: "copy",
        duration_ms: 199_000,
        linked_from: { id: "track-1" },
        external_ids: { isrc: "ZZFVF1600001" },
      },
    },
    {
      trackIds: ["copy", "track-1"],
      isrc: "ZZFVF1600001",
      playing: true,
      progressMs: 1,
      durationMs: 199_000,
    },
  ],
  [
    "the song at an unknown position",
    { is_playing: true, progress_ms: null, item },
    { ...report, playing: true, progressMs: null },
  ],
  [
    "a local file",
    {
      is_playing: true,
      progress_ms: 7,
      item: { id: null, uri: "spotify:local:a", linked_from: null },
    },
    {
      trackIds: ["spotify:local:a"],
      isrc: null,
      playing: true,
      progressMs: 7,
      durationMs: 0,
    },
  ],
])("reports %s", async (_name, answer, report) => {
  const { driver, requests, events } = rig({ [current]: answer });
  driver.refresh();
  await settled();
  expect(requests).toEqual([{ path: current, query, fresh: true, maxWaitMs: 0 }]);
  expect(events).toEqual([{ type: "report", report }]);
});

test.each([
  ["an empty answer", null],
  ["an answer that is not JSON", () => undefined],
  ["an answer that says nothing", {}],
  ["an advertisement", { is_playing: true, progress_ms: 5_000, item: null }],
  ["an item without an id", { is_playing: true, progress_ms: 5_000, item: { id: null } }],
  ["an answer that does not say whether it plays", { progress_ms: 5_000, item }],
])("does not know what plays after %s", async (_name, answer) => {
  const { driver, events } = rig({ [current]: answer });
  driver.refresh();
  await settled();
  expect(events).toEqual([{ type: "unknown" }]);
});

test.each([
  ["a limit", new SpotifyError(429, "Slow down", { retryAfterSeconds: 5 }), true],
  ["a failure", new SpotifyError(500, "Server error"), false],
  ["a missing token", new Error("HTTP 503"), false],
])("reports no answer after %s", async (_name, answer, limited) => {
  const { driver, events } = rig({ [current]: answer });
  driver.refresh();
  await settled();
  expect(events).toEqual([{ type: "unanswered", limited }]);
});

test("asks only once at a time", async () => {
  const { driver, requests, events } = rig();
  driver.refresh();
  driver.refresh();
  await settled();
  expect(requests).toHaveLength(1);
  expect(events).toHaveLength(1);
  driver.refresh();
  await settled();
  expect(requests).toHaveLength(2);
});

test("asks again after a request that failed", async () => {
  const { driver, answers, events } = rig({ [current]: new SpotifyError(500, "Server error") });
  driver.refresh();
  await settled();
  answers[current] = null;
  driver.refresh();
  await settled();
  expect(events).toEqual([{ type: "unanswered", limited: false }, { type: "unknown" }]);
});

test.each(["play", "prepare", "disconnect"] as const)(
  "drops the answer to a request from before %s",
  async (step) => {
    const { driver, events } = rig({ [current]: never, [device]: active });
    driver.refresh();
    await settled();
    await driver[step](uri, 0);
    await settled();
    expect(events).toEqual([]);
  },
);

test("asks about the new song although an earlier request is still pending", async () => {
  const { driver, events, answers } = rig({ [current]: never });
  driver.refresh();
  await settled();
  await driver.play(uri, 0);
  answers[current] = { is_playing: true, progress_ms: 10, item };
  driver.refresh();
  await settled();
  expect(events).toEqual([
    { type: "report", report: { ...report, playing: true, progressMs: 10 } },
  ]);
});

test("does not prepare the next song before a pause in progress is done", async () => {
  let paused = () => {};
  const { driver, requests } = rig({
    [device]: { ...active, is_playing: true, item },
    "/v1/me/player/pause": () =>
      new Promise<void>((resolve) => {
        paused = resolve;
      }),
  });
  await driver.prepare();
  void driver.pause();
  await settled();
  const before = requests.length;
  const next = driver.prepare();
  await settled();
  expect(requests).toHaveLength(before);
  paused();
  expect(await next).toEqual({ deviceId: "phone" });
});
