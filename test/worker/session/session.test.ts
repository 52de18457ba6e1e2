import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { createDatabase } from "~/db/client.server";
import { loadCarousel } from "~/exchange/carousel/carousel.server";
import { sessionCookie } from "~/login/cookies.server";
import { touchSession } from "~/members/viewer.server";
import { readConfig } from "~/platform/env";
import { rowsOf } from "../../support/database/contents";
import { baseTime, insert, makeSong, makeUser } from "../../support/database/factories";
import { makeSession, makeViewer, type TestSession } from "../../support/login";
import { dataOf, request } from "../../support/request";
import { cookieOf, logIn, setCookieOf } from "./login-flow";

const landing = "Promote your music for free";

async function open(): Promise<TestSession> {
  return makeSession(await makeUser({ displayName: "Juno Starling" }), {
    musician: "juno-starling",
  });
}

/** Whether a Cookie header is a valid login; fails if pages and API routes disagree. */
async function isLogin(cookie: string): Promise<boolean> {
  const page = await (await request("/", { cookie })).text();
  const token = await request("/player/token", { cookie });
  expect(token.status).toBe(page.includes(landing) ? 401 : 200);
  return !page.includes(landing);
}

/** The user of a session. */
function userOf(sessionId: string) {
  const query = "SELECT * FROM users WHERE id = (SELECT user_id FROM sessions WHERE id = ?)";
  return env.DB.prepare(query).bind(sessionId).first();
}

function row(id: string) {
  return env.DB.prepare("SELECT * FROM sessions WHERE id = ?").bind(id).first();
}

test("a session's cookie is a valid login, but the key of its row is not", async () => {
  const session = await open();
  expect(await isLogin(session.cookie)).toBe(true);
  expect(session.cookie).not.toContain(session.id);
  expect(await isLogin(`__Host-session=${session.id}`)).toBe(false);
});

test("logout deletes the session with its tokens, clears the cookie and goes to /", async () => {
  const session = await open();
  const response = await request("/logout", { cookie: session.cookie, form: {} });
  expect(response.status).toBe(303);
  expect(response.headers.get("Location")).toBe("/");
  const cleared = setCookieOf(response, "__Host-session").split("; ");
  expect(cleared[0]).toBe("__Host-session=");
  for (const attribute of ["Max-Age=0", "HttpOnly", "Secure", "SameSite=Lax", "Path=/"]) {
    expect(cleared).toContain(attribute);
  }
  expect(await row(session.id)).toBeNull();
  expect(await isLogin(session.cookie)).toBe(false);
});

test("logout does not end the user's other sessions", async () => {
  const user = await makeUser();
  const other = await makeSession(user, { musician: "juno-starling" });
  const here = await makeSession(user, { musician: "juno-starling" });
  await request("/logout", { cookie: here.cookie, form: {} });
  expect(await isLogin(other.cookie)).toBe(true);
});

test("logout without a login goes to / too", async () => {
  const response = await request("/logout", { form: {} });
  expect([response.status, response.headers.get("Location")]).toEqual([303, "/"]);
});

test("an altered cookie is no login", async () => {
  const { cookie } = await open();
  const [name = "", value = ""] = cookie.split("=", 2);
  const decoded = decodeURIComponent(value);
  const [payload = "", signature = ""] = decoded.split(".");
  const elsewhere = payload.startsWith("I") ? "J" : "I";
  const forgeries = [
    `${elsewhere}${payload.slice(1)}.${signature}`,
    `${payload}.${signature.startsWith("A") ? "B" : "A"}${signature.slice(1)}`,
    `${payload}.`,
    payload,
    "",
  ];
  for (const forged of forgeries) {
    expect(await isLogin(`${name}=${encodeURIComponent(forged)}`)).toBe(false);
  }
});

test("a cookie signed with another secret is no login", async () => {
  const user = await makeUser();
  const { id, header } = await sessionCookie("another-secret-of-sufficient-length").issue();
  await insert("sessions", {
    id,
    user_id: user.id,
    way: "spotify",
    client_id: "sandbox-client-a",
    access_token: "",
    refresh_token: "",
    token_expires_at: Date.now(),
    created_at: Date.now(),
    last_seen_at: Date.now(),
    expires_at: Date.now() + 1_000_000,
  }).run();
  expect(await isLogin(header.split(";")[0] ?? "")).toBe(false);
});

test("a session past its expiry is no login", async () => {
  const session = await open();
  const setExpiry = env.DB.prepare("UPDATE sessions SET expires_at = ? WHERE id = ?");
  await setExpiry.bind(Date.now() - 1, session.id).run();
  expect(await isLogin(session.cookie)).toBe(false);
});

test("an expired session cannot do anything", async () => {
  const session = await open();
  const setExpiry = env.DB.prepare("UPDATE sessions SET expires_at = ? WHERE id = ?");
  await setExpiry.bind(Date.now() - 1, session.id).run();
  for (const path of ["/songs/s/play", "/songs/s/listened", "/songs/s/rating", "/submissions"]) {
    const response = await request(path, { cookie: session.cookie, json: { score: 3 } });
    expect([path, response.status]).toEqual([path, 401]);
  }
});

test("activity is recorded once a minute at most", async () => {
  const now = Date.now();
  const [recent, idle] = [30_000, 90_000].map(async (ago) => {
    const user = await makeUser();
    const session = await makeSession(user, { visit: 3, lastSeenAt: now - ago });
    await request("/", { cookie: session.cookie });
    return { ...(await row(session.id)), ...(await userOf(session.id)) };
  });
  const seen = now - 30_000;
  expect(await recent).toMatchObject({ visit: 3, last_seen_at: seen, last_active_at: seen });
  const { visit, last_seen_at, last_active_at } = (await idle) as Record<string, number>;
  expect(visit).toBe(3);
  expect(last_seen_at).toBeGreaterThanOrEqual(now);
  expect(last_active_at).toBe(last_seen_at);
});

test("half an hour without activity in any login begins the next visit, once for all of them", async () => {
  const user = await makeUser();
  const place = { visit: 3, lastSeenAt: Date.now() - 31 * 60_000 };
  const [one, other] = [await makeSession(user, place), await makeSession(user, place)];
  await request("/", { cookie: one.cookie });
  expect(await userOf(one.id)).toMatchObject({ visit: 1 });
  await request("/", { cookie: other.cookie });
  expect(await userOf(one.id)).toMatchObject({ visit: 1 });

  // The other login has been idle for long, but its user has not.
  const stale = env.DB.prepare("UPDATE sessions SET last_seen_at = ? WHERE id = ?");
  await stale.bind(place.lastSeenAt, other.id).run();
  await request("/", { cookie: other.cookie });
  expect(await userOf(one.id)).toMatchObject({ visit: 1 });
});

test("another login goes on where the first one stands, and draws from the same songs", async () => {
  const owners = await Promise.all(Array.from({ length: 30 }, () => makeUser()));
  const songs: string[] = [];
  for (const [n, owner] of owners.entries()) {
    songs.push((await makeSong(owner, { submittedAt: [baseTime + n] })).id);
  }
  const cookies = [];
  for (let login = 0; login < 3; login += 1) {
    cookies.push(cookieOf(await logIn("casimir-zareba"), "__Host-session"));
  }
  const drawn = new Set<string>();
  for (const cookie of [...cookies, ...cookies]) {
    const page = await (await request("/", { cookie })).text();
    for (const [, id = ""] of page.matchAll(/action="\/songs\/([^"/]+)\/play"/g)) drawn.add(id);
    await env.DB.prepare("DELETE FROM packages").run();
  }
  expect([...drawn].filter((id) => !songs.slice(0, 10).includes(id))).toEqual([]);
});

test("a login after half an hour away begins the next visit", async () => {
  const cookie = cookieOf(await logIn("casimir-zareba"), "__Host-session");
  await request("/logout", { cookie, form: {} });
  const user = () => rowsOf("SELECT visit, slide FROM users");
  await logIn("casimir-zareba");
  expect(await user()).toEqual([{ visit: 1, slide: 1 }]);
  await env.DB.prepare("UPDATE users SET last_active_at = last_active_at - 1800000").run();
  await logIn("casimir-zareba");
  expect(await user()).toEqual([{ visit: 2, slide: 1 }]);
});

test("a page that reads its own data again is no activity, a step to another page is", async () => {
  const origin = env.APP_ORIGIN;
  const lastSeenAt = Date.now() - 31 * 60_000;
  const ask = async (path: string, from: string) => {
    const user = await makeUser();
    const options = { musician: "juno-starling", visit: 3, lastSeenAt };
    const { id, cookie } = await makeSession(user, options);
    const before = await row(id);
    const headers = { Referer: `${origin}${from}`, Accept: "*/*" };
    expect((await request(path, { cookie, headers })).status).toBe(200);
    const after = await row(id);
    if (after?.last_seen_at === lastSeenAt) {
      expect(after).toEqual(before);
      expect(await userOf(id)).toMatchObject({ visit: 3, last_active_at: lastSeenAt });
      return "nothing";
    }
    expect(await userOf(id)).toMatchObject({ visit: 1 });
    expect(after?.expires_at).toBeGreaterThanOrEqual(Number(before?.expires_at));
    return "activity";
  };
  for (const page of ["/", "/?menu=addownsong", "/ratings-of-my-songs", "/?rated=s"]) {
    const data = dataOf(page);
    expect([page, await ask(data, page)]).toEqual([page, "nothing"]);
    expect([page, await ask(data, "/account")]).toEqual([page, "activity"]);
    expect([page, await ask(page, page)]).toEqual([page, "activity"]);
  }
});

test("a tab that shows for an hour moves the visit on once, with what is done next", async () => {
  const { session } = await makeViewer(await makeUser(), { visit: 1 });
  const song = await makeSong(await makeUser());
  const look = async (minutes: number, isActivity: boolean) => {
    const carousel = await loadCarousel(
      createDatabase(env.DB),
      { sessionId: session.id, ratedSongId: null },
      {
        now: baseTime + minutes * 60_000,
        random: Math.random,
        secret: readConfig(env).sessionSecret,
        isActivity,
        isSpotifyOpen: true,
      },
    );
    expect(carousel?.view.songs.map(({ songId }) => songId)).toEqual([song.id]);
  };
  const before = await row(session.id);
  for (let minutes = 2; minutes <= 60; minutes += 2) await look(minutes, false);
  expect(await row(session.id)).toEqual(before);
  expect(await userOf(session.id)).toMatchObject({ visit: 1 });
  await look(61, true);
  const at = baseTime + 61 * 60_000;
  expect(await row(session.id)).toMatchObject({ last_seen_at: at });
  expect(await userOf(session.id)).toMatchObject({ visit: 2, last_active_at: at });
  await look(62, false);
  await look(90, true);
  expect(await userOf(session.id)).toMatchObject({ visit: 2 });
});

test("a page that draws after half an hour draws for the next visit, whoever asked", async () => {
  const owners = await Promise.all(Array.from({ length: 30 }, () => makeUser()));
  const songs = [];
  for (const [n, owner] of owners.entries()) {
    songs.push((await makeSong(owner, { submittedAt: [baseTime + n] })).id);
  }
  const { session } = await makeViewer(await makeUser(), { visit: 1 });
  const carousel = await loadCarousel(
    createDatabase(env.DB),
    { sessionId: session.id, ratedSongId: null },
    {
      now: baseTime + 30 * 60_000,
      random: () => 0,
      secret: readConfig(env).sessionSecret,
      isActivity: false,
      isSpotifyOpen: true,
    },
  );
  // Of 30 songs the second visit has the second third.
  expect(carousel?.view.songs.map(({ songId }) => songId)).toEqual(songs.slice(10, 15));
});

test("what somebody posts is activity too, and does not bring back a session that is over", async () => {
  const lastSeenAt = Date.now() - 31 * 60_000;
  const options = { musician: "juno-starling", visit: 3, lastSeenAt };
  const open = await makeSession(await makeUser(), options);
  const over = await makeSession(await makeUser(), options);
  const end = env.DB.prepare("UPDATE sessions SET expires_at = ? WHERE id = ?");
  await end.bind(Date.now() - 1, over.id).run();
  const before = [await row(over.id), await userOf(over.id)];
  for (const { cookie } of [open, open, over]) {
    const response = await request("/songs/of-nobody/play", { cookie, json: {} });
    expect(response.status).toBe(cookie === over.cookie ? 401 : 404);
  }
  expect(await userOf(open.id)).toMatchObject({ visit: 1 });
  expect((await row(open.id))?.last_seen_at).toBeGreaterThan(lastSeenAt);
  expect([await row(over.id), await userOf(over.id)]).toEqual(before);
});

test("of two pages at once after half an hour the later one does not turn the visit back", async () => {
  const { userId, session } = await makeViewer(await makeUser(), { visit: 1 });
  const now = Date.now();
  const db = createDatabase(env.DB);
  const late = touchSession(db, session.id, now);
  // Meanwhile another page has moved it on, and a submission once more.
  const meanwhile = env.DB.prepare("UPDATE users SET visit = 3, last_active_at = ? WHERE id = ?");
  await meanwhile.bind(now - 1, userId).run();
  await db.batch(late);
  expect(await userOf(session.id)).toMatchObject({ visit: 3, last_active_at: now - 1 });
});
