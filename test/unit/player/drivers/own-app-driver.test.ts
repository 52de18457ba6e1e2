import { expect, test } from "vitest";
import type { DriverEvent, PlaybackReport } from "~/player/drivers/driver";
import { ownAppDriver } from "~/player/drivers/own-app-driver";
import type { ApiRequest } from "~/sources/spotify/client/requests";
import { SpotifyError } from "~/sources/spotify/client/spotify";
import {
  isTheSong,
  never,
  plays,
  rateLimited,
  recordingCall,
  refusal,
  settled,
} from "../support.ts";

const device = "/v1/me/player";
const current = "/v1/me/player/currently-playing";
const play = "/v1/me/player/play";
const pause = "/v1/me/player/pause";
const active = { device: { id: "phone", is_active: true }, is_playing: false };
/** Without it, Spotify does not name an episode. */
const query = { additional_types: "track,episode" };
const uri = "spotify:track:track-1";
const item = { id: "track-1", duration_ms: 200_000 };
const paused = { ...active, item };
const playing = { ...paused, is_playing: true };

/** A driver whose requests are answered by path; other paths are answered without a body. */
function rig(answers: Record<string, unknown> = {}) {
  const { call, requests } = recordingCall(({ path }) => answerOf(answers[path] ?? null));
  const events: DriverEvent[] = [];
  const driver = ownAppDriver(call)({
    getToken: async () => "token",
    emit: (event) => events.push(event),
  });
  return {
    driver,
    requests,
    events,
    answers,
    commands: () => requests.filter(({ method }) => method === "PUT"),
    async refresh() {
      driver.refresh();
      await settled();
    },
  };
}

function answerOf(given: unknown): unknown {
  if (given instanceof Error) throw given;
  return typeof given === "function" ? given() : given;
}

const put = (path: string, rest: Partial<ApiRequest> = {}) => ({
  ...{ method: "PUT", maxWaitMs: 2_000, path },
  ...rest,
});
const onPhone = { query: { device_id: "phone" } };
const startsAt = (position_ms: number) => ({ body: { uris: [uri], position_ms } });

test("the own app is ready at once, and is polled every two seconds", async () => {
  const { driver, events } = rig();
  await driver.connect();
  expect(events).toEqual([{ type: "ready" }]);
  expect(driver.pollMs).toBe(2_000);
});

test("finds the active device and starts only this track on it", async () => {
  const { driver, requests } = rig({ [device]: active });
  expect(await driver.prepare()).toEqual({ deviceId: "phone" });
  expect(await driver.play(uri, 0)).toBe("started");
  expect(requests).toEqual([
    { path: device, fresh: true, maxWaitMs: 2_000 },
    put(play, { ...onPhone, ...startsAt(0) }),
  ]);
});

test.each([
  ["is paused", null],
  ["cannot be paused", refusal(403)],
])("what plays there %s first, and the song starts at its position", async (_name, answer) => {
  const { driver, commands } = rig({ [device]: { ...active, is_playing: true }, [pause]: answer });
  await driver.prepare();
  expect(await driver.play(uri, 12_345)).toBe("started");
  expect(commands()).toEqual([put(pause, onPhone), put(play, { ...onPhone, ...startsAt(12_345) })]);
});

test("sends commands without a device id when the active device hides its id", async () => {
  const { driver, commands } = rig({
    [device]: { ...playing, device: { id: null, is_active: true } },
  });
  expect(await driver.prepare()).toEqual({ deviceId: "active" });
  await driver.play(uri, 0);
  await driver.pause();
  expect(commands()).toEqual([put(pause), put(play, startsAt(0)), put(pause)]);
});

const otherPlays = { ...playing, item: { ...item, id: "other" } };

test.each<[string, unknown, typeof isTheSong | undefined, boolean]>([
  ["what plays", playing, undefined, true],
  ["the track that meets the condition", playing, isTheSong, true],
  ["no track that does not meet the condition", otherPlays, isTheSong, false],
  ["nothing when it is paused already", paused, undefined, false],
  ["nothing when nothing plays", null, undefined, false],
  ["nothing when what plays is unknown", refusal(500), undefined, false],
])("pauses %s", async (_name, answer, condition, pauses) => {
  const { driver, requests, answers, commands } = rig({ [device]: active });
  await driver.prepare();
  answers[device] = answer;
  requests.length = 0;
  await driver.pause(condition);
  expect(requests[0]).toEqual({ path: device, query, fresh: true });
  expect(commands()).toEqual(pauses ? [put(pause, onPhone)] : []);
});

test.each([
  ["what is paused", paused, isTheSong, [put(play)], true],
  ["nothing that plays already", playing, isTheSong, [], true],
  ["no other track", paused, () => false, [], false],
  ["nothing when nothing is on", null, isTheSong, [], false],
  ["nothing when what is on is unknown", refusal(500), isTheSong, [], false],
])("resumes %s", async (_name, answer, condition, sent, plays) => {
  const { driver, commands } = rig({ [device]: answer });
  expect(await driver.resume(condition)).toBe(plays);
  expect(commands()).toEqual(sent);
});

test("a pause that Spotify refuses does not throw", async () => {
  const { driver } = rig({ [device]: playing, [pause]: refusal(403) });
  await expect(driver.pause()).resolves.toBeUndefined();
});

test.each([
  ["nothing is active", null, "no-device"],
  ["there is no device", { device: null, is_playing: false }, "no-device"],
  ["the device is not active", { device: { id: "phone", is_active: false } }, "no-device"],
  ["Spotify limits requests", rateLimited, "limited"],
  ["there is no Premium", refusal(403, "PREMIUM_REQUIRED"), "no-premium"],
  ["Spotify is down", refusal(503), "failed"],
  ["there is no network", refusal(0), "failed"],
  ["the session has ended", new Error("HTTP 401"), "failed"],
])("finds no device when %s", async (_name, answer, failure) => {
  const { driver } = rig({ [device]: answer });
  expect(await driver.prepare()).toBe(failure);
});

test.each([
  ["the device is gone", refusal(404, "NO_ACTIVE_DEVICE"), "no-device"],
  ["there is no Premium", refusal(403, "PREMIUM_REQUIRED"), "no-premium"],
  ["the device is restricted", refusal(403, "UNKNOWN"), "no-control"],
  ["Spotify limits requests", rateLimited, "limited"],
  ["Spotify is down", refusal(502), "no-control"],
  ["there is no network", refusal(0), "no-control"],
])("cannot start the song when %s", async (_name, answer, failure) => {
  const { driver } = rig({ [device]: active, [play]: answer });
  await driver.prepare();
  expect(await driver.play(uri, 0)).toBe(failure);
});

test("limits at the start are told before they are waited for", async () => {
  const limitedOnce = (answer: unknown) => {
    const answers = [rateLimited, answer];
    return () => answerOf(answers.shift());
  };
  const { driver, events } = rig({ [device]: limitedOnce(active), [play]: limitedOnce(null) });
  expect(await driver.prepare()).toEqual({ deviceId: "phone" });
  expect(await driver.play(uri, 0)).toBe("started");
  const told = { type: "unanswered", limited: true };
  expect(events).toEqual([told, told]);
});

test("a newer song cancels the older one, whose request is then never sent", async () => {
  const { driver, commands, answers } = rig({
    [device]: { ...active, is_playing: true },
    [pause]: never,
  });
  await driver.prepare();
  const older = driver.play("spotify:track:older", 0);
  await settled();
  answers[pause] = null;
  const newer = driver.play(uri, 0);
  expect(await Promise.all([older, newer])).toEqual(["cancelled", "started"]);
  const started = commands().filter(({ path }) => path === play);
  expect(started).toMatchObject([startsAt(0)]);
});

test("a disconnect cancels what is in progress", async () => {
  const { driver } = rig({ [device]: never, [play]: never });
  for (const step of [() => driver.prepare(), () => driver.play(uri, 0)]) {
    const outcome = step();
    driver.disconnect();
    expect(await outcome).toBe("cancelled");
  }
});

const copy = {
  ...{ id: "copy", duration_ms: 199_000, linked_from: { id: "track-1" } },
  external_ids: { isrc: "ZZFVF1600001" },
};

test.each<[string, object, PlaybackReport]>([
  ["the song", { progress_ms: 5_000, item }, plays(5_000)],
  [
    "the song, paused",
    { is_playing: false, progress_ms: 5_000, item },
    plays(5_000, { playing: false }),
  ],
  [
    "a relinked copy",
    { progress_ms: 1, item: copy },
    plays(1, { trackIds: ["copy", "track-1"], isrc: "ZZFVF1600001", durationMs: 199_000 }),
  ],
  ["the song at an unknown position", { progress_ms: null, item }, plays(null)],
  [
    "a local file",
    { progress_ms: 7, item: { id: null, uri: "spotify:local:a", linked_from: null } },
    plays(7, { trackIds: ["spotify:local:a"], durationMs: 0 }),
  ],
])("reports %s", async (_name, answer, report) => {
  const { refresh, requests, events } = rig({ [current]: { is_playing: true, ...answer } });
  await refresh();
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
  const { refresh, events } = rig({ [current]: answer });
  await refresh();
  expect(events).toEqual([{ type: "unknown" }]);
});

test.each([
  ["a limit", new SpotifyError(429, "Slow down", { retryAfterSeconds: 5 }), true],
  ["a failure", refusal(500), false],
  ["a missing token", new Error("HTTP 503"), false],
])("reports no answer after %s, and asks again", async (_name, answer, limited) => {
  const { refresh, events, answers } = rig({ [current]: answer });
  await refresh();
  answers[current] = null;
  await refresh();
  expect(events).toEqual([{ type: "unanswered", limited }, { type: "unknown" }]);
});

test("asks only once at a time", async () => {
  const { driver, refresh, requests, events } = rig();
  driver.refresh();
  await refresh();
  expect([requests.length, events.length]).toEqual([1, 1]);
  await refresh();
  expect(requests).toHaveLength(2);
});

test.each(["play", "prepare", "disconnect"] as const)(
  "drops the answer to a request from before %s",
  async (step) => {
    const { driver, refresh, events, answers } = rig({ [device]: active });
    const { promise, resolve: late } = Promise.withResolvers();
    answers[current] = () => promise;
    await refresh();
    await driver[step](uri, 0);
    late(playing);
    await settled();
    expect(events).toEqual([]);
  },
);

test("asks about the new song although an earlier request is still pending", async () => {
  const { driver, refresh, events, answers } = rig({ [current]: never });
  await refresh();
  await driver.play(uri, 0);
  answers[current] = { is_playing: true, progress_ms: 10, item };
  await refresh();
  expect(events).toEqual([{ type: "report", report: plays(10) }]);
});

test("does not prepare the next song before a pause in progress is done", async () => {
  const { promise, resolve: paused } = Promise.withResolvers<void>();
  const { driver, requests } = rig({ [device]: playing, [pause]: () => promise });
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
