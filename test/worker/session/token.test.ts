import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { createDatabase } from "~/db/client.server";
import type { SpotifyConnection } from "~/members/spotify-connection";
import { unseal } from "~/platform/crypto.server";
import { readConfig } from "~/platform/env";
import { SpotifyError, SpotifyLoginEnded } from "~/sources/spotify/client/spotify";
import { spotifyToken, type TokenServices } from "~/sources/spotify/token.server";
import { trackOf } from "../../support/catalogue";
import { rowsOf } from "../../support/database/contents";
import { makePackage, makeSong, makeUser } from "../../support/database/factories";
import { connectionOf, makeSession, type TestSession } from "../../support/login";
import { request } from "../../support/request";
import { control, sandboxRequests } from "../../support/sandbox";

const musician = "lumi-haavisto";
/** Seconds until the expiry; less than the five minutes within which a token is renewed. */
const soon = 60;
const expired = -10;

interface TokenAnswer {
  accessToken: string;
  lifetimeMs: number;
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
    .first<{ access_token: string | null; refresh_token: string; token_expires_at: number }>();
  if (row?.access_token == null) return null;
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

test("a token with time left is returned unchanged, with the time left and without the refresh token", async () => {
  const session = await open(3600);
  const response = await askToken(session);
  expect(response.status).toBe(200);
  const answer = await response.json<TokenAnswer>();
  expect(answer).toEqual({ accessToken: session.accessToken, lifetimeMs: expect.any(Number) });
  // No time of a clock: that of the browser may be another one.
  expect(answer.lifetimeMs).toBeGreaterThan(3_500_000);
  expect(answer.lifetimeMs).toBeLessThanOrEqual(3_600_000);
  expect(response.headers.get("Cache-Control")).toContain("no-store");
  expect(await renewals()).toHaveLength(0);
});

test.each([
  { name: "with more than five minutes left is kept", expiresIn: 310, renewed: 0 },
  { name: "with less than five minutes left is renewed", expiresIn: 290, renewed: 1 },
])("a token $name", async ({ expiresIn, renewed }) => {
  const session = await open(expiresIn);
  expect((await askToken(session)).status).toBe(200);
  expect(await renewals()).toHaveLength(renewed);
});

test("ten requests at once shortly before the expiry renew the token once, and all get a valid one", async () => {
  const session = await open(soon);
  await control("delay", { route: "POST /api/token", ms: 300, musician });
  const responses = await Promise.all(Array.from({ length: 10 }, () => askToken(session)));
  expect(responses.map(({ status }) => status)).toEqual(Array(10).fill(200));
  expect(await renewals()).toHaveLength(1);
  const renewed = await stored(session);
  expect(renewed?.accessToken).not.toBe(session.accessToken);
  const answers = await Promise.all(responses.map((response) => response.json<TokenAnswer>()));
  for (const { accessToken } of answers) {
    // The old token is valid until it expires.
    expect([session.accessToken, renewed?.accessToken]).toContain(accessToken);
  }
});

test("ten requests at once after the expiry renew the token once, and all wait for the new one", async () => {
  const session = await open(expired);
  await control("delay", { route: "POST /api/token", ms: 300, musician });
  const responses = await Promise.all(Array.from({ length: 10 }, () => askToken(session)));
  const answers = await Promise.all(responses.map((response) => response.json<TokenAnswer>()));
  const renewed = await stored(session);
  expect(await renewals()).toHaveLength(1);
  expect(answers.map(({ accessToken }) => accessToken)).toEqual(
    Array(10).fill(renewed?.accessToken),
  );
  for (const { lifetimeMs } of answers) expect(lifetimeMs).toBeGreaterThan(3_500_000);
  expect(renewed?.expiresAt).toBeGreaterThan(Date.now() + 3_500_000);
});

test("a renewal stores the new refresh token if there is one, and otherwise keeps the old one", async () => {
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

test("a renewal uses the client of the login", async () => {
  const session = await open(soon);
  const update = env.DB.prepare("UPDATE sessions SET client_id = ? WHERE id = ?");
  await update.bind("sandbox-client-b", session.id).run();
  // The sandbox issued the refresh token to another client, so it refuses this one.
  expect((await askToken(session)).status).toBe(401);
  expect(await renewals()).toMatchObject([{ status: 400 }]);
});

test("an authorization revoked at Spotify ends the session, and is not tried again", async () => {
  const session = await open(soon);
  await control("revoke", { musician });
  const response = await askToken(session);
  expect(response.status).toBe(401);
  expect(await response.json()).toEqual({
    error: "Spotify has ended your login. Please log in again.",
  });
  expect(
    await rowsOf("SELECT access_token, refresh_token FROM sessions WHERE id = ?", session.id),
  ).toEqual([{ access_token: null, refresh_token: null }]);
  expect((await askToken(session)).status).toBe(401);
  expect(await renewals()).toHaveLength(1);
});

test("ten requests at once for a login that Spotify has ended ask Spotify once", async () => {
  const session = await open(expired);
  await control("revoke", { musician });
  await control("delay", { route: "POST /api/token", ms: 300, musician });
  const responses = await Promise.all(Array.from({ length: 10 }, () => askToken(session)));
  expect(responses.map(({ status }) => status)).toEqual(Array(10).fill(401));
  expect(await renewals()).toHaveLength(1);
});

test("a session of a client that is no longer configured ends", async () => {
  const session = await open(soon);
  const update = env.DB.prepare("UPDATE sessions SET client_id = 'gone' WHERE id = ?");
  await update.bind(session.id).run();
  expect((await askToken(session)).status).toBe(401);
  expect(await stored(session)).toBeNull();
  expect(await renewals()).toHaveLength(0);
});

test("a session with another row's encrypted tokens gives no token", async () => {
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
  "if Spotify's token endpoint fails with $status, the old token is used until it expires",
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

test("an expired token that cannot be renewed is a 503 and keeps the session", async () => {
  const session = await open(expired);
  await control("fail", { route: "POST /api/token", status: 500, musician });
  const response = await askToken(session);
  expect(response.status).toBe(503);
  expect(await response.json()).toEqual({ error: expect.any(String) });
  expect((await askToken(session)).status).toBe(200);
});

/** The session as a slow request has read it, before others change it. */
async function readEarly({ id }: TestSession): Promise<SpotifyConnection> {
  return connectionOf(id);
}

/** The services for renewing a token, with a fake Spotify. */
function services(refresh: TokenServices["refresh"]): TokenServices {
  return { db: createDatabase(env.DB), config: readConfig(env), now: Date.now, refresh };
}

test("a slow request that has read an expired token gets the new one", async () => {
  const session = await open(expired);
  const early = await readEarly(session);
  await askToken(session);
  const late = await spotifyToken(
    services(() => Promise.reject(new Error("renewed once more"))),
    early,
  );
  expect(late.accessToken).toBe((await stored(session))?.accessToken);
});

test("a session survives Spotify's refusal of a refresh token that was replaced meanwhile", async () => {
  const session = await open(expired);
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
])(
  "a renewal $name does not affect other sessions, even with the same expiry",
  async ({ fail }) => {
    const [other, session] = [await open(soon), await open(soon)];
    const expiry = Date.now() + soon * 1000;
    const same = env.DB.prepare(
      "UPDATE sessions SET token_expires_at = ?, refresh_lease_until = ?",
    );
    await same.bind(expiry, 1).run();
    if (fail) await control("fail", { route: "POST /api/token", status: 500, musician });
    const before = await rowsOf("SELECT * FROM sessions WHERE id = ?", other.id);
    expect((await askToken(session)).status).toBe(200);
    expect(await renewals()).toHaveLength(1);
    expect(await rowsOf("SELECT * FROM sessions WHERE id = ?", other.id)).toEqual(before);
  },
);

test.each([expired, soon])(
  "a renewal that fails late leaves the lease of the next one alone, with %i seconds left",
  async (left) => {
    const session = await open(left);
    const ofNext = Date.now() + 60_000;
    const late = services(async () => {
      const taken = env.DB.prepare("UPDATE sessions SET refresh_lease_until = ? WHERE id = ?");
      await taken.bind(ofNext, session.id).run();
      throw new SpotifyError(0, "Spotify could not be reached");
    });
    await spotifyToken(late, await readEarly(session)).catch(() => {});
    expect(await rowsOf("SELECT refresh_lease_until AS until FROM sessions")).toEqual([
      { until: ofNext },
    ]);
  },
);

test("a renewal that died does not block the next one", async () => {
  const session = await open(expired);
  const update = env.DB.prepare("UPDATE sessions SET refresh_lease_until = ? WHERE id = ?");
  await update.bind(Date.now() + 400, session.id).run();
  expect((await askToken(session)).status).toBe(200);
  expect(await renewals()).toHaveLength(1);
});

test("a token that Spotify refuses before its expiry is replaced", async () => {
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

test("a refused token is not returned again if it cannot be renewed", async () => {
  const session = await open(3600);
  await control("fail", { route: "POST /api/token", status: 500, musician });
  const response = await request("/player/token?refused", { cookie: session.cookie });
  expect(response.status).toBe(503);
  expect((await stored(session))?.accessToken).toBe(session.accessToken);
});

test("a call that Spotify refuses is repeated once with a new token", async () => {
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
    // Nothing plays that could be paused.
    ["/v1/me/player/pause", 401],
    ["/api/token", 200],
    ["/v1/me/player/pause", 403],
    ["/v1/me/player/play", expect.toSatisfy((status: number) => status < 300)],
  ]);
});

test("a call that Spotify refuses twice is a 401, and is not made a third time", async () => {
  await control("reset", { musician });
  const listener = await makeUser();
  const song = await makeSong(await makeUser(), trackOf("mara-lind", 3));
  await makePackage(listener, [song]);
  const { cookie } = await makeSession(listener, { musician });
  const route = "PUT /v1/me/player/play";
  await control("fail", { route, status: 401, times: -1, musician });
  expect((await request(`/songs/${song.id}/play`, { cookie, json: {} })).status).toBe(401);
  const plays = (await sandboxRequests(musician)).filter(({ path }) => path.endsWith("/play"));
  expect(plays).toHaveLength(2);
});
