/** The Spotify stand-in answers as the Web API's description says, in every mode. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { albumById, musicianById, trackById, tracks } from "../../sandbox/catalogue.ts";
import { answerProblems, requestProblems } from "../../support/spotify/web-api.ts";
import { type Json, type Rig, startRig } from "./rig.ts";

const scope =
  "playlist-read-private playlist-modify-public playlist-modify-private user-read-private " +
  "user-read-email user-library-read user-library-modify user-read-playback-state " +
  "user-read-currently-playing user-modify-playback-state streaming";
const clients = { extended: "sandbox-client-a", development: "sandbox-client-b" };
const modes = ["extended", "development"] as const;
const relinked = tracks.find(({ relinkedTo }) => relinkedTo !== null);
const bare = tracks.find(({ albumId }) => albumById.get(albumId)?.cover === false);
const uris = [`spotify:track:${relinked?.id}`];

let rig: Rig;
beforeAll(async () => {
  rig = await startRig();
  await rig.control("mode", { client: clients.development, mode: "development" });
});
afterAll(() => rig.close());

type Call = (route: string, body?: unknown) => Promise<{ status: number; body: Json }>;

/** Calls the API by a new token; `fields` are those of the action `issueToken`. */
async function caller(musician: string, fields: Json = {}): Promise<Call> {
  const { access_token } = await rig.control("issueToken", { musician, scope, ...fields });
  return async (route, body) => {
    const [method = "", path = ""] = route.split(" ");
    const response = await fetch(`${rig.sandbox.origin}/spotify/api${path}`, {
      method,
      headers: { Authorization: `Bearer ${access_token}`, "Content-Type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get("Content-Type")?.includes("json");
    return { status: response.status, body: text === "" ? null : isJson ? JSON.parse(text) : text };
  };
}

/** Calls a route, and expects the request and the answer to be as Spotify has them. */
async function validCaller(musician: string, mode: (typeof modes)[number]) {
  const call = await caller(musician, { client: clients[mode] });
  return async (route: string, status: number, body?: unknown): Promise<Json> => {
    const answer = await call(route, body);
    const [method = "", target = ""] = route.split(" ");
    const { pathname: path, searchParams } = new URL(target, rig.sandbox.origin);
    const request = { method, path, query: Object.fromEntries(searchParams), body };
    expect(answer.status, `${route} ${JSON.stringify(answer.body)}`).toBe(status);
    expect(answerProblems(request, status, answer.body), route).toEqual([]);
    if (status < 400) expect(requestProblems(request), route).toEqual([]);
    return answer.body;
  };
}

test.each(modes)("in mode %s it has the catalogue and finds tracks", async (mode) => {
  const valid = await validCaller("mara-lind", mode);
  const track = trackById.get(musicianById.get("mara-lind")?.trackIds[0] ?? "");
  for (const path of [
    ...["me", `tracks/${track?.id}`, `tracks/${relinked?.id}`, `tracks/${bare?.id}`],
    ...[`albums/${track?.albumId}`, `albums/${track?.albumId}/tracks?limit=1`],
    ...[`artists/${track?.artistIds[0]}`, "search?type=track&q=amber&limit=3"],
  ]) {
    await valid(`GET /v1/${path}`, 200);
  }
  await valid("GET /v1/tracks/0000000000000000000000", 404);
  await valid("GET /v1/tracks/nonsense", 400);
  await valid("GET /v1/search?type=track&q=", 400);
  const call = await caller("mara-lind", { client: clients[mode] });
  const { status } = await call("GET /v1/search?type=track&q=a&limit=50");
  expect(status).toBe(mode === "development" ? 400 : 200);
});

test.each(modes)("in mode %s it keeps a library and playlists", async (mode) => {
  const valid = await validCaller("tobin-ashgrove", mode);
  const [uri] = uris;
  await valid(`PUT /v1/me/library?uris=${uri}`, 200);
  expect(await valid(`GET /v1/me/library/contains?uris=${uri}`, 200)).toEqual([true]);
  await valid(`DELETE /v1/me/library?uris=${uri}`, 200);
  await valid("PUT /v1/me/library?uris=spotify:nonsense:1", 400);
  const { id } = await valid("POST /v1/me/playlists", 201, { name: "Found here" });
  await valid(`POST /v1/playlists/${id}/items`, 201, { uris });
  await valid(`GET /v1/playlists/${id}/items`, 200);
  await valid(`GET /v1/playlists/${id}`, 200);
  await valid("GET /v1/me/playlists", 200);
});

test.each(modes)("in mode %s it plays where a device is", async (mode) => {
  const musician = "noor-valcarcel";
  const valid = await validCaller(musician, mode);
  await rig.control("reset", { musician });
  await valid("GET /v1/me/player", 204);
  const nowhere = await valid("PUT /v1/me/player/play", 404, { uris });
  expect(nowhere).toMatchObject({ error: { reason: "NO_ACTIVE_DEVICE" } });
  const { deviceId } = await rig.control("openApp", { musician, active: false });
  await valid("GET /v1/me/player", 204);
  await valid(`PUT /v1/me/player/play?device_id=${deviceId}`, 204, { uris, position_ms: 0 });
  const { item } = (await valid("GET /v1/me/player", 200)) as { item: Json };
  const { relinkedTo: id, isrc } = relinked ?? {};
  expect(item).toMatchObject({ id, external_ids: { isrc } });
  expect(item.linked_from !== undefined).toBe(mode === "extended");
  const current = await valid("GET /v1/me/player/currently-playing", 200);
  expect(current).toMatchObject({ is_playing: true });
  await valid("PUT /v1/me/player/pause", 204);
  const again = await valid("PUT /v1/me/player/pause", 403);
  expect(again).toMatchObject({ error: { reason: "UNKNOWN" } });
  await valid("PUT /v1/me/player/play?device_id=nowhere", 404);
  await rig.control("openApp", { musician, restricted: true });
  await valid("PUT /v1/me/player/pause", 403);
  await rig.control("closeApp", { musician });
  await valid("GET /v1/me/player", 204);
});

test.each(modes)("in mode %s it has what else may play, and what may not", async (mode) => {
  const musician = "bram-oosterhagen";
  const valid = await validCaller(musician, mode);
  await rig.control("reset", { musician });
  await rig.control("play", { musician, trackId: relinked?.id });
  await rig.control("privateSession", { musician });
  await valid("GET /v1/me/player", 204);
  await valid("GET /v1/me/player/currently-playing", 204);
  await rig.control("privateSession", { musician, on: false });
  for (const currently_playing_type of ["ad", "episode"]) {
    const action = currently_playing_type === "ad" ? "advertisement" : "episode";
    await rig.control(action, { musician });
    const body = await valid("GET /v1/me/player", 200);
    expect(body).toMatchObject({ item: null, currently_playing_type });
  }
  const named = await valid("GET /v1/me/player?additional_types=track,episode", 200);
  expect(named).toMatchObject({ item: { type: "episode" }, is_playing: true });

  const [trackId, restrictions] = [relinked?.id, { reason: "explicit" }];
  await rig.control("track", { trackId, explicit: true });
  await rig.control("hideExplicit", { musician });
  const hidden = await valid(`GET /v1/tracks/${trackId}`, 200);
  expect(hidden).toMatchObject({ explicit: true, is_playable: false, restrictions });
  const refused = await valid("PUT /v1/me/player/play", 403, { uris });
  expect(refused).toMatchObject({ error: { reason: "UNKNOWN" } });
  await rig.control("hideExplicit", { musician, on: false });
  await valid("PUT /v1/me/player/play", 204, { uris });
  await rig.control("track", { trackId });
});

test("only modes that have the old routes answer them", async () => {
  const [musician, id] = ["ysolde-perrin", relinked?.id];
  const valid = await validCaller(musician, "extended");
  const reduced = await caller(musician, { client: clients.development });
  const { items } = await valid(`GET /v1/users/${musician}/playlists`, 200);
  const [list] = items as { id: string }[];
  const routes: [route: string, status: number, body?: unknown][] = [
    [`GET /v1/playlists/${list?.id}/tracks?limit=100`, 200],
    ["PUT /v1/me/tracks", 200, { ids: [id] }],
    [`GET /v1/me/tracks/contains?ids=${id}`, 200],
    [`DELETE /v1/me/tracks?ids=${id}`, 200],
    [`POST /v1/users/${musician}/playlists`, 201, { name: "Old way" }],
    [`POST /v1/playlists/${list?.id}/tracks`, 201, { uris }],
  ];
  for (const [route, status, body] of routes) {
    await valid(route, status, body);
    expect([403, 404], route).toContain((await reduced(route, body)).status);
  }
});

test("old and narrow tokens, unlisted users, and playback without Premium are refused", async () => {
  const musician = "celestine-okonjo";
  const expired = await caller(musician);
  await rig.control("expireTokens", { musician });
  const narrow = await caller(musician, { scope: "user-read-email" });
  await rig.control("openApp", { musician: "demo-nopremium" });
  const free = await caller("demo-nopremium");
  expect(await expired("GET /v1/me")).toMatchObject({
    body: { error: { status: 401, message: "The access token expired" } },
  });
  expect(await narrow("GET /v1/me/player")).toMatchObject({ status: 403 });
  expect(await (await caller("demo-unlisted"))("GET /v1/me")).toEqual({
    ...{ status: 403, body: expect.any(String) },
  });
  expect(await free("PUT /v1/me/player/play", { uris })).toMatchObject({
    body: { error: { status: 403, reason: "PREMIUM_REQUIRED" } },
  });
});

test("e-mail, country and product are left out where they are not available", async () => {
  const reduced = await caller("celestine-okonjo", { client: clients.development });
  const { body } = await reduced("GET /v1/me");
  for (const field of ["email", "country", "product", "followers"]) {
    expect(body).not.toHaveProperty(field);
  }
  const silent = await (await caller("demo-noemail"))("GET /v1/me");
  expect(silent.body).not.toHaveProperty("email");
});

test("a code gives tokens once, and every second refresh another refresh token", async () => {
  const musician = "wren-calloway-fox";
  const redirect_uri = "http://127.0.0.1:8787/auth/spotify/callback";
  const accounts = `${rig.sandbox.origin}/spotify/accounts`;
  const consent = { client_id: clients.extended, scope: "streaming", musician, decision: "agree" };
  const agreed = await fetch(`${accounts}/authorize`, {
    ...{ method: "POST", redirect: "manual" },
    body: new URLSearchParams({ ...consent, redirect_uri }),
  });
  const code = new URL(agreed.headers.get("Location") ?? "").searchParams.get("code") ?? "";

  async function token(fields: Record<string, string>) {
    const response = await fetch(`${accounts}/api/token`, {
      method: "POST",
      headers: { Authorization: `Basic ${btoa("sandbox-client-a:sandbox-secret-a")}` },
      body: new URLSearchParams(fields),
    });
    return (await response.json()) as Record<string, string>;
  }
  const fields = { grant_type: "authorization_code", code, redirect_uri };
  const issued = await token(fields);
  expect(issued).toMatchObject({ token_type: "Bearer", expires_in: 3600, scope: "streaming" });
  expect((await token(fields)).error).toBe("invalid_grant");

  const refresh = (refresh_token = "") => token({ grant_type: "refresh_token", refresh_token });
  expect(await refresh(issued.refresh_token)).not.toHaveProperty("refresh_token");
  const { refresh_token: rotated = "" } = await refresh(issued.refresh_token);
  expect(rotated).not.toBe("");
  expect((await refresh(issued.refresh_token)).refresh_token).toBe(rotated);
  await rig.control("revoke", { musician });
  expect((await refresh(rotated)).error).toBe("invalid_grant");
});
