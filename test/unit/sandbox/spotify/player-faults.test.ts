/** The Spotify stand-in gets players into every trouble that the real ones know. */
import { setTimeout as after } from "node:timers/promises";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { musicianById } from "../../../sandbox/catalogue.ts";
import { type Sandbox, startSandbox } from "../../../sandbox/server.ts";

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ port: 0 });
});
afterAll(() => sandbox.close());

type Json = Record<string, unknown>;

async function post(path: string, body: unknown, signal: AbortSignal | null = null) {
  const response = await fetch(`${sandbox.origin}${path}`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: typeof body === "string" ? body : JSON.stringify(body),
    signal,
  });
  const text = await response.text();
  return { status: response.status, body: (text === "" ? {} : JSON.parse(text)) as Json };
}

async function control(action: string, fields: Json): Promise<Json> {
  const { status, body } = await post("/control", { action, ...fields });
  if (status !== 200) throw new Error(String(body.error));
  return body;
}

async function tokenFor(musician: string): Promise<string> {
  return String((await control("issueToken", { musician })).access_token);
}

/** Calls the Web API; `body` is the error where there is one. */
async function call(token: string, route: string, body?: unknown) {
  const [method = "", path = ""] = route.split(" ");
  const response = await fetch(`${sandbox.origin}/spotify/api${path}`, {
    method,
    headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const answer = (text === "" ? {} : JSON.parse(text)) as Json;
  return { status: response.status, body: (answer.error ?? answer) as Json };
}

async function devices(token: string): Promise<Json[]> {
  return (await call(token, "GET /v1/me/player/devices")).body.devices as Json[];
}

/** What the SDK's iframe does first. */
function connect(token: string, signal?: AbortSignal) {
  return post("/spotify/sdk/connect", { token, name: "Page", volume: 0.5 }, signal);
}

/** A player in a page: its device, and the events it has heard so far, with their data. */
async function player(token: string) {
  const { status, body } = await connect(token);
  expect(status).toBe(200);
  const page = new AbortController();
  const response = await fetch(`${sandbox.origin}/spotify/sdk/events?session=${body.session}`, {
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
    /** The last event, once it is the one waited for. */
    hears: (event: string) => vi.waitFor(() => expect(heard.at(-1)?.[0]).toBe(event)),
    /** What the SDK tells of the playback, once it is as waited for. */
    shows: (state: unknown) =>
      vi.waitFor(() => expect(heard.findLast(([event]) => event === "state")?.[1]).toEqual(state)),
    close: () => page.abort(),
  };
}

const playing = expect.objectContaining({ paused: false, loading: false });

/** The song with the place given among a musician's; 3 is a long one. */
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
])("refuses the next connect of one musician: %s", async (fail, type) => {
  const musician = "mara-lind";
  const [token, other] = [await tokenFor(musician), await tokenFor("tobin-ashgrove")];
  await control("sdk", { musician, fail });
  expect((await connect(other)).status).toBe(200);
  expect(await connect(token)).toMatchObject({ status: 403, body: { type } });
  expect((await connect(token)).status).toBe(200);
});

it("lets nobody without Premium play, neither in the page nor elsewhere", async () => {
  const token = await tokenFor("demo-nopremium");
  expect(await connect(token)).toMatchObject({ status: 403, body: { type: "account_error" } });
  const { deviceId } = await control("openApp", { musician: "demo-nopremium" });
  for (const [route, body] of [
    ["PUT /v1/me/player/play", uris("demo-nopremium")],
    ["PUT /v1/me/player/pause"],
    ["PUT /v1/me/player", { device_ids: [deviceId] }],
  ] as const) {
    const refused = { status: 403, body: { reason: "PREMIUM_REQUIRED" } };
    expect(await call(token, route, body), route).toMatchObject(refused);
  }
});

it("holds connect back until it is told to let go", async () => {
  const musician = "kaito-morinaga";
  const token = await tokenFor(musician);
  await control("sdk", { musician, fail: "hold" });
  const answer = connect(token);
  expect(await Promise.race([answer, after(200, "silence")])).toBe("silence");
  expect(await devices(token)).toEqual([]);
  await control("sdk", { musician, fail: "none" });
  const { status, body } = await answer;
  expect(status).toBe(200);
  expect(await devices(token)).toMatchObject([{ id: body.deviceId }]);
});

it("opens no device for a page that has gone while connect was held back", async () => {
  const musician = "noor-valcarcel";
  const token = await tokenFor(musician);
  await control("sdk", { musician, fail: "hold" });
  const page = new AbortController();
  const answer = connect(token, page.signal);
  await after(100);
  page.abort();
  await expect(answer).rejects.toThrow();
  await after(100);
  await control("sdk", { musician, fail: "none" });
  expect(await devices(token)).toEqual([]);
});

it("ends with a connect held back", async () => {
  const own = await startSandbox({ port: 0 });
  const order = (path: string, body: Json) =>
    fetch(`${own.origin}${path}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
  const musician = "bram-oosterhagen";
  const issued = await order("/control", { action: "issueToken", musician });
  const { access_token: token } = (await issued.json()) as Json;
  await order("/control", { action: "sdk", musician, fail: "hold" });
  const answer = expect(order("/spotify/sdk/connect", { token, name: "Page" })).rejects.toThrow();
  await after(100);
  await own.close();
  await answer;
});

it("loses the network in mid-song and comes back as the same device", async () => {
  const musician = "celestine-okonjo";
  const token = await tokenFor(musician);
  const page = await player(token);
  const play = `PUT /v1/me/player/play?device_id=${page.deviceId}`;
  expect((await call(token, play, uris(musician))).status).toBe(204);
  await page.shows(playing);

  await control("sdk", { musician, fail: "offline" });
  await page.hears("offline");
  expect(await devices(token)).toEqual([]);
  expect((await call(token, "GET /v1/me/player")).status).toBe(204);
  expect((await call(token, play, uris(musician))).status).toBe(404);
  const another = connect(token);
  expect(await Promise.race([another, after(200, "silence")])).toBe("silence");

  await control("sdk", { musician, fail: "none" });
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

it("leaves no device behind that was offline at the reset", async () => {
  const musician = "rafe-dunmorrow";
  const token = await tokenFor(musician);
  const page = await player(token);
  await control("sdk", { musician, fail: "offline" });
  await control("reset", { musician });
  await page.hears("gone");
  expect(await devices(token)).toEqual([]);
  page.close();
});

it("is taken over by the own app, and then plays nothing in the page", async () => {
  const musician = "ilse-kornblatt";
  const token = await tokenFor(musician);
  const page = await player(token);
  await call(token, `PUT /v1/me/player/play?device_id=${page.deviceId}`, uris(musician));
  await page.shows(playing);
  const { deviceId } = await control("play", { musician, trackId: trackOf(musician, 4) });
  await page.shows(null);
  expect((await call(token, "GET /v1/me/player")).body).toMatchObject({
    device: { id: deviceId, type: "Smartphone" },
    is_playing: true,
    item: { id: trackOf(musician, 4) },
  });
  page.close();
});

it("moves what plays to the own app and back, without a break", async () => {
  const musician = "davor-mihalic";
  const token = await tokenFor(musician);
  const page = await player(token);
  const play = { musician, trackId: trackOf(musician), positionMs: 60_000, device: "sdk" };
  expect(await control("play", play)).toMatchObject({ deviceId: page.deviceId });
  await page.shows(playing);
  const { deviceId } = await control("transfer", { musician, device: "app" });
  await page.shows(null);
  const { body } = await call(token, "GET /v1/me/player");
  expect(body).toMatchObject({
    device: { id: deviceId },
    is_playing: true,
    item: { id: trackOf(musician) },
  });
  expect(body.progress_ms).toBeGreaterThanOrEqual(60_000);
  await control("transfer", { musician, device: "sdk" });
  await page.shows(playing);
  page.close();
});

it("knows no player in the page where none is connected", async () => {
  const order = control("transfer", { musician: "juno-starling", device: "sdk" });
  await expect(order).rejects.toThrow("no SDK is connected");
});

it("has apps that take commands by hand only", async () => {
  const musician = "petra-wolkenstein";
  const token = await tokenFor(musician);
  const { deviceId } = await control("openApp", { musician, restricted: true });
  await control("play", { musician, trackId: trackOf(musician) });
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
  await control("openApp", { musician, restricted: false });
  expect((await call(token, "PUT /v1/me/player/pause")).status).toBe(204);
});

it("refuses to pause what is paused", async () => {
  const musician = "amadou-sarr-lo";
  const token = await tokenFor(musician);
  await control("play", { musician, trackId: trackOf(musician) });
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
  const token = await tokenFor(musician);
  await control("openApp", { musician });
  const body = { error: { status, message: "Player command failed", reason } };
  await control("fail", { musician, route: "PUT /v1/me/player/play", status, body });
  const play = () => call(token, "PUT /v1/me/player/play", uris(musician));
  expect(await play()).toMatchObject({ status, body: { reason } });
  expect((await play()).status).toBe(204);
});

it("wakes an app in the background by its device id", async () => {
  const musician = "octavio-brisas";
  const token = await tokenFor(musician);
  const { deviceId } = await control("openApp", { musician, active: false });
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

it("takes a disconnected player's device away at once, as often as one comes", async () => {
  const musician = "wren-calloway-fox";
  const token = await tokenFor(musician);
  const seen = new Set<string>();
  for (let time = 1; time <= 3; time += 1) {
    const page = await player(token);
    seen.add(page.deviceId);
    await control("play", { musician, trackId: trackOf(musician), device: "sdk" });
    await page.shows(playing);
    expect(await devices(token)).toMatchObject([{ id: page.deviceId, is_active: true }]);
    // The beacon, which a page sends even while it goes.
    await post("/spotify/sdk/disconnect", page.session);
    expect(await devices(token)).toEqual([]);
    expect((await call(token, "GET /v1/me/player")).status).toBe(204);
    page.close();
  }
  expect(seen.size).toBe(3);
});
