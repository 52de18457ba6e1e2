import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { contents, rowsOf } from "../../support/database/contents";
import { insert, makeRating, makeSong, makeUser, unique } from "../../support/database/factories";
import { makeMember } from "../../support/login";
import { owe } from "../../support/mails";
import { makeOperator } from "../../support/operator";
import { request } from "../../support/request";
import { deliver, eventOf, makeBuyer, stripeState } from "../../support/stripe/stripe";

/** Somebody whose song was rated. */
async function makePerson() {
  const own = `${unique("Own")}@mail.example`;
  const member = await makeMember({ ownEmail: own, displayName: "Ada <b>Lovelace</b>" });
  const rater = await makeUser({ displayName: "Rhea Rater" });
  const song = await makeSong(member.user, { received: 2 });
  await makeRating(rater, song);
  await owe(member.user.id, "resting", song.id);
  const [row] = await rowsOf("SELECT spotify_id FROM users WHERE id = ?", member.user.id);
  return { ...member, own, rater, song, spotifyId: (row as { spotify_id: string }).spotify_id };
}

test("somebody is found by Spotify id and by confirmed address, and nobody by another", async () => {
  const { own, spotifyId, user, song, rater, accessToken, refreshToken, id } = await makePerson();
  const { page } = await makeOperator();
  const before = await contents();
  for (const asked of [spotifyId, own, own.toUpperCase(), ` ${own} `]) {
    const text = await page(`?person=${encodeURIComponent(asked)}`);
    expect(text).toContain("Ada &lt;b&gt;Lovelace&lt;/b&gt;");
    expect(text).toContain(song.title);
    expect(text).toContain("resting, pending");
    for (const secret of [rater.id, "Rhea Rater", accessToken, refreshToken, id]) {
      expect(text).not.toContain(secret);
    }
  }
  for (const asked of [`${user.id}@musicians.example`, "nobody", "%", "' OR 1=1 --", "<script>"]) {
    const text = await page(`?person=${encodeURIComponent(asked)}`);
    expect(text).toContain("Nobody here has");
    expect(text).not.toContain("<script>");
  }
  expect((await contents()).users).toEqual(before.users);
});

test("their data are given to an operator as to themselves, and the log says so", async () => {
  const { user, cookie, spotifyId } = await makePerson();
  const { act, ask } = await makeOperator();
  const reason = "Asked by mail on 23 November.";
  const response = await act({ do: "export", user: user.id, reason });
  expect(response.headers.get("Content-Disposition")).toContain("fivefold-account.json");
  const theirs = await ask("/account/export", { cookie, form: {} });
  const plain = (text: string) =>
    JSON.parse(text, (key, value) =>
      /^(exportedAt|lastSeenAt|expiresAt|lastActiveAt)$/.test(key) ? null : value,
    );
  const given = plain(await response.text());
  // Their own later file has one line more, of what the operator did.
  const own = plain(await theirs.text());
  expect(Object.keys(given)).toEqual(Object.keys(own));
  expect(given.person.spotifyId).toBe(spotifyId);
  expect(given.songs).toEqual(own.songs);
  expect(await rowsOf("SELECT action, target, user_id, reason FROM operator_log")).toEqual([
    { action: "export", target: user.id, user_id: user.id, reason },
  ]);
});

test("an operator does not read in others' data who rated or reported the operator's own songs", async () => {
  const { user } = await makePerson();
  const { act, user: operator } = await makeOperator();
  const [own, other] = [await makeSong(operator), await makeSong(await makeUser())];
  for (const song of [own, other]) {
    await makeRating(user, song);
    const row = { id: unique("report"), song_id: song.id, reporter_id: user.id, words: "" };
    await insert("reports", { ...row, created_at: Date.now() }).run();
  }
  const response = await act({ do: "export", user: user.id, reason: "Asked by mail." });
  const text = await response.text();
  expect(text).not.toContain(own.id);
  const { ratingsGiven, reports } = JSON.parse(text);
  expect(ratingsGiven).toMatchObject([{ songId: other.id }]);
  expect(reports).toMatchObject([{ songId: other.id }]);
});

test("their account is deleted with all that belongs to it, once, and the log says so", async () => {
  const { user } = await makePerson();
  const { act } = await makeOperator();
  const form = { do: "delete", user: user.id, reason: "Asked by mail.", sure: "on" };
  const { sure: _sure, ...unsure } = form;
  expect((await act(unsure)).status).toBe(422);
  const presses = await Promise.all([1, 2].map(() => act(form)));
  expect(presses.map(({ status }) => status)).toEqual([303, 303]);
  expect(await rowsOf("SELECT id FROM users WHERE id = ?", user.id)).toEqual([]);
  expect(await rowsOf("SELECT count(*) AS songs FROM songs")).toEqual([{ songs: 0 }]);
  expect(await rowsOf("SELECT action, target, user_id FROM operator_log")).toEqual([
    { action: "delete", target: user.id, user_id: null },
  ]);
  expect(await rowsOf("SELECT count(*) AS left FROM departures")).toEqual([{ left: 1 }]);
});

test("with the account that an operator deletes, a page that it has shared ends at once", async () => {
  const { user, song } = await makePerson();
  const { act } = await makeOperator();
  const snapshot = { received: 5, uploads: [{ number: 1, counts: [1, 1, 1, 2] }] };
  await env.DB.prepare("INSERT INTO shares VALUES (?, 'shared', ?, 1)")
    .bind(song.id, JSON.stringify(snapshot))
    .run();
  expect((await request("/r/shared")).status).toBe(200);
  await act({ do: "delete", user: user.id, reason: "Asked by mail.", sure: "on" });
  expect((await request("/r/shared")).status).toBe(404);
});

test("a subscription ends with the account that an operator deletes", async () => {
  const { user, customer } = await makeBuyer(await makeUser(), { musician: "imogen-fairweather" });
  await deliver(await eventOf(customer, "invoice.paid"));
  const { act, page } = await makeOperator();
  expect(await page(`?person=${user.id}`)).toContain(
    `https://dashboard.stripe.com/customers/${customer}`,
  );
  await act({ do: "delete", user: user.id, reason: "Asked by mail.", sure: "on" });
  const { subscriptions } = await stripeState({ customer });
  expect(subscriptions.filter(({ status }) => status === "active")).toEqual([]);
});

test("operators neither export nor delete what is not there, nor delete themselves", async () => {
  const { act, user } = await makeOperator();
  expect((await act({ do: "export", user: "nobody", reason: "x" })).status).toBe(404);
  expect((await act({ do: "delete", user: user.id, reason: "x", sure: "on" })).status).toBe(403);
  expect(await rowsOf("SELECT id FROM operator_log")).toEqual([]);
});
