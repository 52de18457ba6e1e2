/** The Spotify stand-in responds as the Web API's description says, in every mode. */
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { albumById, musicianById, trackById, tracks } from "../../sandbox/catalogue.ts";
import { answerProblems, requestProblems } from "../../support/spotify/web-api.ts";
import { type Json, type Rig, startRig } from "./rig.ts";

interface Answer {
  status: number;
  body: unknown;
}

const PLAYLIST_SCOPES =
  "playlist-read-private playlist-modify-public playlist-modify-private user-read-private " +
  "user-read-email user-library-read user-library-modify user-read-playback-state " +
  "user-read-currently-playing user-modify-playback-state streaming";

let rig: Rig;
beforeAll(async () => {
  rig = await startRig();
});
afterAll(() => rig.close());

/** An access token; `fields` are those of the action `issueToken`. */
async function tokenFor(musician: string, fields: Json = {}): Promise<string> {
  const scope = PLAYLIST_SCOPES;
  const issued = await rig.control("issueToken", { musician, scope, ...fields });
  return String(issued.access_token);
}

async function call(token: string, route: string, body?: unknown): Promise<Answer> {
  const [method = "", path = ""] = route.split(" ");
  const response = await fetch(`${rig.sandbox.origin}/spotify/api${path}`, {
    method,
    headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const isJson = response.headers.get("Content-Type")?.includes("json");
  return { status: response.status, body: text === "" ? null : isJson ? JSON.parse(text) : text };
}

function errorOf(answer: Answer): { status: number; message: string; reason?: string } {
  return (answer.body as { error: { status: number; message: string; reason?: string } }).error;
}

const relinked = tracks.find((track) => track.relinkedTo !== null);
const bare = tracks.find((track) => albumById.get(track.albumId)?.cover === false);

/** Calls a route, and expects the request and the response to be as Spotify has them. */
async function valid(token: string, route: string, status: number, body?: unknown) {
  const answer = await call(token, route, body);
  const [method = "", target = ""] = route.split(" ");
  const { pathname: path, searchParams } = new URL(target, rig.sandbox.origin);
  const request = { method, path, query: Object.fromEntries(searchParams), body };
  expect(answer.status, `${route} ${JSON.stringify(answer.body)}`).toBe(status);
  expect(answerProblems(request, status, answer.body), route).toEqual([]);
  if (status < 400) expect(requestProblems(request), route).toEqual([]);
  return answer;
}

describe.each([
  { mode: "extended", musician: "mara-lind", client: "sandbox-client-a" },
  { mode: "development", musician: "tobin-ashgrove", client: "sandbox-client-b" },
])("in mode $mode", ({ mode, musician, client }) => {
  const own = musicianById.get(musician)?.trackIds ?? [];
  const track = trackById.get(own[0] ?? "");
  let token: string;
  beforeAll(async () => {
    await rig.control("mode", { client, mode });
    token = await tokenFor(musician, { client });
  });

  it("has the catalogue", async () => {
    await valid(token, "GET /v1/me", 200);
    await valid(token, `GET /v1/tracks/${track?.id}`, 200);
    await valid(token, `GET /v1/tracks/${relinked?.id}`, 200);
    await valid(token, `GET /v1/tracks/${bare?.id}`, 200);
    await valid(token, `GET /v1/albums/${track?.albumId}`, 200);
    await valid(token, `GET /v1/albums/${track?.albumId}/tracks?limit=1`, 200);
    await valid(token, `GET /v1/artists/${track?.artistIds[0]}`, 200);
    await valid(token, "GET /v1/tracks/0000000000000000000000", 404);
    await valid(token, "GET /v1/tracks/nonsense", 400);
  });

  it("finds tracks", async () => {
    const found = await valid(token, "GET /v1/search?type=track&q=amber&limit=3", 200);
    expect((found.body as { tracks: { items: unknown[] } }).tracks.items).toHaveLength(3);
    await valid(token, "GET /v1/search?type=track&q=", 400);
    const wide = mode === "development" ? 400 : 200;
    expect((await call(token, "GET /v1/search?type=track&q=a&limit=50")).status).toBe(wide);
  });

  it("keeps a library and playlists", async () => {
    const uri = `spotify:track:${own[1]}`;
    await valid(token, `PUT /v1/me/library?uris=${uri}`, 200);
    const saved = await valid(token, `GET /v1/me/library/contains?uris=${uri}`, 200);
    expect(saved.body).toEqual([true]);
    await valid(token, `DELETE /v1/me/library?uris=${uri}`, 200);
    await valid(token, "PUT /v1/me/library?uris=spotify:nonsense:1", 400);
    const made = await valid(token, "POST /v1/me/playlists", 201, { name: "Found here" });
    const { id } = made.body as { id: string };
    await valid(token, `POST /v1/playlists/${id}/items`, 201, { uris: [uri] });
    await valid(token, `GET /v1/playlists/${id}/items`, 200);
    await valid(token, `GET /v1/playlists/${id}`, 200);
    await valid(token, "GET /v1/me/playlists", 200);
  });

  it("plays", async () => {
    await rig.control("reset", { musician });
    await valid(token, "GET /v1/me/player", 204);
    const uris = [`spotify:track:${relinked?.id}`];
    const nowhere = await valid(token, "PUT /v1/me/player/play", 404, { uris });
    expect(errorOf(nowhere).reason).toBe("NO_ACTIVE_DEVICE");
    const { deviceId } = await rig.control("openApp", { musician, active: false });
    await valid(token, "GET /v1/me/player", 204);
    const here = `PUT /v1/me/player/play?device_id=${deviceId}`;
    await valid(token, here, 204, { uris, position_ms: 0 });
    const state = await valid(token, "GET /v1/me/player", 200);
    const { item } = state.body as {
      item: { id: string; linked_from?: { id: string }; external_ids: { isrc: string } };
    };
    expect(item.id).toBe(relinked?.relinkedTo);
    expect(item.external_ids.isrc).toBe(relinked?.isrc);
    expect(item.linked_from?.id).toBe(mode === "development" ? undefined : relinked?.id);
    const { body } = await valid(token, "GET /v1/me/player/currently-playing", 200);
    expect((body as { is_playing: boolean }).is_playing).toBe(true);
    await valid(token, "PUT /v1/me/player/pause", 204);
    expect(errorOf(await valid(token, "PUT /v1/me/player/pause", 403)).reason).toBe("UNKNOWN");
    await valid(token, "PUT /v1/me/player/play?device_id=nowhere", 404);
    await rig.control("openApp", { musician, restricted: true });
    await valid(token, "PUT /v1/me/player/pause", 403);
    await rig.control("closeApp", { musician });
    await valid(token, "GET /v1/me/player", 204);
  });

  it("tells nothing of a private session, names no advertisement, and an episode when asked", async () => {
    await rig.control("reset", { musician });
    await rig.control("play", { musician, trackId: relinked?.id });
    const bodyOf = async (query = "") =>
      (await valid(token, `GET /v1/me/player${query}`, 200)).body as Record<string, unknown>;
    await rig.control("privateSession", { musician });
    await valid(token, "GET /v1/me/player", 204);
    await valid(token, "GET /v1/me/player/currently-playing", 204);
    await rig.control("privateSession", { musician, on: false });
    await rig.control("advertisement", { musician });
    expect(await bodyOf()).toMatchObject({ item: null, currently_playing_type: "ad" });
    await rig.control("episode", { musician });
    expect(await bodyOf()).toMatchObject({ item: null, currently_playing_type: "episode" });
    const named = await bodyOf("?additional_types=track,episode");
    expect(named).toMatchObject({ item: { type: "episode" }, is_playing: true });
  });

  it("crosses into another song before the end of one that was started alone", async () => {
    await rig.control("reset", { musician });
    await rig.control("crossfade", { musician, seconds: 12 });
    const ended = { trackId: relinked?.id, positionMs: (relinked?.durationMs ?? 0) - 11_000 };
    await rig.control("play", { musician, ...ended });
    await vi.waitFor(async () => {
      const { body } = await valid(token, "GET /v1/me/player/currently-playing", 200);
      const { item, is_playing } = body as { item: { id: string }; is_playing: boolean };
      expect(is_playing).toBe(true);
      expect([relinked?.id, relinked?.relinkedTo]).not.toContain(item.id);
    });
  });

  it("restricts explicit songs for an account that hides them", async () => {
    await rig.control("reset", { musician });
    await rig.control("openApp", { musician });
    const trackId = relinked?.id;
    await rig.control("track", { trackId, explicit: true });
    await rig.control("hideExplicit", { musician });
    const { body } = await valid(token, `GET /v1/tracks/${trackId}`, 200);
    const restrictions = { reason: "explicit" };
    expect(body).toMatchObject({ explicit: true, is_playable: false, restrictions });
    const uris = [`spotify:track:${trackId}`];
    expect(errorOf(await valid(token, "PUT /v1/me/player/play", 403, { uris })).reason).toBe(
      "UNKNOWN",
    );
    await rig.control("hideExplicit", { musician, on: false });
    await valid(token, "PUT /v1/me/player/play", 204, { uris });
    await rig.control("track", { trackId });
  });
});

it("has the old routes only in modes that have them", async () => {
  const [musician, id] = ["ysolde-perrin", musicianById.get("ysolde-perrin")?.trackIds[0]];
  const extended = await tokenFor(musician);
  await rig.control("mode", { client: "sandbox-client-b", mode: "development" });
  const reduced = await tokenFor(musician, { client: "sandbox-client-b" });
  const lists = await valid(extended, `GET /v1/users/${musician}/playlists`, 200);
  const list = (lists.body as { items: { id: string }[] }).items[0]?.id;
  const routes: [route: string, status: number, body?: unknown][] = [
    [`GET /v1/playlists/${list}/tracks?limit=100`, 200],
    ["PUT /v1/me/tracks", 200, { ids: [id] }],
    [`GET /v1/me/tracks/contains?ids=${id}`, 200],
    [`DELETE /v1/me/tracks?ids=${id}`, 200],
    [`POST /v1/users/${musician}/playlists`, 201, { name: "Old way" }],
    [`POST /v1/playlists/${list}/tracks`, 201, { uris: [`spotify:track:${id}`] }],
  ];
  for (const [route, status, body] of routes) {
    await valid(extended, route, status, body);
    expect([403, 404], route).toContain((await call(reduced, route, body)).status);
  }
});

it("refuses old and narrow tokens, unlisted users, and playback without Premium", async () => {
  const musician = "celestine-okonjo";
  const token = await tokenFor(musician);
  await rig.control("expireTokens", { musician });
  expect(errorOf(await call(token, "GET /v1/me"))).toEqual({
    status: 401,
    message: "The access token expired",
  });
  const narrow = await tokenFor(musician, { scope: "user-read-email" });
  expect((await call(narrow, "GET /v1/me/player")).status).toBe(403);
  const unlisted = await call(await tokenFor("demo-unlisted"), "GET /v1/me");
  expect([unlisted.status, typeof unlisted.body]).toEqual([403, "string"]);
  await rig.control("openApp", { musician: "demo-nopremium" });
  const uris = [`spotify:track:${tracks[0]?.id}`];
  const free = await tokenFor("demo-nopremium");
  const refused = await call(free, "PUT /v1/me/player/play", { uris });
  expect(errorOf(refused)).toMatchObject({ status: 403, reason: "PREMIUM_REQUIRED" });
});

it("leaves out e-mail, country and product if they are not available", async () => {
  await rig.control("mode", { client: "sandbox-client-b", mode: "development" });
  const reduced = await tokenFor("celestine-okonjo", { client: "sandbox-client-b" });
  const { body } = await call(reduced, "GET /v1/me");
  for (const field of ["email", "country", "product", "followers"]) {
    expect(body).not.toHaveProperty(field);
  }
  const silent = await call(await tokenFor("demo-noemail"), "GET /v1/me");
  expect(silent.body).not.toHaveProperty("email");
});

it("gives tokens for a code once, and another refresh token at every second refresh", async () => {
  const musician = "wren-calloway-fox";
  const redirect_uri = "http://127.0.0.1:8787/auth/spotify/callback";
  const accounts = `${rig.sandbox.origin}/spotify/accounts`;
  const consent = {
    client_id: "sandbox-client-a",
    scope: "streaming",
    musician,
    decision: "agree",
  };
  const agreed = await fetch(`${accounts}/authorize`, {
    method: "POST",
    body: new URLSearchParams({ ...consent, redirect_uri }),
    redirect: "manual",
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
