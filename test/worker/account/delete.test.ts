import { env } from "cloudflare:workers";
import { expect, test, vi } from "vitest";
import { deleteTexts } from "~/account/delete.server";
import { createDatabase } from "~/db/client.server";
import { runBatch } from "~/db/gated";
import { openListen } from "~/exchange/listening/listens.server";
import { contents, rowsOf } from "../../support/database/contents";
import {
  baseTime,
  insert,
  makeListen,
  makePackage,
  makeRating,
  makeSong,
  makeUser,
  unique,
} from "../../support/database/factories";
import { makeSession } from "../../support/login";
import { consume, oweRating } from "../../support/mails";
import { request } from "../../support/request";
import { setCookieOf } from "../session/login-flow";

/** Somebody with rows in every table, and the other users whom these rows concern. */
async function makeAccount() {
  const member = await makeUser({
    ownEmail: "own@mail.example",
    receiveRatingEmails: true,
    displayName: "Vanishing Vera",
  });
  const session = await makeSession(member);
  const other = await makeUser();
  const [own, theirs] = [await makeSong(member, { received: 2 }), await makeSong(other)];
  await oweRating(own);
  await makeRating(member, theirs, { score: 4 });
  await makeListen(member, await makeSong(other));
  await makePackage(member, [theirs]);
  await makePackage(other, [own]);
  await insert("song_wishes", {
    ...{ id: `wish-${member.id}`, user_id: member.id, asked_at: 1, looked_at: 1 },
  }).run();
  await insert("activity_log", {
    id: `log-${member.id}`,
    kind: "login",
    user_id: member.id,
    created_at: 1,
  }).run();
  return { member, other, own, theirs, ...session };
}

/** The tables with a row that contains one of the names; a longer id that begins with one does not count. */
async function tracesOf(...names: string[]): Promise<string[]> {
  const named = new RegExp(`(${names.join("|")})(?!\\d)`);
  const tables = Object.entries(await contents());
  return tables.flatMap(([table, rows]) => (named.test(JSON.stringify(rows)) ? [table] : []));
}

function remove(cookie: string, json = false): Promise<Response> {
  return request("/account/delete", json ? { cookie, json: {} } : { cookie, form: { sure: "on" } });
}

test("nothing of the user is left anywhere, and they are logged out everywhere", async () => {
  const { member, own, cookie, id } = await makeAccount();
  const elsewhere = await makeSession(member);
  const { spotify_id } = (await env.DB.prepare("SELECT spotify_id FROM users WHERE id = ?")
    .bind(member.id)
    .first()) as { spotify_id: string };
  const named = [member.id, spotify_id, "Vanishing Vera", "own@mail.example", own.id, id];
  expect((await tracesOf(...named)).length).toBeGreaterThan(8);

  const response = await remove(cookie);
  expect([response.status, response.headers.get("Location")]).toEqual([303, "/account?deleted"]);
  expect(setCookieOf(response, "__Host-session")).toContain("Max-Age=0");
  expect(await tracesOf(...named)).toEqual([]);
  for (const gone of [cookie, elsewhere.cookie]) {
    expect((await request("/player/token", { cookie: gone })).status).toBe(401);
  }
});

test("a page of one account does not delete another that has logged in since", async () => {
  const left = await makeAccount();
  const page = await (await request("/account", { cookie: left.cookie })).text();
  const [, account = ""] = page.match(/name="account" value="([^"]+)"/) ?? [];
  const { cookie } = await makeAccount();
  const form = { account, sure: "on" };
  const refused = await request("/account/delete", { cookie, form });
  expect([refused.status, await refused.text()]).toEqual([
    409,
    expect.stringContaining(deleteTexts.another),
  ]);
  expect((await request("/player/token", { cookie })).status).toBe(200);
  const own = await request("/account/delete", { cookie: left.cookie, form });
  expect(own.headers.get("Location")).toBe("/account?deleted");
});

test("the ratings they gave stay, without a rater and without a listen", async () => {
  const { theirs, cookie } = await makeAccount();
  await remove(cookie);
  expect(
    await rowsOf("SELECT rater_id, listen_id, score FROM ratings WHERE song_id = ?", theirs.id),
  ).toEqual([{ rater_id: null, listen_id: null, score: 4 }]);
  const [song] = await rowsOf("SELECT received, owed FROM songs WHERE id = ?", theirs.id);
  expect(song).toEqual({ received: 1, owed: 4 });
});

test("a listener who presses at the same moment has no listen of a song that is gone", async () => {
  const db = createDatabase(env.DB);
  for (const isListenerFirst of [true, false]) {
    const { own, cookie } = await makeAccount();
    const listener = await makeUser();
    const listen = { id: unique("listen"), userId: listener.id, songId: own.id };
    const begin = () => runBatch(db, openListen(db, { ...listen, requiredSeconds: 55 }, baseTime));
    if (isListenerFirst) await begin();
    await remove(cookie);
    if (!isListenerFirst) expect((await begin()).opened).toEqual([]);
    expect(await rowsOf("SELECT id FROM listens WHERE user_id = ?", listener.id)).toEqual([]);
  }
});

test("a mail that the user was owed is not sent, and its message is no fault", async () => {
  const { cookie } = await makeAccount();
  const [mail] = (await rowsOf("SELECT id FROM outbox")) as { id: string }[];
  await remove(cookie);
  const logged = vi.spyOn(console, "log").mockImplementation(() => undefined);
  expect(await consume([mail?.id ?? ""], { now: Date.now })).toEqual(["done"]);
  const events = logged.mock.calls.map(([line]) => JSON.parse(line).event);
  logged.mockRestore();
  expect(events).toEqual(["outbox_row_gone"]);
});

test("two users who rated the same song can both delete their accounts", async () => {
  const song = await makeSong(await makeUser());
  const raters = [await makeUser(), await makeUser()];
  for (const rater of raters) {
    await makeRating(rater, song);
    await remove((await makeSession(rater)).cookie);
  }
  expect(await rowsOf("SELECT rater_id FROM ratings WHERE song_id = ?", song.id)).toEqual([
    { rater_id: null },
    { rater_id: null },
  ]);
});

test("whoever rated the songs that are withdrawn keeps the credits for it", async () => {
  const { member, own, cookie } = await makeAccount();
  const rater = await makeUser();
  await makeRating(rater, own);
  await makeRating(rater, await makeSong(member));
  await makeRating(rater, await makeSong(await makeUser()));
  await remove(cookie);
  const counts = "SELECT credits, rated_count, rated_withdrawn FROM users WHERE id = ?";
  expect(await rowsOf(counts, rater.id)).toEqual([
    { credits: 3, rated_count: 3, rated_withdrawn: 2 },
  ]);
});

test("a song that was withdrawn leaves the packages of others", async () => {
  const { other, own, cookie } = await makeAccount();
  const page = async (at: string) => (await request("/", { cookie: at })).text();
  const listener = await makeSession(other);
  expect(await page(listener.cookie)).toContain(own.title);
  await remove(cookie);
  expect(await page(listener.cookie)).not.toContain(own.title);
  const play = await request(`/songs/${own.id}/play`, { cookie: listener.cookie, json: {} });
  expect(play.status).toBe(404);
});

test("nobody else loses anything", async () => {
  const { cookie } = await makeAccount();
  const stranger = await makeUser({ tier: "premium", ownEmail: "stranger@mail.example" });
  await makeRating(await makeUser(), await makeSong(stranger));
  const { id } = await makeSession(stranger);
  const before = await tracesOf(stranger.id, id);
  await remove(cookie);
  expect(await tracesOf(stranger.id, id)).toEqual(before);
});

test("pressing twice deletes once, and without a login nothing is deleted", async () => {
  const { cookie } = await makeAccount();
  const answers = await Promise.all([remove(cookie, true), remove(cookie, true)]);
  for (const { status } of answers) expect([200, 401]).toContain(status);
  expect(answers.map(({ status }) => status)).toContain(200);
  const left = await contents();
  expect((await remove(cookie, true)).status).toBe(401);
  expect((await request("/account/delete", { json: {} })).status).toBe(401);
  expect(await contents()).toEqual(left);
});

test("an old cookie does not open a new account of the same Spotify user", async () => {
  const { cookie } = await makeAccount();
  await remove(cookie);
  await makeAccount();
  expect((await request("/player/token", { cookie })).status).toBe(401);
});

test("the page says that the account is deleted", async () => {
  const page = await (await request("/account?deleted")).text();
  expect(page).toContain("Your account is deleted.");
  const { cookie } = await makeAccount();
  expect(await (await request("/account?deleted", { cookie })).text()).not.toContain(
    "Your account is deleted.",
  );
});
