import { env } from "cloudflare:workers";
import { beforeEach, expect, test } from "vitest";
import { skipWaits } from "../../support/clock";
import { makePackage, makeSong, makeUser } from "../../support/database/factories";
import { request } from "../../support/request";
import { control, sandboxRequests } from "../../support/sandbox";
import {
  albumId,
  apiRequests,
  artistId,
  callbackPath,
  type ExpectedRequest,
  musician,
  played,
  searched,
  submitted,
} from "../../support/spotify/requests";
import { cookieOf, logIn } from "../session/login-flow";

beforeEach(async () => {
  skipWaits();
  await control("reset", { musician });
});

/**
 * One visit: log in, search, look at an album and an artist, submit, play, confirm, look for favorites,
 * add one and take it back, and stay until the token is renewed.
 */
async function visit(): Promise<void> {
  const cookie = cookieOf(await logIn(musician), "__Host-session");
  await request("/", { cookie });
  // With nothing to rate yet, submitting is free.
  const search = new URLSearchParams({ menu: "addownsong", q: searched });
  for (const query of [
    search,
    `menu=addownsong&album=${albumId}`,
    `menu=addownsong&artist=${artistId}`,
  ]) {
    expect((await request(`/?${query}`, { cookie })).status).toBe(200);
  }
  const { trackId } = submitted;
  expect((await request("/submissions", { cookie, json: { trackId } })).status).toBe(200);

  const song = await makeSong(await makeUser(), played);
  const id = await env.DB.prepare("SELECT user_id FROM sessions").first<string>("user_id");
  await makePackage({ id: id ?? "", displayName: "" }, [song]);
  await control("openApp", { musician });
  expect((await request(`/songs/${song.id}/play`, { cookie, json: {} })).status).toBe(200);
  await env.DB.prepare("UPDATE listens SET started_at = started_at - 60000").run();
  const listened = await request(`/songs/${song.id}/listened`, { cookie, json: {} });
  // Spotify was asked, and says that the song has not played for that long.
  expect(listened.status).toBe(409);

  expect((await request(`/favorites?songs=${song.id}`, { cookie })).status).toBe(200);
  for (const change of ["favorite", "unfavorite"]) {
    const path = `/songs/${song.id}/${change}`;
    expect((await request(path, { cookie, json: {} })).status).toBe(200);
  }

  await env.DB.prepare("UPDATE sessions SET token_expires_at = 0").run();
  expect((await request("/player/token", { cookie })).status).toBe(200);
}

function sorted(requests: readonly ExpectedRequest[]): readonly ExpectedRequest[] {
  const key = ({ method, path, query }: ExpectedRequest) => JSON.stringify([path, method, query]);
  return requests.toSorted((a, b) => key(a).localeCompare(key(b)));
}

test("a visit makes exactly the expected requests to the Web API, and requests tokens as in the authorization guide: once with the code, then with the refresh token", async () => {
  await visit();
  const sent = await sandboxRequests(musician);
  const [calls, tokens] = [true, false].map((isCall) =>
    sent.filter(({ path }) => path.startsWith("/v1/") === isCall),
  );
  const made = calls?.map(({ method, path, query, body }) => ({ method, path, query, body })) ?? [];
  // A page's requests are sent at once, and arrive in any order.
  expect(sorted(made)).toEqual(sorted(apiRequests));
  // Nothing plays yet that could be paused.
  const refused = calls?.filter(({ status }) => status >= 300);
  expect(refused).toMatchObject([{ path: "/v1/me/player/pause", status: 403 }]);
  const asked = { method: "POST", path: "/api/token", query: {}, status: 200 };
  const redirect_uri = `${env.APP_ORIGIN}${callbackPath}`;
  const code = expect.any(String);
  expect(tokens).toMatchObject([
    { ...asked, body: { grant_type: "authorization_code", code, redirect_uri } },
    { ...asked, body: { grant_type: "refresh_token", refresh_token: expect.any(String) } },
  ]);
});

test("a search that is repeated immediately is answered from memory, within one login only", async () => {
  const search = new URLSearchParams({ menu: "addownsong", q: submitted.title });
  for (const times of [3, 1]) {
    const cookie = cookieOf(await logIn(musician), "__Host-session");
    for (let time = 0; time < times; time += 1) {
      const page = await request(`/?${search}`, { cookie });
      expect(await page.text()).toContain(submitted.trackId);
    }
  }
  const sent = await sandboxRequests(musician);
  expect(sent.filter(({ path }) => path === "/v1/search")).toHaveLength(2);
});

test("a limit set by Spotify also holds back the same login's next search", async () => {
  const cookie = cookieOf(await logIn(musician), "__Host-session");
  const page = (q: string) => {
    const search = new URLSearchParams({ menu: "addownsong", q });
    return request(`/?${search}`, { cookie });
  };
  await control("fail", { musician, route: "GET /v1/search", status: 429, retryAfter: 3600 });
  for (const q of ["one", "another"]) {
    expect(await (await page(q)).text()).toContain("We could not search Spotify right now");
  }
  const sent = await sandboxRequests(musician);
  expect(sent.filter(({ path }) => path === "/v1/search")).toHaveLength(1);
});
