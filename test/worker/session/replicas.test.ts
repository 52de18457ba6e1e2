import { applyD1Migrations } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { trackOf } from "../../support/catalogue";
import { rowsOf } from "../../support/database/contents";
import { freePrice, makeSong, makeUser, type TestUser } from "../../support/database/factories";
import {
  type ReplicatedDatabase,
  replicatedDatabase,
} from "../../support/database/replicated-database";
import { makeSession } from "../../support/login";
import { request } from "../../support/request";
import { control } from "../../support/sandbox";
import { beginLogin, decide } from "./login-flow";

const musician = "soren-tyndal";

let database: ReplicatedDatabase;
beforeAll(() => applyD1Migrations(env.REPLICA, env.MIGRATIONS));
beforeEach(() => {
  database = replicatedDatabase(env.DB, env.REPLICA);
});

/** A browser that keeps its cookies. */
function browse(...given: string[]) {
  const cookies = new Map<string, string>();
  const keep = (cookie: string) => {
    const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
    cookies.set(name, value);
  };
  given.forEach(keep);
  async function ask(path: string, form?: Record<string, string>): Promise<Response> {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const bindings = { ...env, DB: database.binding };
    const answer = await request(path, { cookie, bindings, ...(form ? { form } : {}) });
    answer.headers.getSetCookie().forEach(keep);
    return answer;
  }
  return {
    ask,
    page: async (path: string) => (await ask(path)).text(),
    forget: (name: string) => cookies.delete(name),
    cookie: (name: string) => cookies.get(name),
  };
}

async function logIn(user: TestUser) {
  const { cookie } = await makeSession(user, { musician });
  await database.replicate();
  return browse(cookie);
}

/** A user who has just looked at their ratings, so that the next look writes nothing. */
async function lookedBefore(user: TestUser): Promise<TestUser> {
  await env.DB.prepare(
    "UPDATE users SET ratings_seen_at = ?, address_fingerprint = 'known' WHERE id = ?",
  )
    .bind(Date.now(), user.id)
    .run();
  return user;
}

test("a page that only reads is read from a replica, and sets no bookmark", async () => {
  const browser = await logIn(await lookedBefore(await makeUser()));
  for (const path of ["/ratings-of-my-songs", "/account", "/?menu=addownsong"]) {
    const answer = await browser.ask(path);
    expect([path, answer.status, answer.headers.getSetCookie()]).toEqual([path, 200, []]);
  }
  expect(new Set(database.served)).toEqual(new Set(["replica"]));
});

test("a new login works on the next page, although no replica has it yet", async () => {
  await database.replicate();
  const login = await beginLogin();
  const browser = browse(login.cookie);
  await browser.ask((await decide(login, musician)).href);
  expect(await browser.page("/account")).toContain("/account/export");
  browser.forget("__Host-bookmark");
  expect(await browser.page("/account")).not.toContain("/account/export");
});

test("users see all their own changes at once, however far the replicas lag behind", async () => {
  const user = await lookedBefore(await makeUser({ credits: freePrice - 1 }));
  const song = await makeSong(await makeUser(), trackOf("eino-kallas", 3));
  const browser = await logIn(user);

  const carousel = await browser.page("/");
  expect(carousel).toContain(`/songs/${song.id}/play`);
  expect((await browser.ask(`/songs/${song.id}/play`, { deviceId: "here" })).status).toBe(303);
  // While waiting for the unlock.
  expect(await browser.page("/")).toContain('http-equiv="refresh"');
  await env.DB.prepare("UPDATE listens SET started_at = started_at - 600000").run();
  await control("play", { musician, trackId: song.trackId, positionMs: 60_000 });
  const rated = await browser.ask(`/songs/${song.id}/rating`, { score: "3" });
  expect(rated.headers.get("Location")).toContain(`/?rated=${song.id}`);
  expect(await browser.page(rated.headers.get("Location") ?? "")).toContain("Great Song");

  const trackId = trackOf(musician).trackId;
  const key = crypto.randomUUID();
  const submitted = await browser.ask("/submissions", { trackId, key });
  const place = submitted.headers.get("Location") ?? "";
  expect(place).toContain("menu=songaddedtopool");
  const title = trackOf(musician).title;
  expect(await browser.page(place)).toContain(title);
  expect(await browser.page("/ratings-of-my-songs")).toContain(title);

  expect((await browser.ask("/email-preference", { receiveRatingEmails: "false" })).status).toBe(
    303,
  );
  const preference = /<input[^>]+name="receiveRatingEmails"[^>]*>/;
  const unchecked = preference.exec(await browser.page("/ratings-of-my-songs"))?.[0];
  expect(unchecked).not.toContain("checked");

  // The cookie makes the difference: without it, the replica's old state is shown.
  browser.forget("__Host-bookmark");
  expect(await browser.page("/ratings-of-my-songs")).not.toContain(title);
  await database.replicate();
  expect(await browser.page("/ratings-of-my-songs")).toContain(title);
});

test("a write is decided by what the primary says, not an outdated replica", async () => {
  const user = await makeUser();
  const song = await makeSong(await makeUser(), trackOf("eino-kallas", 3));
  const browser = await logIn(user);
  await browser.page("/");
  await database.replicate();
  browser.forget("__Host-bookmark");
  await env.DB.prepare("DELETE FROM sessions").run();
  const answer = await browser.ask(`/songs/${song.id}/play`, { deviceId: "here" });
  expect(answer.status).not.toBe(200);
  expect(await rowsOf("SELECT id FROM listens")).toEqual([]);
});

test.each([
  "/player/token",
  "/player/token?refused",
  "/player/token/",
  "/PLAYER/Token",
  "/player/tok%65n",
  "/%70layer/token/",
  "/player/token?_data=routes%2Fplayer.token",
  "/player/./token",
])("%s gives no token to an ended session, even if replicas still have it", async (path) => {
  const browser = await logIn(await makeUser());
  expect((await browser.ask("/player/token")).status).toBe(200);
  await env.DB.prepare("DELETE FROM sessions").run();
  expect((await browser.ask("/account")).status).toBe(200);
  database.served.length = 0;
  const answer = await browser.ask(path);
  expect(await answer.text()).not.toContain("accessToken");
  expect(answer.status).not.toBe(200);
  expect(new Set(database.served)).toEqual(new Set(["primary"]));
});

test("a draw based on a replica that lags two packages behind is discarded", async () => {
  const owners = [await makeUser(), await makeUser(), await makeUser()];
  for (const owner of owners) for (const _ of [1, 2]) await makeSong(owner);
  const user = await makeUser();
  const behind = await logIn(user);
  for (let drawn = 0; drawn < 3; drawn += 1) {
    if (drawn === 1) await database.replicate();
    await env.DB.prepare("UPDATE packages SET drawn_at = 1").run();
    const { cookie: fresh } = await makeSession(user, { musician });
    await request("/", { cookie: fresh });
  }
  await behind.page("/");
  expect(await rowsOf("SELECT number FROM packages")).toEqual([{ number: 3 }]);
});

test("a forged or altered bookmark is ignored", async () => {
  const browser = await logIn(await makeUser());
  expect((await browser.ask("/email-preference", { receiveRatingEmails: "false" })).status).toBe(
    303,
  );
  const bookmark = browser.cookie("__Host-bookmark") ?? "";
  const session = browser.cookie("__Host-session") ?? "";
  const forgeries = [btoa('"ffffffff"'), bookmark.replace(/^./, "x"), btoa('"x"'), "%E0%A4"];
  for (const forged of forgeries) {
    database.served.length = 0;
    const other = browse(`__Host-session=${session}`, `__Host-bookmark=${forged}`);
    expect([forged, (await other.ask("/account")).status]).toEqual([forged, 200]);
    expect([forged, ...new Set(database.served)]).toEqual([forged, "replica"]);
  }
  database.served.length = 0;
  await browser.page("/account");
  expect(database.served[0]).toBe("primary");
});
