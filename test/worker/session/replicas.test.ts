import { applyD1Migrations } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { counts, gives, hides, holds, led, shows } from "../../support/answers";
import { trackOf } from "../../support/catalogue";
import { freePrice, makeSong } from "../../support/database/factories";
import {
  type ReplicatedDatabase,
  replicatedDatabase,
} from "../../support/database/replicated-database";
import { change } from "../../support/database/rows";
import { someone, song } from "../../support/people";
import { browser, browserOf } from "../../support/people/logins";
import { control } from "../../support/sandbox";

const musician = "soren-tyndal";

let database: ReplicatedDatabase;
let bindings: object;
beforeAll(() => applyD1Migrations(env.REPLICA, env.MIGRATIONS));
beforeEach(() => {
  database = replicatedDatabase(env.DB, env.REPLICA);
  bindings = { ...env, DB: database.binding };
});

/** The browser of somebody whose login the replicas have, and who has just looked at their ratings: the next look writes nothing. */
async function member(options: Parameters<typeof someone>[0] = {}) {
  const who = await someone({ musician, ...options });
  const it = await browserOf(who, { bindings });
  const looked = { ratingsSeenAt: Date.now(), addressFingerprint: "known" };
  await change("users", { id: who.id }, looked);
  await database.replicate();
  return { ...it, who };
}

const served = () => [...new Set(database.served)];
const endLogins = () => env.DB.prepare("DELETE FROM sessions").run();
const saves = { receiveRatingEmails: "false" };

test("a page that only reads is read from a replica, and sets no bookmark", async () => {
  const it = await member();
  for (const path of ["/ratings-of-my-songs", "/account", "/?menu=addownsong"]) {
    const answer = await it.gets(path);
    expect([path, answer.status, answer.headers.getSetCookie()]).toEqual([path, 200, []]);
  }
  expect(served()).toEqual(["replica"]);
});

test("a new login works on the next page, although no replica has it yet", async () => {
  await database.replicate();
  const it = browser({ bindings });
  await it.logsIn(musician);
  await shows(it, "/account", "/account/export");
  it.forget("bookmark");
  await hides(it, "/account", "/account/export");
});

test("users see all their own changes at once, however far the replicas lag behind", async () => {
  const made = await song(trackOf("eino-kallas", 3));
  const it = await member({ credits: freePrice - 1 });
  await shows(it, "/", `/songs/${made.id}/play`);
  await gives(it.posts(`/songs/${made.id}/play`, { deviceId: "here" }), 303);
  // While waiting for the unlock.
  await shows(it, "/", 'http-equiv="refresh"');
  await env.DB.prepare("UPDATE listens SET started_at = started_at - 600000").run();
  await control("play", { musician, trackId: made.trackId, positionMs: 60_000 });
  const [, rated] = led(await it.posts(`/songs/${made.id}/rating`, { score: "3" }));
  expect(rated).toContain(`/?rated=${made.id}`);
  await shows(it, rated ?? "", "Great Song");

  const { trackId, title } = trackOf(musician);
  const [, place] = led(await it.posts("/submissions", { trackId, key: crypto.randomUUID() }));
  expect(place).toContain("menu=songaddedtopool");
  await shows(it, place ?? "", title);
  await shows(it, "/ratings-of-my-songs", title);
  await gives(it.posts("/email-preference", saves), 303);
  const preference = /<input[^>]+name="receiveRatingEmails"[^>]*>/;
  const [box] = preference.exec(await it.reads("/ratings-of-my-songs")) ?? [];
  expect(box).not.toContain("checked");

  // The cookie makes the difference: without it, the replica's old state is shown.
  it.forget("bookmark");
  await hides(it, "/ratings-of-my-songs", title);
  await database.replicate();
  await shows(it, "/ratings-of-my-songs", title);
});

test("a write is decided by what the primary says, not an outdated replica", async () => {
  const made = await song(trackOf("eino-kallas", 3));
  const it = await member();
  await it.gets("/");
  await database.replicate();
  it.forget("bookmark");
  await endLogins();
  expect((await it.posts(`/songs/${made.id}/play`, { deviceId: "here" })).status).not.toBe(200);
  await counts("listens", 0);
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
  const it = await member();
  await gives(it.gets("/player/token"), 200);
  await endLogins();
  await gives(it.gets("/account"), 200);
  database.served.length = 0;
  const answer = await it.gets(path);
  expect(await answer.text()).not.toContain("accessToken");
  expect(answer.status).not.toBe(200);
  expect(served()).toEqual(["primary"]);
});

test("a draw based on a replica that lags two packages behind is discarded", async () => {
  for (const _ of [1, 2, 3]) {
    const { owner } = await song();
    await makeSong(owner);
  }
  const behind = await member();
  for (let drawn = 0; drawn < 3; drawn += 1) {
    if (drawn === 1) await database.replicate();
    await change("packages", {}, { drawnAt: 1 });
    await (await someone({ user: behind.who.user, musician })).gets("/");
  }
  await behind.gets("/");
  await holds("packages", { number: 3 });
});

test("a forged or altered bookmark is ignored", async () => {
  const it = await member();
  await gives(it.posts("/email-preference", saves), 303);
  const [bookmark, session] = [it.cookie("bookmark"), it.cookie("session")];
  const forgeries = [btoa('"ffffffff"'), bookmark.replace(/^./, "x"), btoa('"x"'), "%E0%A4"];
  for (const forged of forgeries) {
    database.served.length = 0;
    const cookies = [`__Host-session=${session}`, `__Host-bookmark=${forged}`];
    const { status } = await browser({ bindings, cookies }).gets("/account");
    expect([forged, status, ...served()]).toEqual([forged, 200, "replica"]);
  }
  database.served.length = 0;
  await it.gets("/account");
  expect(database.served[0]).toBe("primary");
});
