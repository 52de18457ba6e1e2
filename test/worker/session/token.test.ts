import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { unseal } from "~/platform/crypto.server";
import { readConfig } from "~/platform/env";
import { SpotifyError, SpotifyLoginEnded } from "~/sources/spotify/client/spotify";
import { spotifyToken, type TokenServices } from "~/sources/spotify/token.server";
import { gives, holds, tells } from "../../support/answers";
import { trackOf } from "../../support/catalogue";
import { change, db, row, rows } from "../../support/database/rows";
import { connectionOf } from "../../support/login";
import { type Someone, someone, song } from "../../support/people";
import { browser } from "../../support/people/logins";
import { control, sandboxRequests } from "../../support/sandbox";

const musician = "lumi-haavisto";
/** Seconds until the expiry; less than the five minutes within which a token is renewed. */
const soon = 60;
const expired = -10;
const config = readConfig(env);
const endpoint = "POST /api/token";

/** Somebody logged in whose token has so many seconds left, and what is kept of it. */
async function open(expiresIn: number) {
  await control("reset", { musician });
  const who = await someone({ musician, expiresIn });
  await who.login();
  const stored = async () => {
    const { id, accessToken, refreshToken } = await row("sessions", { userId: who.id });
    const read = (sealed: string | null) => sealed && unseal(config.tokenKey, sealed, id);
    return { accessToken: await read(accessToken), refreshToken: await read(refreshToken) };
  };
  const { id } = await row("sessions", { userId: who.id });
  return { ...who, sessionId: id, stored, first: await stored() };
}

async function ask(who: Someone, query = "") {
  const response = await who.gets(`/player/token${query}`);
  const answer = await response.json<{ accessToken: string; lifetimeMs: number; error: string }>();
  return { status: response.status, headers: response.headers, ...answer };
}

function tenTimes(who: Someone, query = "") {
  return Promise.all(Array.from({ length: 10 }, () => ask(who, query)));
}

async function renewals() {
  return (await sandboxRequests(musician)).filter(({ path }) => path === "/api/token");
}

const slowly = () => control("delay", { route: endpoint, ms: 300, musician });
const failing = (status: number) => control("fail", { route: endpoint, status, musician });
const makeDue = () => change("sessions", {}, { tokenExpiresAt: Date.now() + soon * 1000 });

test("nobody without a login gets a token", async () => {
  await tells(browser().gets("/player/token"), 401, { error: expect.any(String) });
});

test.each([
  { left: 3600, renewed: 0 },
  { left: 310, renewed: 0 },
  { left: 290, renewed: 1 },
])("a token with $left seconds left is renewed $renewed times", async ({ left, renewed }) => {
  const who = await open(left);
  const { status, headers, ...answer } = await ask(who);
  expect([status, (await renewals()).length]).toEqual([200, renewed]);
  expect(headers.get("Cache-Control")).toContain("no-store");
  // Neither the refresh token nor the time of a clock: that of the browser may be another one.
  expect(Object.keys(answer).sort()).toEqual(["accessToken", "lifetimeMs"]);
  expect(answer.accessToken === who.first.accessToken).toBe(!renewed);
  const lifetimeMs = (renewed ? 3600 : left) * 1000;
  expect(answer.lifetimeMs).toBeGreaterThan(lifetimeMs - 100_000);
  expect(answer.lifetimeMs).toBeLessThanOrEqual(lifetimeMs);
});

test.each([
  ["of a token that expires soon", soon, ""],
  ["of a token that has expired", expired, ""],
  ["of a token that Spotify has refused", 3600, "?refused"],
])("ten requests at once %s renew it once, and all get a valid one", async (_, left, query) => {
  const who = await open(left);
  await slowly();
  const answers = await tenTimes(who, query);
  await gives(who.gets("/player/token"), 200);
  expect(await renewals()).toHaveLength(1);
  const { accessToken } = await who.stored();
  expect(accessToken).not.toBe(who.first.accessToken);
  // Only before its expiry the old token is valid.
  const valid = left === soon ? [who.first.accessToken, accessToken] : [accessToken];
  for (const answer of answers) {
    expect([answer.status, valid.includes(answer.accessToken)]).toEqual([200, true]);
    if (left !== soon) expect(answer.lifetimeMs).toBeGreaterThan(3_500_000);
  }
  expect((await row("sessions")).tokenExpiresAt).toBeGreaterThan(Date.now() + 3_500_000);
});

test.each([
  ["has expired", expired, ""],
  ["Spotify has refused", 3600, "?refused"],
])(
  "a token that %s and cannot be renewed is a 503, and keeps the session",
  async (_, left, query) => {
    const who = await open(left);
    await failing(500);
    expect(await ask(who, query)).toMatchObject({ status: 503, error: expect.any(String) });
    expect(await who.stored()).toEqual(who.first);
    expect((await ask(who)).status).toBe(200);
  },
);

test("a renewal stores the new refresh token if there is one, and otherwise keeps the old one", async () => {
  const who = await open(soon);
  const refreshTokens: unknown[] = [];
  // The sandbox rotates on every second use.
  for (let use = 0; use < 3; use += 1) {
    refreshTokens.push((await who.stored()).refreshToken);
    await makeDue();
    await gives(ask(who), 200);
  }
  const [first, same, rotated] = refreshTokens;
  expect([same, rotated]).toEqual([first, expect.stringMatching(/^AQ/)]);
  expect(rotated).not.toBe(first);
  expect((await renewals()).map(({ body }) => body)).toEqual(
    refreshTokens.map((refresh_token) => ({ grant_type: "refresh_token", refresh_token })),
  );
});

test("a renewal uses the client of the login, and ends a session whose client is gone", async () => {
  const who = await open(soon);
  // The sandbox issued the refresh token to another client, so it refuses this one.
  await change("sessions", {}, { clientId: "sandbox-client-b" });
  await gives(ask(who), 401);
  expect(await renewals()).toMatchObject([{ status: 400 }]);
  const other = await open(soon);
  await change("sessions", { userId: other.id }, { clientId: "gone" });
  await gives(ask(other), 401);
  expect(await other.stored()).toMatchObject({ accessToken: null });
  expect(await renewals()).toHaveLength(0);
});

test("an authorization revoked at Spotify ends the session, and Spotify is asked once, however often we are", async () => {
  const who = await open(expired);
  await control("revoke", { musician });
  await slowly();
  const answers = await tenTimes(who);
  for (const { status } of [...answers, await ask(who)]) expect(status).toBe(401);
  const error = "Spotify has ended your login. Log in again.";
  expect(answers).toContainEqual(expect.objectContaining({ error }));
  await holds("sessions", { accessToken: null, refreshToken: null });
  expect(await renewals()).toHaveLength(1);
});

test("a session with another row's encrypted tokens gives no token", async () => {
  const [who, other] = [await open(3600), await open(3600)];
  const { accessToken } = await row("sessions", { userId: other.id });
  await change("sessions", { userId: who.id }, { accessToken });
  expect([(await ask(who)).status, (await ask(other)).status]).toEqual([401, 200]);
});

test.each([500, 503, 429, 0])(
  "if Spotify's token endpoint fails with %i, the old token is used until it expires",
  async (status) => {
    const who = await open(soon);
    await failing(status);
    const { accessToken } = who.first;
    expect(await ask(who)).toMatchObject({ status: 200, accessToken });
    // The next request tries again at once.
    expect((await ask(who)).accessToken).not.toBe(accessToken);
    expect(await renewals()).toHaveLength(2);
  },
);

/** The services for renewing a token, with a fake Spotify. */
function services(refresh: TokenServices["refresh"]): TokenServices {
  return { db, config, now: Date.now, refresh };
}

test("a slow request that has read an expired token gets the new one", async () => {
  const who = await open(expired);
  const early = await connectionOf(who.sessionId);
  await ask(who);
  const again = services(() => Promise.reject(new Error("renewed once more")));
  const { accessToken } = await spotifyToken(again, early);
  expect(await who.stored()).toMatchObject({ accessToken });
});

test("a session survives Spotify's refusal of a refresh token that was replaced meanwhile", async () => {
  const { sessionId } = await open(expired);
  const slow = services(async () => {
    await change("sessions", {}, { refreshToken: "another" });
    throw new SpotifyLoginEnded();
  });
  const early = await connectionOf(sessionId);
  await expect(spotifyToken(slow, early)).rejects.toThrow(SpotifyLoginEnded);
  expect((await row("sessions")).accessToken).not.toBeNull();
});

test.each(["succeeds", "fails"])(
  "a renewal that %s does not affect other sessions, even with the same expiry",
  async (what) => {
    const [other, who] = [await open(soon), await open(soon)];
    await makeDue();
    await change("sessions", {}, { refreshLeaseUntil: 1 });
    if (what === "fails") await failing(500);
    const before = await rows("sessions", { userId: other.id });
    await gives(ask(who), 200);
    expect(await renewals()).toHaveLength(1);
    expect(await rows("sessions", { userId: other.id })).toEqual(before);
  },
);

test.each([expired, soon])(
  "a renewal that fails late leaves the lease of the next one alone, with %i seconds left",
  async (left) => {
    const { sessionId } = await open(left);
    const refreshLeaseUntil = Date.now() + 60_000;
    const late = services(async () => {
      await change("sessions", {}, { refreshLeaseUntil });
      throw new SpotifyError(0, "Spotify could not be reached");
    });
    await spotifyToken(late, await connectionOf(sessionId)).catch(() => {});
    await holds("sessions", { refreshLeaseUntil });
  },
);

test("a renewal that died does not block the next one", async () => {
  const who = await open(expired);
  await change("sessions", {}, { refreshLeaseUntil: Date.now() + 400 });
  await gives(ask(who), 200);
  expect(await renewals()).toHaveLength(1);
});

/** Somebody who has a package, and presses PLAY SONG on Spotify's song. @returns the answer's status, and what Spotify was asked for. */
async function play(happens: () => Promise<unknown>) {
  await control("reset", { musician });
  const it = await song(trackOf("mara-lind", 3));
  const who = await someone({ musician, offered: [it] });
  await who.login();
  await happens();
  const { status } = await who.sends(`/songs/${it.id}/play`);
  const calls = (await sandboxRequests(musician)).map(({ path, status }) => [path, status]);
  return { status, calls };
}

test("a call that Spotify refuses is repeated once with a new token", async () => {
  const { status, calls } = await play(async () => {
    await control("openApp", { musician });
    await control("expireTokens", { musician });
  });
  expect(status).toBe(200);
  expect(calls).toEqual([
    // Nothing plays that could be paused.
    ["/v1/me/player/pause", 401],
    ["/api/token", 200],
    ["/v1/me/player/pause", 403],
    ["/v1/me/player/play", expect.toSatisfy((status: number) => status < 300)],
  ]);
});

test("a call that Spotify refuses twice is a 401, and is not made a third time", async () => {
  const route = "PUT /v1/me/player/play";
  const refused = { route, status: 401, times: -1, musician };
  const { status, calls } = await play(() => control("fail", refused));
  expect([status, calls.filter(([path]) => String(path).endsWith("/play")).length]).toEqual([
    401, 2,
  ]);
});
