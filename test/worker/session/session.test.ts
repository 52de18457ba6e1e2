import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { loadCarousel } from "~/exchange/carousel/carousel.server";
import { sessionCookie } from "~/login/cookies.server";
import { touchSession } from "~/members/viewer.server";
import { readConfig } from "~/platform/env";
import { counts, gives, holds, leads } from "../../support/answers";
import { baseTime } from "../../support/database/factories";
import { change, db, row, untouched } from "../../support/database/rows";
import { type Someone, someone, song } from "../../support/people";
import { type Browser, browser, browserOf } from "../../support/people/logins";
import { dataOf } from "../../support/request";
import { setCookieOf } from "./login-flow";

const musician = "juno-starling";
const minute = 60_000;
const secret = readConfig(env).sessionSecret;

/** Whether a browser is logged in; fails if pages and API routes disagree. */
async function isLogin(it: Browser): Promise<boolean> {
  const isLanding = (await it.reads("/")).includes("Promote your music for free");
  await gives(it.gets("/player/token"), isLanding ? 401 : 200);
  return !isLanding;
}

const sessionOf = ({ id }: Someone) => row("sessions", { userId: id });

/** Somebody with a login, on their third visit. */
async function member(options: Parameters<typeof someone>[0] = {}) {
  const who = await someone({ musician, visit: 3, ...options });
  await who.login();
  return who;
}

test("a session's cookie is a login, but not the key of its row, nor altered, nor signed with another secret", async () => {
  const it = await browserOf(await member());
  expect(await isLogin(it)).toBe(true);
  const { id, ...session } = await row("sessions");
  const cookie = it.cookie("session");
  expect(cookie).not.toContain(id);
  const [payload = "", signature = ""] = decodeURIComponent(cookie).split(".");
  const other = (part: string) => `${part.startsWith("I") ? "J" : "I"}${part.slice(1)}`;
  const forged = [`${other(payload)}.${signature}`, `${payload}.${other(signature)}`];
  for (const value of [id, ...forged, `${payload}.`, payload, ""]) {
    const cookies = [`__Host-session=${encodeURIComponent(value)}`];
    expect([value, await isLogin(browser({ cookies }))]).toEqual([value, false]);
  }
  const issued = await sessionCookie("another-secret-of-sufficient-length").issue();
  await change("sessions", {}, { ...session, id: issued.id });
  expect(await isLogin(browser({ cookies: [issued.header] }))).toBe(false);
});

test("logout deletes the session with its tokens, clears the cookie and goes to /, and ends no other session", async () => {
  const who = await member();
  const other = await browserOf(await someone({ user: who.user, musician }));
  const it = await browserOf(who);
  const before = it.twin();
  const response = await it.posts("/logout");
  await leads(response, "/");
  expect(setCookieOf(response, "__Host-session")).toMatch(/^__Host-session=;.* Max-Age=0;/);
  await counts("sessions", 1);
  expect([await isLogin(before), await isLogin(other)]).toEqual([false, true]);
  // Without a login it goes to / too.
  await leads(before.posts("/logout"), "/");
});

test("a session past its expiry is no login, and cannot do anything", async () => {
  const who = await member();
  await change("sessions", {}, { expiresAt: Date.now() - 1 });
  expect(await isLogin(await browserOf(who))).toBe(false);
  for (const path of ["/songs/s/play", "/songs/s/listened", "/songs/s/rating", "/submissions"]) {
    expect([path, (await who.sends(path, { score: 3 })).status]).toEqual([path, 401]);
  }
});

test("activity is recorded once a minute at most, and that of a login once in ten", async () => {
  const now = Date.now();
  const [recent, active, idle] = [
    await member({ lastSeenAt: now - 30_000 }),
    await member({ lastSeenAt: now - 90_000 }),
    await member({ lastSeenAt: now - 10 * minute }),
  ];
  await active.gets("/");
  expect(await sessionOf(active)).toMatchObject({ lastSeenAt: now - 90_000 });
  expect((await active.now()).lastActiveAt).toBeGreaterThanOrEqual(now);
  await untouched(() => recent.gets("/"));
  expect(await sessionOf(recent)).toMatchObject({ lastSeenAt: now - 30_000 });
  expect(await recent.now()).toMatchObject({ visit: 3, lastActiveAt: now - 30_000 });
  await idle.gets("/");
  const { lastSeenAt } = await sessionOf(idle);
  expect(lastSeenAt).toBeGreaterThanOrEqual(now);
  expect(await idle.now()).toMatchObject({ visit: 3, lastActiveAt: lastSeenAt });
});

test("half an hour without activity in any login begins the next visit, once for all of them", async () => {
  const lastSeenAt = Date.now() - 31 * minute;
  const who = await member({ lastSeenAt });
  const other = await someone({ user: who.user, musician, lastSeenAt });
  await other.login();
  for (const look of [who, other]) {
    await look.gets("/");
    expect(await who.now()).toMatchObject({ visit: 1 });
  }
  // The other login has been idle for long, but its user has not.
  await change("sessions", {}, { lastSeenAt });
  await other.gets("/");
  expect(await who.now()).toMatchObject({ visit: 1 });
});

/** Thirty songs, of which a visit has ten. @returns their ids, the oldest first. */
async function thirtySongs(): Promise<string[]> {
  const songs: string[] = [];
  for (let n = 0; n < 30; n += 1) songs.push((await song({ submittedAt: [baseTime + n] })).id);
  return songs;
}

test("another login goes on where the first one stands, and draws from the same songs", async () => {
  const songs = await thirtySongs();
  const browsers = [browser(), browser(), browser()];
  for (const it of browsers) await it.logsIn("casimir-zareba");
  const drawn = new Set<string>();
  for (const it of [...browsers, ...browsers]) {
    const page = await it.reads("/");
    for (const [, id = ""] of page.matchAll(/action="\/songs\/([^"/]+)\/play"/g)) drawn.add(id);
    await env.DB.prepare("DELETE FROM packages").run();
  }
  expect([...drawn].filter((id) => !songs.slice(0, 10).includes(id))).toEqual([]);
});

test("a login after half an hour away begins the next visit", async () => {
  const it = browser();
  await it.logsIn("casimir-zareba");
  await it.posts("/logout");
  await it.logsIn("casimir-zareba");
  const { lastActiveAt, ...user } = await row("users");
  expect(user).toMatchObject({ visit: 1, slide: 1 });
  await change("users", {}, { lastActiveAt: lastActiveAt - 30 * minute });
  await it.logsIn("casimir-zareba");
  await holds("users", { visit: 2, slide: 1 });
});

test.each(["/", "/?menu=addownsong", "/ratings-of-my-songs", "/?rated=s"])(
  "%s that reads its own data again is no activity, a step to another page is",
  async (page) => {
    for (const [path, from, isActivity] of [
      [dataOf(page), page, false],
      [dataOf(page), "/account", true],
      [page, page, true],
    ] as const) {
      const who = await member({ lastSeenAt: Date.now() - 31 * minute });
      const [session, user] = [await sessionOf(who), await who.now()];
      const headers = { Referer: `${env.APP_ORIGIN}${from}`, Accept: "*/*" };
      await gives(who.gets(path, { headers }), 200);
      const [after, { visit, lastActiveAt }] = [await sessionOf(who), await who.now()];
      if (isActivity) {
        expect(visit).toBe(1);
        expect(after.lastSeenAt).toBeGreaterThan(session.lastSeenAt);
        expect(after.expiresAt).toBeGreaterThanOrEqual(session.expiresAt);
      } else expect([after, visit, lastActiveAt]).toEqual([session, 3, user.lastActiveAt]);
    }
  },
);

/** Looks at the carousel so many minutes after the first rows. @returns the songs that it has. */
async function look(sessionId: string, minutes: number, isActivity: boolean) {
  const now = baseTime + minutes * minute;
  const asked = { now, random: () => 0, secret, isActivity, isSpotifyOpen: true, place: null };
  const carousel = await loadCarousel(db, { sessionId, ratedSongId: null }, asked);
  return carousel?.view.songs.map(({ songId }) => songId);
}

test("a tab that shows for an hour moves the visit on once, with what is done next", async () => {
  const who = await someone({ visit: 1 });
  const { id } = (await who.viewer()).session;
  const it = await song();
  const before = await row("sessions");
  for (let minutes = 2; minutes <= 60; minutes += 2) {
    expect(await look(id, minutes, false)).toEqual([it.id]);
  }
  expect(await row("sessions")).toEqual(before);
  expect(await who.now()).toMatchObject({ visit: 1 });
  await look(id, 61, true);
  const at = baseTime + 61 * minute;
  await holds("sessions", { lastSeenAt: at });
  expect(await who.now()).toMatchObject({ visit: 2, lastActiveAt: at });
  await look(id, 62, false);
  await look(id, 90, true);
  expect(await who.now()).toMatchObject({ visit: 2 });
});

test("a page that draws after half an hour draws for the next visit, whoever asked", async () => {
  const songs = await thirtySongs();
  const who = await someone({ visit: 1 });
  // Of 30 songs the second visit has the second third.
  expect(await look((await who.viewer()).session.id, 30, false)).toEqual(songs.slice(10, 15));
});

test("what somebody posts is activity too, and does not bring back a session that is over", async () => {
  const lastSeenAt = Date.now() - 31 * minute;
  const [open, over] = [await member({ lastSeenAt }), await member({ lastSeenAt })];
  await change("sessions", { userId: over.id }, { expiresAt: Date.now() - 1 });
  const before = [await sessionOf(over), await over.now()];
  const answers = [];
  for (const who of [open, open, over]) answers.push(await who.sends("/songs/of-nobody/play"));
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 401]);
  expect(await open.now()).toMatchObject({ visit: 1 });
  expect((await sessionOf(open)).lastSeenAt).toBeGreaterThan(lastSeenAt);
  expect([await sessionOf(over), await over.now()]).toEqual(before);
});

test("of two pages at once after half an hour the later one does not turn the visit back", async () => {
  const who = await someone({ visit: 1 });
  const now = Date.now();
  const late = touchSession(db, (await who.viewer()).session.id, now);
  // Meanwhile another page has moved it on, and a submission once more.
  await change("users", {}, { visit: 3, lastActiveAt: now - 1 });
  await db.batch(late);
  expect(await who.now()).toMatchObject({ visit: 3, lastActiveAt: now - 1 });
});
