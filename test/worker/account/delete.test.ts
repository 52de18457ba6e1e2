import { expect, test, vi } from "vitest";
import { deleteTexts } from "~/account/delete.server";
import { runBatch } from "~/db/gated";
import { openListen } from "~/exchange/listening/listens.server";
import { counts, gives, hides, holds, leads, says, shows, unchanged } from "../../support/answers";
import { contents } from "../../support/database/contents";
import {
  baseTime,
  insert,
  makeListen,
  makePackage,
  makeRating,
  makeUser,
  unique,
} from "../../support/database/factories";
import { db, row, rows } from "../../support/database/rows";
import { consume, oweRating } from "../../support/mails";
import { type Someone, someone, song } from "../../support/people";
import { browser, browserOf } from "../../support/people/logins";

const path = "/account/delete";

/** Somebody with rows in every table, and the other users whom these rows concern. */
async function makeAccount(displayName = "Vanishing Vera") {
  const who = await someone({
    ownEmail: "own@mail.example",
    receiveRatingEmails: true,
    displayName,
  });
  await who.login();
  const other = await someone();
  const [own, theirs] = [await song({ owner: who, received: 2 }), await song({ owner: other })];
  await oweRating(own);
  await makeRating(who, theirs, { score: 4 });
  await makeListen(who, await song({ owner: other }));
  await makePackage(who, [theirs]);
  await makePackage(other, [own]);
  const of = { id: who.id, user_id: who.id };
  await insert("song_wishes", { ...of, asked_at: 1, looked_at: 1 }).run();
  await insert("activity_log", { ...of, kind: "login", created_at: 1 }).run();
  return { who, other, own, theirs };
}

/** The tables with a row that contains one of the names; a longer id that begins with one does not count. */
async function tracesOf(...names: string[]): Promise<string[]> {
  const named = new RegExp(`(${names.join("|")})(?!\\d)`);
  const tables = Object.entries(await contents());
  return tables.flatMap(([table, rows]) => (named.test(JSON.stringify(rows)) ? [table] : []));
}

const deletes = (who: Someone) => who.posts(path, { sure: "on" });

test("nothing of the user is left anywhere, and they are logged out everywhere", async () => {
  const { who, own } = await makeAccount();
  const here = await browserOf(who);
  const elsewhere = await someone({ user: who.user });
  await elsewhere.login();
  const { spotifyId } = await who.now();
  const sessions = (await rows("sessions")).map(({ id }) => id);
  const named = [who.id, spotifyId ?? "", who.displayName, "own@mail.example", own.id, ...sessions];
  expect((await tracesOf(...named)).length).toBeGreaterThan(8);
  await leads(here.posts(path, { sure: "on" }), "/account?deleted");
  expect(here.isLoggedIn()).toBe(false);
  await shows(here, "/account?deleted", "Your account is deleted.");
  expect(await tracesOf(...named)).toEqual([]);
  // An old cookie does not open a new account either.
  await makeAccount();
  for (const gone of [who, elsewhere]) await gives(gone.gets("/player/token"), 401);
  // Who is deleted already is deleted.
  expect(await who.leaves()).toEqual({ sharePaths: [] });
});

test("a page of one account does not delete another that has logged in since", async () => {
  const { who: left } = await makeAccount();
  const page = await left.reads("/account");
  const form = { account: /name="account" value="([^"]+)"/.exec(page)?.[1] ?? "", sure: "on" };
  const { who } = await makeAccount();
  await says(who.posts(path, form), 409, deleteTexts.another);
  await hides(who, "/account?deleted", "Your account is deleted.");
  await leads(left.posts(path, form), "/account?deleted");
});

test("the ratings they gave stay, without a rater and without a listen, also if two leave", async () => {
  const { who, theirs } = await makeAccount();
  const second = await someone();
  await makeRating(second, theirs);
  await deletes(who);
  await holds(
    "ratings",
    {
      ...{ raterId: null, listenId: null },
    },
    { songId: theirs.id, score: 4 },
  );
  await deletes(second);
  await counts("ratings", 2, { songId: theirs.id, raterId: null });
  expect(await theirs.now()).toMatchObject({ received: 2, owed: 3 });
});

test.each([true, false])(
  "a listener who presses at the same moment, just before (%s), has no listen of a song that is gone",
  async (isListenerFirst) => {
    const { who, own } = await makeAccount();
    const { id: userId } = await makeUser();
    const listen = { id: unique("listen"), userId, songId: own.id, requiredSeconds: 55 };
    const begin = () => runBatch(db, openListen(db, listen, baseTime));
    if (isListenerFirst) await begin();
    await deletes(who);
    if (!isListenerFirst) expect((await begin()).opened).toEqual([]);
    await counts("listens", 0, { userId });
  },
);

test("a mail that the user was owed is not sent, and its message is no fault", async () => {
  const { who } = await makeAccount();
  const { id } = await row("outbox");
  await deletes(who);
  const logged = vi.spyOn(console, "log").mockImplementation(() => undefined);
  expect(await consume([id], { now: Date.now })).toEqual(["done"]);
  const events = logged.mock.calls.map(([line]) => JSON.parse(line).event);
  logged.mockRestore();
  expect(events).toEqual(["outbox_row_gone"]);
});

test("whoever rated the songs that are withdrawn keeps the credits for it", async () => {
  const { who, own } = await makeAccount();
  const rater = await someone();
  for (const it of [own, await song({ owner: who }), await song()]) await makeRating(rater, it);
  await deletes(who);
  const counts = { credits: 3, ratedCount: 3, ratedWithdrawn: 2 };
  expect(await rater.now()).toMatchObject(counts);
});

test("a song that was withdrawn leaves the packages of others", async () => {
  const { who, other, own } = await makeAccount();
  await shows(other, "/", own.title);
  await deletes(who);
  await hides(other, "/", own.title);
  await gives(other.sends(`/songs/${own.id}/play`), 404);
});

test("nobody else loses anything", async () => {
  const { who } = await makeAccount();
  const stranger = await someone({ tier: "premium", ownEmail: "stranger@mail.example" });
  await stranger.login();
  await makeRating(await makeUser(), await song({ owner: stranger }));
  const before = await tracesOf(stranger.id);
  await deletes(who);
  expect(await tracesOf(stranger.id)).toEqual(before);
});

test("pressing twice at once deletes once, and without a login nothing is deleted", async () => {
  const { who } = await makeAccount();
  const answers = await Promise.all([who.sends(path), who.sends(path)]);
  const statuses = answers.map(({ status }) => status);
  expect([
    [200, 200],
    [200, 401],
    [401, 200],
  ]).toContainEqual(statuses);
  await unchanged(async () => {
    await gives(who.sends(path), 401);
    await gives(browser().sends(path), 401);
  });
});
