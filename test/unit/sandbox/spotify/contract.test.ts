/** The Spotify stand-in responds as the Web API's description says, in every mode. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  albumById,
  musicianById,
  musicians,
  trackById,
  tracks,
} from "../../../sandbox/catalogue.ts";
import {
  type Contract,
  loadContract,
  titleWith,
  validateRequest,
  validateResponse,
} from "../../../support/spotify/contract.ts";
import { type Answer, type SpotifyRig, startSpotifyRig } from "./rig.ts";

const contract = loadContract();

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

describe.skipIf(!contract)(titleWith(contract, "against the contract"), () => {
  /** Calls a route and expects the request and the response to match the description. */
  async function valid(token: string, route: string, status: number, body?: unknown) {
    const answer = await rig.call(token, route, body);
    const [method = "", target = ""] = route.split(" ");
    const url = new URL(target, rig.sandbox.origin);
    const known = contract as Contract;
    const query = Object.fromEntries(url.searchParams);
    const path = url.pathname;
    expect(answer.status, `${route} ${JSON.stringify(answer.body)}`).toBe(status);
    const response = { method, path, status: answer.status, body: answer.body };
    expect(validateResponse(known, response), route).toEqual([]);
    if (status < 400) {
      expect(validateRequest(known, { method, path, query, body }), route).toEqual([]);
    }
    return answer;
  }

  describe.each([
    { mode: "extended", musician: "mara-lind", client: "sandbox-client-a" },
    { mode: "development", musician: "tobin-ashgrove", client: "sandbox-client-b" },
  ])("$mode", ({ mode, musician, client }) => {
    const own = musicianById.get(musician)?.trackIds ?? [];
    const track = trackById.get(own[0] ?? "");
    let token: string;
    beforeAll(async () => {
      await rig.control("mode", { client, mode });
      token = await tokenFor(musician, { client });
    });

    it("serves the catalogue routes", async () => {
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

    it("searches tracks and playlists", async () => {
      const byWord = await valid(token, "GET /v1/search?type=track&q=amber&limit=3", 200);
      expect((byWord.body as { tracks: { items: unknown[] } }).tracks.items).toHaveLength(3);
      await valid(token, "GET /v1/search?type=playlist&q=songs&limit=2&offset=2", 200);
      await valid(token, "GET /v1/search?type=track,artist,album&q=mara", 200);
      expect(errorOf(await valid(token, "GET /v1/search?type=track&q=", 400)).message).toBe(
        "No search query",
      );
      const wide = mode === "development" ? 400 : 200;
      expect((await rig.call(token, "GET /v1/search?type=track&q=a&limit=50")).status).toBe(wide);
      expect((await rig.call(token, "GET /v1/search?type=track&q=a&limit=51")).status).toBe(400);
    });

    it("keeps a library and playlists, with the new routes", async () => {
      const uri = `spotify:track:${own[1]}`;
      await valid(token, `GET /v1/me/library/contains?uris=${uri}`, 200);
      await valid(token, `PUT /v1/me/library?uris=${uri}`, 200);
      const saved = await valid(token, `GET /v1/me/library/contains?uris=${uri}`, 200);
      expect(saved.body).toEqual([true]);
      await valid(token, "GET /v1/me/tracks", 200);
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
      await valid(token, `PUT /v1/me/player/play?device_id=${deviceId}`, 204, {
        uris,
        position_ms: 0,
      });
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
      await valid(token, "PUT /v1/me/player/pause", 403);
      await valid(token, "PUT /v1/me/player/seek?position_ms=1500", 204);
      await valid(token, "PUT /v1/me/player", 204, { device_ids: [deviceId], play: true });
      await valid(token, "PUT /v1/me/player/play?device_id=nowhere", 404);
      await rig.control("closeApp", { musician });
      await valid(token, "GET /v1/me/player", 204);
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
      [`GET /v1/tracks?ids=${id}`, 200],
      [`POST /v1/users/${musician}/playlists`, 201, { name: "Old way" }],
      [`POST /v1/playlists/${list}/tracks`, 201, { uris: [`spotify:track:${id}`] }],
      [`GET /v1/users/${musician}`, 200],
    ];
    for (const [route, status, body] of routes) {
      await valid(extended, route, status, body);
      expect([403, 404], route).toContain((await rig.call(reduced, route, body)).status);
    }
  });

  it("logs everything that a contract check needs", async () => {
    const musician = "kaito-morinaga";
    const token = await tokenFor(musician);
    await rig.call(token, "GET /v1/me");
    await rig.call(token, "PUT /v1/me/player/play", { uris: "wrong" });
    const response = await fetch(`${rig.sandbox.origin}/control/requests?musician=${musician}`);
    const { requests } = (await response.json()) as {
      requests: Parameters<typeof validateRequest>[1][];
    };
    const problems = requests.map((request) => validateRequest(contract as Contract, request));
    expect(problems[0]).toEqual([]);
    expect(problems[1]).not.toEqual([]);
    const strange = { method: "GET", path: "/v1/v1/me", query: {}, body: null };
    expect(validateRequest(contract as Contract, strange)).not.toEqual([]);
  });
});

it("saves the tracks named in the body, and removes those named in the query", async () => {
  const musician = "imogen-fairweather";
  const token = await tokenFor(musician);
  const [one, other] = tracks.map(({ id }) => id);
  const saved = async () => (await rig.control("state", { musician })).saved;
  expect((await rig.call(token, `PUT /v1/me/tracks?ids=${one}`)).status).toBe(400);
  expect(await saved()).toEqual([]);
  await rig.call(token, "PUT /v1/me/tracks", { ids: [one, other] });
  expect((await rig.call(token, "DELETE /v1/me/tracks", { ids: [one] })).status).toBe(400);
  await rig.call(token, `DELETE /v1/me/tracks?ids=${one}`);
  expect(await saved()).toEqual([`spotify:track:${other}`]);
});

describe("refusals", () => {
  const musician = "celestine-okonjo";

  it("refuses tokens like Spotify", async () => {
    expect(errorOf(await rig.call("nonsense", "GET /v1/me")).message).toBe("Invalid access token");
    const token = await tokenFor(musician);
    await rig.control("expireTokens", { musician });
    const expired = await rig.call(token, "GET /v1/me");
    expect(errorOf(expired)).toEqual({ status: 401, message: "The access token expired" });
    const narrow = await tokenFor(musician, { scope: "user-read-email" });
    expect((await rig.call(narrow, "GET /v1/me/player")).status).toBe(403);
  });

  it("refuses an unlisted user in plain text", async () => {
    const answer = await rig.call(await tokenFor("demo-unlisted"), "GET /v1/me");
    expect(answer.status).toBe(403);
    expect(typeof answer.body).toBe("string");
  });

  it("plays only for premium accounts", async () => {
    await rig.control("openApp", { musician: "demo-nopremium" });
    const answer = await rig.call(await tokenFor("demo-nopremium"), "PUT /v1/me/player/play", {
      uris: [`spotify:track:${tracks[0]?.id}`],
    });
    expect(answer.status).toBe(403);
    expect(errorOf(answer).reason).toBe("PREMIUM_REQUIRED");
  });

  it("leaves out e-mail, country and product if they are not available", async () => {
    await rig.control("mode", { client: "sandbox-client-b", mode: "development" });
    const reduced = await tokenFor(musician, { client: "sandbox-client-b" });
    const { body } = await rig.call(reduced, "GET /v1/me");
    expect(Object.keys(body as object)).toContain("account_id");
    for (const field of ["email", "country", "product", "followers"]) {
      expect(Object.keys(body as object)).not.toContain(field);
    }
    const silent = await rig.call(await tokenFor("demo-noemail"), "GET /v1/me");
    expect(Object.keys(silent.body as object)).not.toContain("email");
  });

  it("limits the rate in a rolling window", async () => {
    const token = await tokenFor("ilse-kornblatt");
    await rig.control("rateLimit", { musician: "ilse-kornblatt", limit: 2, windowSeconds: 1 });
    expect((await rig.call(token, "GET /v1/me")).status).toBe(200);
    expect((await rig.call(token, "GET /v1/me")).status).toBe(200);
    const limited = await rig.call(token, "GET /v1/me");
    expect(limited.status).toBe(429);
    expect(limited.headers.get("Retry-After")).toBe("1");
    await new Promise((resolve) => setTimeout(resolve, 1_050));
    expect((await rig.call(token, "GET /v1/me")).status).toBe(200);
  });

  it("fails on request, for one musician and a number of calls", async () => {
    const [one, other] = [await tokenFor("rafe-dunmorrow"), await tokenFor("bram-oosterhagen")];
    await rig.control("fail", {
      route: "GET /v1/tracks/:id",
      musician: "rafe-dunmorrow",
      status: 502,
      body: "Bad gateway",
      times: 1,
    });
    const route = `GET /v1/tracks/${tracks[3]?.id}`;
    expect((await rig.call(other, route)).status).toBe(200);
    expect(await rig.call(one, route)).toMatchObject({ status: 502, body: "Bad gateway" });
    expect((await rig.call(one, route)).status).toBe(200);
    await rig.control("fail", { route: "GET /v1/me", musician: "rafe-dunmorrow", status: 0 });
    await expect(rig.call(one, "GET /v1/me")).rejects.toThrow();
  });
});

describe("the login", () => {
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
    const response = await fetch(authorize(), {
      method: "POST",
      body: query(fields),
      redirect: "manual",
    });
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

  async function login(musician: string): Promise<Record<string, string>> {
    const back = await decide({ musician, decision: "agree" });
    const code = back.searchParams.get("code") ?? "";
    const fields = { grant_type: "authorization_code", code, redirect_uri: redirectUri };
    return (await token(fields)).body;
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
    const back = await decide({ musician: "wren-calloway-fox", decision: "agree" });
    expect(back.searchParams.get("state")).toBe("s1");
    const code = back.searchParams.get("code") ?? "";
    const fields = { grant_type: "authorization_code", code, redirect_uri: redirectUri };
    const elsewhere = await token({ ...fields, redirect_uri: "http://127.0.0.1:1/" });
    expect(elsewhere.body.error).toBe("invalid_grant");
    expect((await token(fields, "wrong")).body.error).toBe("invalid_client");
    const answer = await token(fields);
    expect(answer.body).toMatchObject({
      token_type: "Bearer",
      expires_in: 3600,
      scope: "user-read-email streaming",
    });
    expect((await token(fields)).status).toBe(400);
  });

  it("gives a musician another account, of the same name and address", async () => {
    const musician = "wren-calloway-fox";
    const me = async () =>
      (await rig.call(await rig.tokenFor(musician), "GET /v1/me")).body as Record<string, unknown>;
    const { account_id, ...before } = await me();
    await rig.control("newAccount", { musician });
    const { account_id: another, ...after } = await me();
    expect(another).not.toBe(account_id);
    expect(after).toEqual(before);
  });

  it("rotates at every second refresh, and can be revoked", async () => {
    const musician = "wren-calloway-fox";
    const { refresh_token = "" } = await login(musician);
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
