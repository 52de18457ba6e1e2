/** The Spotify stand-in can make players fail in all the ways in which real ones do. */
import { setTimeout as after } from "node:timers/promises";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { musicianById } from "../../../sandbox/catalogue.ts";
import type { Json } from "../rig.ts";
import { type SpotifyRig, startSpotifyRig } from "./rig.ts";

let rig: SpotifyRig;
beforeAll(async () => {
  rig = await startSpotifyRig();
});
afterAll(() => rig.close());

/** Posts to the sandbox: a text, or anything else as JSON. */
async function post(path: string, body: unknown, signal: AbortSignal | null = null) {
  const response = await fetch(`${rig.sandbox.origin}${path}`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: typeof body === "string" ? body : JSON.stringify(body),
    signal,
  });
  const text = await response.text();
  return { status: response.status, body: (text === "" ? {} : JSON.parse(text)) as Json };
}

/** Calls the Web API; `body` is the error if there is one. */
async function call(token: string, route: string, body?: unknown) {
  const answer = await rig.call(token, route, body);
  const json = (answer.body ?? {}) as Json;
  return { status: answer.status, body: (json.error ?? json) as Json };
}

async function devices(token: string): Promise<Json[]> {
  return (await call(token, "GET /v1/me/player/devices")).body.devices as Json[];
}

/** Connects like the SDK's iframe. */
function connect(token: string, signal?: AbortSignal) {
  return post("/spotify/sdk/connect", { token, name: "Page", volume: 0.5 }, signal);
}

/** A player in a page, with its device and the events it has received. */
async function player(token: string) {
  const { status, body } = await connect(token);
  expect(status).toBe(200);
  const page = new AbortController();
  const response = await fetch(`${rig.sandbox.origin}/spotify/sdk/events?session=${body.session}`, {
    signal: page.signal,
  });
  const heard: [event: string, data: Json | null][] = [];
  async function listen() {
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    for (let part = await reader?.read(); part?.value; part = await reader?.read()) {
      const messages = (text + part.value).split("\n\n");
      text = messages.pop() ?? "";
      for (const message of messages) {
        const [, event = "", data = ""] = /^event: (.*)\ndata: (.*)$/m.exec(message) ?? [];
        heard.push([event, JSON.parse(data)]);
      }
    }
  }
  listen().catch(() => undefined);
  return {
    session: String(body.session),
    deviceId: String(body.deviceId),
    heard,
    /** Waits until the last event is this one. */
    hears: (event: string) => vi.waitFor(() => expect(heard.at(-1)?.[0]).toBe(event)),
    /** Waits until the last playback state is this one. */
    shows: (state: unknown) =>
      vi.waitFor(() => expect(heard.findLast(([event]) => event === "state")?.[1]).toEqual(state)),
    close: () => page.abort(),
  };
}

const playing = expect.objectContaining({ paused: false, loading: false });

/** The id of a musician's track, by its index; 3 is a long one. */
function trackOf(musician: string, place = 3): string {
  return musicianById.get(musician)?.trackIds[place] ?? "";
}

function uris(musician: string, place = 3) {
  return { uris: [`spotify:track:${trackOf(musician, place)}`] };
}

it.each([
  ["account", "account_error"],
  ["authentication", "authentication_error"],
  ["init", "initialization_error"],
])("refuses the next connect of one musician with: %s", async (fail, type) => {
  const musician = "mara-lind";
  const [token, other] = [await rig.tokenFor(musician), await rig.tokenFor("tobin-ashgrove")];
  await rig.control("sdk", { musician, fail });
  expect((await connect(other)).status).toBe(200);
  expect(await connect(token)).toMatchObject({ status: 403, body: { type } });
  expect((await connect(token)).status).toBe(200);
});

it("refuses to play for accounts without Premium, in the page and on other devices", async () => {
  const token = await rig.tokenFor("demo-nopremium");
  expect(await connect(token)).toMatchObject({ status: 403, body: { type: "account_error" } });
  const { deviceId } = await rig.control("openApp", { musician: "demo-nopremium" });
  for (const [route, body] of [
    ["PUT /v1/me/player/play", uris("demo-nopremium")],
    ["PUT /v1/me/player/pause"],
    ["PUT /v1/me/player", { device_ids: [deviceId] }],
  ] as const) {
    const refused = { status: 403, body: { reason: "PREMIUM_REQUIRED" } };
    expect(await call(token, route, body), route).toMatchObject(refused);
  }
});

it("holds connect back until told otherwise", async () => {
  const musician = "kaito-morinaga";
  const token = await rig.tokenFor(musician);
  await rig.control("sdk", { musician, fail: "hold" });
  const answer = connect(token);
  expect(await Promise.race([answer, after(200, "silence")])).toBe("silence");
  expect(await devices(token)).toEqual([]);
  await rig.control("sdk", { musician, fail: "none" });
  const { status, body } = await answer;
  expect(status).toBe(200);
  expect(await devices(token)).toMatchObject([{ id: body.deviceId }]);
});

it("opens no device for a page that was closed while connect was held back", async () => {
  const musician = "noor-valcarcel";
  const token = await rig.tokenFor(musician);
  await rig.control("sdk", { musician, fail: "hold" });
  const page = new AbortController();
  const answer = connect(token, page.signal);
  await after(100);
  page.abort();
  await expect(answer).rejects.toThrow();
  await after(100);
  await rig.control("sdk", { musician, fail: "none" });
  expect(await devices(token)).toEqual([]);
});

it("can be closed while connect is held back", async () => {
  const own = await startSpotifyRig();
  const musician = "bram-oosterhagen";
  const token = await own.tokenFor(musician);
  await own.control("sdk", { musician, fail: "hold" });
  const connecting = fetch(`${own.sandbox.origin}/spotify/sdk/connect`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ token, name: "Page" }),
  });
  const answer = expect(connecting).rejects.toThrow();
  await after(100);
  await own.close();
  await answer;
});

it("loses the network during a song and comes back as the same device", async () => {
  const musician = "celestine-okonjo";
  const token = await rig.tokenFor(musician);
  const page = await player(token);
  const play = `PUT /v1/me/player/play?device_id=${page.deviceId}`;
  expect((await call(token, play, uris(musician))).status).toBe(204);
  await page.shows(playing);

  await rig.control("sdk", { musician, fail: "offline" });
  await page.hears("offline");
  expect(await devices(token)).toEqual([]);
  expect((await call(token, "GET /v1/me/player")).status).toBe(204);
  expect((await call(token, play, uris(musician))).status).toBe(404);
  const another = connect(token);
  expect(await Promise.race([another, after(200, "silence")])).toBe("silence");

  await rig.control("sdk", { musician, fail: "none" });
  await page.hears("online");
  expect((await another).status).toBe(200);
  expect(await devices(token)).toContainEqual(
    expect.objectContaining({ id: page.deviceId, is_active: false }),
  );
  expect((await call(token, "GET /v1/me/player")).status).toBe(204);
  const before = page.heard.length;
  expect((await call(token, play, uris(musician))).status).toBe(204);
  await vi.waitFor(() => expect(page.heard.slice(before)).toContainEqual(["state", playing]));
  page.close();
});

it("removes a device that is offline at the reset", async () => {
  const musician = "rafe-dunmorrow";
  const token = await rig.tokenFor(musician);
  const page = await player(token);
  await rig.control("sdk", { musician, fail: "offline" });
  await rig.control("reset", { musician });
  await page.hears("gone");
  expect(await devices(token)).toEqual([]);
  page.close();
});

it("stops in the page when the own app takes over", async () => {
  const musician = "ilse-kornblatt";
  const token = await rig.tokenFor(musician);
  const page = await player(token);
  await call(token, `PUT /v1/me/player/play?device_id=${page.deviceId}`, uris(musician));
  await page.shows(playing);
  const { deviceId } = await rig.control("play", { musician, trackId: trackOf(musician, 4) });
  await page.shows(null);
  expect((await call(token, "GET /v1/me/player")).body).toMatchObject({
    device: { id: deviceId, type: "Smartphone" },
    is_playing: true,
    item: { id: trackOf(musician, 4) },
  });
  page.close();
});

it("moves playback to the own app and back without interruption", async () => {
  const musician = "davor-mihalic";
  const token = await rig.tokenFor(musician);
  const page = await player(token);
  const play = { musician, trackId: trackOf(musician), positionMs: 60_000, device: "sdk" };
  expect(await rig.control("play", play)).toMatchObject({ deviceId: page.deviceId });
  await page.shows(playing);
  const { deviceId } = await rig.control("transfer", { musician, device: "app" });
  await page.shows(null);
  const { body } = await call(token, "GET /v1/me/player");
  expect(body).toMatchObject({
    device: { id: deviceId },
    is_playing: true,
    item: { id: trackOf(musician) },
  });
  expect(body.progress_ms).toBeGreaterThanOrEqual(60_000);
  await rig.control("transfer", { musician, device: "sdk" });
  await page.shows(playing);
  page.close();
});

it("refuses to use a player in the page if none is connected", async () => {
  const transfer = rig.control("transfer", { musician: "juno-starling", device: "sdk" });
  await expect(transfer).rejects.toThrow("no SDK is connected");
});

it("can restrict an app to commands by hand", async () => {
  const musician = "petra-wolkenstein";
  const token = await rig.tokenFor(musician);
  const { deviceId } = await rig.control("openApp", { musician, restricted: true });
  await rig.control("play", { musician, trackId: trackOf(musician) });
  expect(await devices(token)).toMatchObject([
    { id: deviceId, is_active: true, is_restricted: true },
  ]);
  for (const [route, body] of [
    ["PUT /v1/me/player/play", uris(musician)],
    [`PUT /v1/me/player/play?device_id=${deviceId}`, uris(musician)],
    ["PUT /v1/me/player/pause"],
    ["PUT /v1/me/player/seek?position_ms=0"],
    ["PUT /v1/me/player/volume?volume_percent=5"],
    ["POST /v1/me/player/next"],
    ["PUT /v1/me/player", { device_ids: [deviceId], play: true }],
  ] as const) {
    expect((await call(token, route, body)).status, route).toBe(403);
  }
  expect((await call(token, "GET /v1/me/player")).body.is_playing).toBe(true);
  await rig.control("openApp", { musician, restricted: false });
  expect((await call(token, "PUT /v1/me/player/pause")).status).toBe(204);
});

it("refuses to pause if already paused", async () => {
  const musician = "amadou-sarr-lo";
  const token = await rig.tokenFor(musician);
  await rig.control("play", { musician, trackId: trackOf(musician) });
  expect((await call(token, "PUT /v1/me/player/pause")).status).toBe(204);
  expect(await call(token, "PUT /v1/me/player/pause")).toMatchObject({
    status: 403,
    body: { reason: "UNKNOWN" },
  });
});

it.each([
  [403, "DEVICE_NOT_CONTROLLABLE"],
  [403, "PREMIUM_REQUIRED"],
  [502, "UNKNOWN"],
])("fails to control an active app with %i %s", async (status, reason) => {
  const musician = "lumi-haavisto";
  const token = await rig.tokenFor(musician);
  await rig.control("openApp", { musician });
  const body = { error: { status, message: "Player command failed", reason } };
  await rig.control("fail", { musician, route: "PUT /v1/me/player/play", status, body });
  const play = () => call(token, "PUT /v1/me/player/play", uris(musician));
  expect(await play()).toMatchObject({ status, body: { reason } });
  expect((await play()).status).toBe(204);
});

it("activates an app in the background by its device id", async () => {
  const musician = "octavio-brisas";
  const token = await rig.tokenFor(musician);
  const { deviceId } = await rig.control("openApp", { musician, active: false });
  expect(await devices(token)).toMatchObject([{ id: deviceId, is_active: false }]);
  expect(await call(token, "PUT /v1/me/player/play", uris(musician))).toMatchObject({
    status: 404,
    body: { reason: "NO_ACTIVE_DEVICE" },
  });
  const play = `PUT /v1/me/player/play?device_id=${deviceId}`;
  expect((await call(token, play, uris(musician))).status).toBe(204);
  expect((await call(token, "GET /v1/me/player")).body).toMatchObject({
    device: { id: deviceId, is_active: true },
    is_playing: true,
  });
});

it("removes a disconnected player's device immediately, every time", async () => {
  const musician = "wren-calloway-fox";
  const token = await rig.tokenFor(musician);
  const seen = new Set<string>();
  for (let time = 1; time <= 3; time += 1) {
    const page = await player(token);
    seen.add(page.deviceId);
    await rig.control("play", { musician, trackId: trackOf(musician), device: "sdk" });
    await page.shows(playing);
    expect(await devices(token)).toMatchObject([{ id: page.deviceId, is_active: true }]);
    // The beacon that a page sends when it is closed.
    await post("/spotify/sdk/disconnect", page.session);
    expect(await devices(token)).toEqual([]);
    expect((await call(token, "GET /v1/me/player")).status).toBe(204);
    page.close();
  }
  expect(seen.size).toBe(3);
});

it.each([
  [{}, "*", "Retry-After"],
  [{ retryAfter: true }, "*", null],
  [{ cors: true }, null, "Retry-After"],
])("hides of a limit what it is told to: %j", async (hidden, origin, exposed) => {
  const musician = "ilse-kornblatt";
  const token = await rig.tokenFor(musician);
  await rig.control("hideLimits", { musician, ...hidden });
  await rig.control("fail", { musician, route: "GET /v1/me", status: 429, retryAfter: 2 });
  const { status, headers } = await rig.call(token, "GET /v1/me");
  expect([status, headers.get("Retry-After")]).toEqual([429, "2"]);
  expect(headers.get("Access-Control-Allow-Origin")).toBe(origin);
  expect(headers.get("Access-Control-Expose-Headers")).toBe(exposed);
  // Responses other than 429 can be read as usual.
  const fine = await rig.call(token, "GET /v1/me");
  expect([fine.status, fine.headers.get("Access-Control-Allow-Origin")]).toEqual([200, "*"]);
});
