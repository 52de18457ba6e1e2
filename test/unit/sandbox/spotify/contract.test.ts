/** The Spotify stand-in responds as the Web API's description says, in every mode. */
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import {
  albumById,
  musicianById,
  musicians,
  trackById,
  tracks,
} from "../../../sandbox/catalogue.ts";
import { answerProblems, requestProblems } from "../../../support/spotify/web-api.ts";
import { type Answer, type SpotifyRig, startSpotifyRig } from "./rig.ts";

const PLAYLIST_SCOPES =
  "playlist-read-private playlist-modify-public playlist-modify-private user-read-private " +
  "user-read-email user-library-read user-library-modify user-read-playback-state " +
  "user-read-currently-playing user-modify-playback-state streaming";

let rig: SpotifyRig;
beforeAll(async () => {
  rig = await startSpotifyRig();
});
afterAll(() => rig.close());

function tokenFor(musician: string, fields: Record<string, unknown> = {}): Promise<string> {
  return rig.tokenFor(musician, { scope: PLAYLIST_SCOPES, ...fields });
}

function errorOf(answer: Answer): { status: number; message: string; reason?: string } {
  return (answer.body as { error: { status: number; message: string; reason?: string } }).error;
}

const relinked = tracks.find((track) => track.relinkedTo !== null);
const bare = tracks.find((track) => albumById.get(track.albumId)?.cover === false);

/** Calls a route, and expects the request and the response to be as Spotify has them. */
async function valid(token: string, route: string, status: number, body?: unknown) {
  const answer = await rig.call(token, route, body);
  const [method = "", target = ""] = route.split(" ");
  const { pathname: path, searchParams } = new URL(target, rig.sandbox.origin);
  const call = { method, path, query: Object.fromEntries(searchParams), body };
  expect(answer.status, `${route} ${JSON.stringify(answer.body)}`).toBe(status);
  expect(answerProblems(call, status, answer.body), route).toEqual([]);
  if (status < 400) expect(requestProblems(call), route).toEqual([]);
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
    await valid(token, `GET /v1/tracks/${relinked?.id}?market=SE`, 200);
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
    await valid(token, "GET /v1/search?type=track,artist,album&q=mara&limit=2&offset=2", 200);
    await valid(token, "GET /v1/search?type=track&q=", 400);
    const wide = mode === "development" ? 400 : 200;
    expect((await rig.call(token, "GET /v1/search?type=track&q=a&limit=50")).status).toBe(wide);
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
    await valid(token, "GET /v1/me/player/devices", 200);
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
    await valid(token, "PUT /v1/me/player", 204, { device_ids: [deviceId], play: true });
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
    expect([403, 404], route).toContain((await rig.call(reduced, route, body)).status);
  }
});

describe("refusals", () => {
  const musician = "celestine-okonjo";

  it("of tokens", async () => {
    expect(errorOf(await rig.call("nonsense", "GET /v1/me")).message).toBe("Invalid access token");
    const token = await tokenFor(musician);
    await rig.control("expireTokens", { musician });
    const expired = await rig.call(token, "GET /v1/me");
    expect(errorOf(expired)).toEqual({ status: 401, message: "The access token expired" });
    const narrow = await tokenFor(musician, { scope: "user-read-email" });
    expect((await rig.call(narrow, "GET /v1/me/player")).status).toBe(403);
  });

  it("of an unlisted user, in plain text", async () => {
    const answer = await rig.call(await tokenFor("demo-unlisted"), "GET /v1/me");
    expect(answer.status).toBe(403);
    expect(typeof answer.body).toBe("string");
  });

  it("of playback without Premium", async () => {
    await rig.control("openApp", { musician: "demo-nopremium" });
    const answer = await rig.call(await tokenFor("demo-nopremium"), "PUT /v1/me/player/play", {
      uris: [`spotify:track:${tracks[0]?.id}`],
    });
    expect(answer.status).toBe(403);
    expect(errorOf(answer).reason).toBe("PREMIUM_REQUIRED");
  });

  it("of more calls than a rolling window allows", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    try {
      const limited = { musician: "ilse-kornblatt", limit: 1, windowSeconds: 2 };
      const token = await tokenFor(limited.musician);
      await rig.control("rateLimit", limited);
      expect((await rig.call(token, "GET /v1/me")).status).toBe(200);
      const refused = await rig.call(token, "GET /v1/me");
      expect([refused.status, refused.headers.get("Retry-After")]).toEqual([429, "2"]);
      vi.setSystemTime(Date.now() + 2_001);
      expect((await rig.call(token, "GET /v1/me")).status).toBe(200);
    } finally {
      vi.useRealTimers();
    }
  });

  it("on request, of one musician and a number of calls", async () => {
    const [one, other] = [await tokenFor("rafe-dunmorrow"), await tokenFor("bram-oosterhagen")];
    const broken = { status: 502, body: "Bad gateway" };
    const fault = { route: "GET /v1/tracks/:id", musician: "rafe-dunmorrow", times: 1 };
    await rig.control("fail", { ...fault, ...broken });
    const route = `GET /v1/tracks/${tracks[3]?.id}`;
    expect((await rig.call(other, route)).status).toBe(200);
    expect(await rig.call(one, route)).toMatchObject(broken);
    expect((await rig.call(one, route)).status).toBe(200);
    await rig.control("fail", { ...fault, status: 0 });
    await expect(rig.call(one, route)).rejects.toThrow();
  });

  it.each([
    [{}, "*", "Retry-After"],
    [{ retryAfter: true }, "*", null],
    [{ cors: true }, null, "Retry-After"],
  ])("that a page cannot read in full: %j", async (hidden, origin, exposed) => {
    const token = await tokenFor(musician);
    await rig.control("hideLimits", { musician, ...hidden });
    await rig.control("fail", { musician, route: "GET /v1/me", status: 429, retryAfter: 2 });
    const { headers } = await rig.call(token, "GET /v1/me");
    expect(headers.get("Retry-After")).toBe("2");
    expect(headers.get("Access-Control-Allow-Origin")).toBe(origin);
    expect(headers.get("Access-Control-Expose-Headers")).toBe(exposed);
  });
});

it("leaves out e-mail, country and product if they are not available", async () => {
  await rig.control("mode", { client: "sandbox-client-b", mode: "development" });
  const reduced = await tokenFor("celestine-okonjo", { client: "sandbox-client-b" });
  const { body } = await rig.call(reduced, "GET /v1/me");
  for (const field of ["email", "country", "product", "followers"]) {
    expect(body).not.toHaveProperty(field);
  }
  const silent = await rig.call(await tokenFor("demo-noemail"), "GET /v1/me");
  expect(silent.body).not.toHaveProperty("email");
});

it.each([
  ["account", "account_error"],
  ["authentication", "authentication_error"],
  ["init", "initialization_error"],
])("lets the player in a page fail once with: %s", async (fail, type) => {
  const musician = "noor-valcarcel";
  const token = await tokenFor(musician);
  const connect = async () => {
    const response = await fetch(`${rig.sandbox.origin}/spotify/sdk/connect`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ token, name: "Page", volume: 0.5 }),
    });
    return [response.status, ((await response.json()) as { type?: string }).type];
  };
  await rig.control("sdk", { musician, fail });
  expect(await connect()).toEqual([403, type]);
  expect((await connect())[0]).toBe(200);
});

describe("the login", () => {
  const musician = "wren-calloway-fox";
  const redirectUri = "http://127.0.0.1:8787/auth/spotify/callback";
  const query = (change: Record<string, string> = {}) =>
    new URLSearchParams({
      client_id: "sandbox-client-a",
      redirect_uri: redirectUri,
      response_type: "code",
      scope: "user-read-email streaming",
      state: "s1",
      ...change,
    });
  const authorize = () => `${rig.sandbox.origin}/spotify/accounts/authorize`;

  async function decide(fields: Record<string, string>): Promise<URL> {
    const body = query(fields);
    const response = await fetch(authorize(), { method: "POST", body, redirect: "manual" });
    return new URL(response.headers.get("Location") ?? "about:blank");
  }

  async function token(fields: Record<string, string>, secret = "sandbox-secret-a") {
    const response = await fetch(`${rig.sandbox.origin}/spotify/accounts/api/token`, {
      method: "POST",
      headers: { Authorization: `Basic ${btoa(`sandbox-client-a:${secret}`)}` },
      body: new URLSearchParams(fields),
    });
    return { status: response.status, body: (await response.json()) as Record<string, string> };
  }

  /** The fields with which a code is exchanged for tokens. */
  async function grant(): Promise<Record<string, string>> {
    const back = await decide({ musician, decision: "agree" });
    expect(back.searchParams.get("state")).toBe("s1");
    const code = back.searchParams.get("code") ?? "";
    return { grant_type: "authorization_code", code, redirect_uri: redirectUri };
  }

  it("shows all musicians and refuses unknown clients and addresses", async () => {
    const shown = await (await fetch(`${authorize()}?${query()}`)).text();
    for (const { id } of musicians) expect(shown).toContain(`value="${id}"`);
    for (const change of [
      { client_id: "unknown" },
      { redirect_uri: "http://localhost:8787/auth/spotify/callback" },
      { redirect_uri: "http://example.com/" },
    ]) {
      expect((await fetch(`${authorize()}?${query(change)}`)).status).toBe(400);
    }
  });

  it("redirects with a code that works once, or with an error", async () => {
    const denied = await decide({ decision: "deny" });
    expect(denied.search).toBe("?error=access_denied&state=s1");
    const fields = await grant();
    const elsewhere = await token({ ...fields, redirect_uri: "http://127.0.0.1:1/" });
    expect(elsewhere.body.error).toBe("invalid_grant");
    expect((await token(fields, "wrong")).body.error).toBe("invalid_client");
    expect((await token(fields)).body).toMatchObject({
      token_type: "Bearer",
      expires_in: 3600,
      scope: "user-read-email streaming",
    });
    expect((await token(fields)).status).toBe(400);
  });

  it("rotates at every second refresh, and can be revoked", async () => {
    const { refresh_token = "" } = (await token(await grant())).body;
    const refresh = (value: string) => token({ grant_type: "refresh_token", refresh_token: value });
    expect((await refresh(refresh_token)).body.refresh_token).toBeUndefined();
    const rotated = (await refresh(refresh_token)).body.refresh_token ?? "";
    expect(rotated).not.toBe("");
    expect((await refresh(refresh_token)).body.refresh_token).toBe(rotated);
    expect((await refresh(rotated)).status).toBe(200);
    await rig.control("revoke", { musician });
    const dead = await refresh(rotated);
    expect(dead).toMatchObject({ status: 400, body: { error: "invalid_grant" } });
  });
});
