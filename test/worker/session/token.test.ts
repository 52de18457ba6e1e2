import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { SpotifyLoginEnded } from "~/adapters/spotify/spotify";
import { createDatabase } from "~/db/client.server";
import { spotifyToken, type TokenServices } from "~/domain/session/spotify-token.server";
import type { ViewerSession } from "~/domain/session/viewer.server";
import { unseal } from "~/platform/crypto.server";
import { readConfig } from "~/platform/env";
import { trackOf } from "../../support/catalogue";
import { rowsOf } from "../../support/database/contents";
import { makePackage, makeSong, makeUser } from "../../support/database/factories";
import { makeSession, type TestSession, viewerOf } from "../../support/login";
import { request } from "../../support/request";
import { control, sandboxRequests } from "../../support/sandbox";

const musician = "lumi-haavisto";
/** Within the five minutes before its expiry in which a token is renewed, in seconds. */
const soon = 60;
const over = -10;

interface TokenAnswer {
  accessToken: string;
  expiresAt: number;
}

async function open(expiresIn: number): Promise<TestSession> {
  await control("reset", { musician });
  return makeSession(await makeUser(), { musician, expiresIn });
}

function askToken(session: TestSession): Promise<Response> {
  return request("/player/token", { cookie: session.cookie });
}

async function renewals() {
  return (await sandboxRequests(musician)).filter(({ path }) => path === "/api/token");
}

async function stored(session: TestSession) {
  const row = await env.DB.prepare("SELECT * FROM sessions WHERE id = ?")
    .bind(session.id)
    .first<{ access_token: string; refresh_token: string; token_expires_at: number }>();
  if (!row) return null;
  const { tokenKey } = readConfig(env);
  return {
    accessToken: await unseal(tokenKey, row.access_token, session.id),
    refreshToken: await unseal(tokenKey, row.refresh_token, session.id),
    expiresAt: row.token_expires_at,
  };
}

async function makeDue(session: TestSession): Promise<void> {
  const update = env.DB.prepare("UPDATE sessions SET token_expires_at = ? WHERE id = ?");
  await update.bind(Date.now() + soon * 1000, session.id).run();
}

test("nobody without a login gets a token", async () => {
  const response = await request("/player/token");
  expect(response.status).toBe(401);
  expect(await response.json()).toEqual({ error: expect.any(String) });
});

test("a token with time left is given as it is, with its expiry and never the refresh token", async () => {
  const session = await open(3600);
  const response = await askToken(session);
  expect(response.status).toBe(200);
  const answer = await response.json<TokenAnswer>();
  expect(answer).toEqual({
    accessToken: session.accessToken,
    expiresAt: (await stored(session))?.expiresAt,
  });
  expect(response.headers.get("Cache-Control")).toContain("no-store");
  expect(await renewals()).toHaveLength(0);
});

test.each([
  { name: "with five minutes and a bit left is kept", expiresIn: 310, renewed: 0 },
  { name: "with less than five minutes left is renewed", expiresIn: 290, renewed: 1 },
])("a token $name", async ({ expiresIn, renewed }) => {
  const session = await open(expiresIn);
  expect((await askToken(session)).status).toBe(200);
  expect(await renewals()).toHaveLength(renewed);
});

test("ten requests at once renew a token once ahead of its expiry, and all get a valid one", async () => {
  const session = await open(soon);
  await control("delay", { route: "POST /api/token", ms: 300, musician });
  const responses = await Promise.all(Array.from({ length: 10 }, () => askToken(session)));
  expect(responses.map(({ status }) => status)).toEqual(Array(10).fill(200));
  expect(await renewals()).toHaveLength(1);
  const renewed = await stored(session);
  expect(renewed?.accessToken).not.toBe(session.accessToken);
  const answers = await Promise.all(responses.map((response) => response.json<TokenAnswer>()));
  for (const { accessToken } of answers) {
    // The old one serves until it expires.
    expect([session.accessToken, renewed?.accessToken]).toContain(accessToken);
  }
});

test("ten requests at once after the expiry renew once, and all wait for the new token", async () => {
  const session = await open(over);
  await control("delay", { route: "POST /api/token", ms: 300, musician });
  const responses = await Promise.all(Array.from({ length: 10 }, () => askToken(session)));
  const answers = await Promise.all(responses.map((response) => response.json<TokenAnswer>()));
  const renewed = await stored(session);
  expect(await renewals()).toHaveLength(1);
  expect(answers).toEqual(
    Array(10).fill({ accessToken: renewed?.accessToken, expiresAt: renewed?.expiresAt }),
  );
  expect(renewed?.expiresAt).toBeGreaterThan(Date.now() + 3_500_000);
});

test("a renewal that brings no refresh token keeps the old one, one that does keeps the new", async () => {
  const session = await open(soon);
  // The sandbox rotates on every second use.
  await askToken(session);
  expect((await stored(session))?.refreshToken).toBe(session.refreshToken);

  await makeDue(session);
  await askToken(session);
  const rotated = await stored(session);
  expect(rotated?.refreshToken).toMatch(/^AQ/);
  expect(rotated?.refreshToken).not.toBe(session.refreshToken);

  await makeDue(session);
  expect((await askToken(session)).status).toBe(200);
  const sent = (await renewals()).map(({ body }) => body);
  expect(sent).toEqual(
    [session.refreshToken, session.refreshToken, rotated?.refreshToken].map((refresh_token) => ({
      grant_type: "refresh_token",
      refresh_token,
    })),
  );
});

test("a renewal goes through the client that the login went through", async () => {
  const session = await open(soon);
  const update = env.DB.prepare("UPDATE sessions SET client_id = ? WHERE id = ?");
  await update.bind("sandbox-client-b", session.id).run();
  // The sandbox gives no token to a client that it issued none to.
  expect((await askToken(session)).status).toBe(401);
  expect(await renewals()).toMatchObject([{ status: 400 }]);
});

test("an authorization that Spotify has ended ends the session, and is not tried again", async () => {
  const session = await open(soon);
  await control("revoke", { musician });
  const response = await askToken(session);
  expect(response.status).toBe(401);
  expect(await response.json()).toEqual({
    error: "Spotify has ended your login. Please log in again.",
  });
  expect(
    await rowsOf("SELECT access_token, refresh_token FROM sessions WHERE id = ?", session.id),
  ).toEqual([{ access_token: "", refresh_token: "" }]);
  expect((await askToken(session)).status).toBe(401);
  expect(await renewals()).toHaveLength(1);
});

test("of ten requests at once for a login that Spotify has ended none asks again", async () => {
  const session = await open(over);
  await control("revoke", { musician });
  await control("delay", { route: "POST /api/token", ms: 300, musician });
  const responses = await Promise.all(Array.from({ length: 10 }, () => askToken(session)));
  expect(responses.map(({ status }) => status)).toEqual(Array(10).fill(401));
  expect(await renewals()).toHaveLength(1);
});

test("a client that is configured no more ends the session", async () => {
  const session = await open(soon);
  const update = env.DB.prepare("UPDATE sessions SET client_id = 'gone' WHERE id = ?");
  await update.bind(session.id).run();
  expect((await askToken(session)).status).toBe(401);
  expect(await stored(session)).toBeNull();
  expect(await renewals()).toHaveLength(0);
});

test("a session whose tokens were sealed for another row is of no use", async () => {
  const [session, other] = [await open(3600), await open(3600)];
  await env.DB.prepare(
    `UPDATE sessions SET access_token = (SELECT access_token FROM sessions WHERE id = ?)
     WHERE id = ?`,
  )
    .bind(other.id, session.id)
    .run();
  expect((await askToken(session)).status).toBe(401);
  expect((await askToken(other)).status).toBe(200);
});

test.each([{ status: 500 }, { status: 503 }, { status: 429 }, { status: 0 }])(
  "while Spotify's token endpoint answers $status the old token serves as long as it lasts",
  async ({ status }) => {
    const session = await open(soon);
    await control("fail", { route: "POST /api/token", status, musician });
    const response = await askToken(session);
    expect(response.status).toBe(200);
    expect((await response.json<TokenAnswer>()).accessToken).toBe(session.accessToken);

    // The next request tries again at once.
    const next = await (await askToken(session)).json<TokenAnswer>();
    expect(next.accessToken).not.toBe(session.accessToken);
    expect(await renewals()).toHaveLength(2);
  },
);

test("an expired token and no answer from Spotify is 503 and keeps the session", async () => {
  const session = await open(over);
  await control("fail", { route: "POST /api/token", status: 500, musician });
  const response = await askToken(session);
  expect(response.status).toBe(503);
  expect(await response.json()).toEqual({ error: expect.any(String) });
  expect((await askToken(session)).status).toBe(200);
});

/** The session as a request has read it that is slower than others. */
async function readEarly({ id }: TestSession): Promise<ViewerSession> {
  return (await viewerOf(id)).session;
}

/** What renewing a token needs, with Spotify's answer. */
function services(refresh: TokenServices["refresh"]): TokenServices {
  return { db: createDatabase(env.DB), config: readConfig(env), now: Date.now, refresh };
}

test("a request that read an expired token and comes late gets the new one", async () => {
  const session = await open(over);
  const early = await readEarly(session);
  await askToken(session);
  const late = await spotifyToken(
    services(() => Promise.reject(new Error("renewed once more"))),
    early,
  );
  expect(late.accessToken).toBe((await stored(session))?.accessToken);
});

test("a login that Spotify ends for an old refresh token lasts where there is a new one", async () => {
  const session = await open(over);
  const slow = services(async () => {
    const renewed = env.DB.prepare("UPDATE sessions SET refresh_token = 'another' WHERE id = ?");
    await renewed.bind(session.id).run();
    throw new SpotifyLoginEnded();
  });
  await expect(spotifyToken(slow, await readEarly(session))).rejects.toThrow(SpotifyLoginEnded);
  expect(await stored(session)).not.toBeNull();
});

test.each([
  { name: "that succeeds", fail: false },
  { name: "that fails", fail: true },
])("a renewal $name concerns no other session, even of the same expiry", async ({ fail }) => {
  const [other, session] = [await open(soon), await open(soon)];
  const expiry = Date.now() + soon * 1000;
  const same = env.DB.prepare("UPDATE sessions SET token_expires_at = ?, refresh_lease_until = ?");
  await same.bind(expiry, 1).run();
  if (fail) await control("fail", { route: "POST /api/token", status: 500, musician });
  const before = await rowsOf("SELECT * FROM sessions WHERE id = ?", other.id);
  expect((await askToken(session)).status).toBe(200);
  expect(await renewals()).toHaveLength(1);
  expect(await rowsOf("SELECT * FROM sessions WHERE id = ?", other.id)).toEqual(before);
});

test("a renewal that died does not keep the next one from renewing", async () => {
  const session = await open(over);
  const update = env.DB.prepare("UPDATE sessions SET refresh_lease_until = ? WHERE id = ?");
  await update.bind(Date.now() + 400, session.id).run();
  expect((await askToken(session)).status).toBe(200);
  expect(await renewals()).toHaveLength(1);
});

test("a token that Spotify refuses though it has time left is replaced by another", async () => {
  const session = await open(3600);
  const refused = () => request("/player/token?refused", { cookie: session.cookie });
  await control("delay", { route: "POST /api/token", ms: 300, musician });
  const responses = await Promise.all(Array.from({ length: 5 }, refused));
  expect(responses.map(({ status }) => status)).toEqual(Array(5).fill(200));
  const renewed = await stored(session);
  expect(renewed?.accessToken).not.toBe(session.accessToken);
  for (const response of responses) {
    expect((await response.json<TokenAnswer>()).accessToken).toBe(renewed?.accessToken);
  }
  expect(await renewals()).toHaveLength(1);
});

test("a refused token is not given again where Spotify gives no other", async () => {
  const session = await open(3600);
  await control("fail", { route: "POST /api/token", status: 500, musician });
  const response = await request("/player/token?refused", { cookie: session.cookie });
  expect(response.status).toBe(503);
  expect((await stored(session))?.accessToken).toBe(session.accessToken);
});

test("a call that Spotify refuses is made again with a new token, once", async () => {
  await control("reset", { musician });
  const listener = await makeUser();
  const song = await makeSong(await makeUser(), trackOf("mara-lind", 3));
  await makePackage(listener, [song]);
  const { cookie } = await makeSession(listener, { musician });
  await control("openApp", { musician });
  await control("expireTokens", { musician });
  expect((await request(`/songs/${song.id}/play`, { cookie, json: {} })).status).toBe(200);
  const calls = (await sandboxRequests(musician)).map(({ path, status }) => [path, status]);
  expect(calls).toEqual([
    ["/v1/me/player/play", 401],
    ["/api/token", 200],
    ["/v1/me/player/play", expect.toSatisfy((status: number) => status < 300)],
  ]);
});

test("a call that Spotify goes on refusing is 401, and is not made a third time", async () => {
  await control("reset", { musician });
  const listener = await makeUser();
  const song = await makeSong(await makeUser(), trackOf("mara-lind", 3));
  await makePackage(listener, [song]);
  const { cookie } = await makeSession(listener, { musician });
  const route = "PUT /v1/me/player/play";
  await control("fail", { route, status: 401, times: -1, musician });
  expect((await request(`/songs/${song.id}/play`, { cookie, json: {} })).status).toBe(401);
  const plays = (await sandboxRequests(musician)).filter(({ method }) => method === "PUT");
  expect(plays).toHaveLength(2);
});
