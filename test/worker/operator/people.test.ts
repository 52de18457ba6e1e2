import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { fromBase64 } from "~/platform/base64";
import { passTime } from "../../support/clock";
import { contents, rowsOf, whileWritesFail } from "../../support/database/contents";
import {
  insert,
  makeRating,
  makeSong,
  makeUser,
  type TestUser,
  unique,
} from "../../support/database/factories";
import { makeMember } from "../../support/login";
import { failMails, mailsTo, owe } from "../../support/mails";
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

test("somebody is found by ids, by any address and by the beginning of the name, and nobody by another", async () => {
  const { own, spotifyId, user, song, rater, accessToken, refreshToken, id } = await makePerson();
  const { look } = await makeOperator();
  const before = await contents();
  const theirs = `${user.id}@musicians.example`;
  const addresses = [own, own.toUpperCase(), ` ${own} `, theirs, `Ada <${theirs}>`];
  for (const asked of [spotifyId, user.id, ...addresses, "ada", "Ada <b>Lovelace</b>"]) {
    const text = await look(asked);
    expect(text).toContain("Ada &lt;b&gt;Lovelace&lt;/b&gt;");
    expect(text).toContain(song.title);
    expect(text).toContain("resting, pending");
    expect(text).toMatch(new RegExp(`${own}</bdi>[^(]*\\(confirmed\\)`));
    expect(text).toMatch(new RegExp(`${theirs}</bdi>[^(]*\\(Spotify&#x27;s, not confirmed\\)`));
    for (const secret of [rater.id, "Rhea Rater", accessToken, refreshToken, id]) {
      expect(text).not.toContain(secret);
    }
  }
  for (const asked of [`${user.id}@`, "no body", "%", "_da", "' OR 1=1 --", "<script>"]) {
    const text = await look(asked);
    expect(text).toContain("Nobody here has");
    expect(text).not.toContain("<script>");
  }
  expect((await contents()).users).toEqual(before.users);
});

test("an address that waits for its confirmation finds who has entered it, as long as the link works", async () => {
  const { user } = await makeMember({ displayName: "Walt" });
  const address = `${unique("Entered")}@mail.example`;
  const now = Date.now();
  const row = { id: unique("confirmation"), kind: "confirmation", asked_by: user.id, address };
  const times = { created_at: now, expires_at: now + 60_000 };
  await insert("mailed_proofs", { ...row, ...times }).run();
  const { look } = await makeOperator();
  expect(await look(address.toLowerCase())).toMatch(
    new RegExp(`${address}</bdi>[^(]*\\(waits for their confirmation\\)`),
  );
  passTime(60_000);
  expect(await look(address)).toContain("Nobody here has");
});

test("of many with a name the oldest are looked at, and only these are written down", async () => {
  for (let n = 0; n < 25; n += 1) await makeUser({ displayName: `Numerous ${n}` });
  const { look } = await makeOperator();
  const text = await look("numerous");
  expect(text).toContain("More accounts have this, of which the oldest are listed.");
  expect(text.match(/Look at/g)).toHaveLength(20);
  expect(await rowsOf("SELECT count(*) AS looks FROM operator_log")).toEqual([{ looks: 21 }]);
});

test("each look is written down, and opens what it has found to that operator for ten minutes", async () => {
  const { user, spotifyId } = await makePerson();
  const [operator, another] = [await makeOperator(), await makeOperator()];
  const found = await operator.act({ do: "look", person: spotifyId });
  const where = found.headers.get("Location") ?? "";
  expect([found.status, where]).toEqual([
    303,
    expect.stringMatching(/^\/operator\?look=\d+#people$/),
  ]);
  expect(where).not.toContain(spotifyId);
  expect(await rowsOf("SELECT operator, action, target, user_id FROM operator_log")).toEqual([
    { operator: operator.spotifyId, action: "look", target: user.id, user_id: user.id },
  ]);
  const shows = async ({ ask }: typeof operator, path: string) =>
    (await (await ask(path)).text()).includes(`<dd>${user.id}</dd>`);
  expect(await shows(operator, where)).toBe(true);
  expect(await operator.page()).toMatch(/looked at .*Ada.*Lovelace/);
  expect(await shows(another, where)).toBe(false);
  for (const path of [`/operator?person=${user.id}`, "/operator?look=x", "/operator?look=1e999"]) {
    expect(await shows(operator, path)).toBe(false);
  }
  passTime(10 * 60_000);
  expect(await shows(operator, where)).toBe(false);
  expect(await (await operator.ask(where)).text()).toContain("This look is over");
  expect(await rowsOf("SELECT count(*) AS looks FROM operator_log")).toEqual([{ looks: 1 }]);
});

test("without its line in the log there is no look", async () => {
  const { user } = await makePerson();
  const { ask } = await makeOperator();
  await whileWritesFail("INSERT", "operator_log", async () => {
    const response = await ask("/operator/act", { json: { do: "look", person: user.id } });
    expect([response.status, await response.text()]).toEqual([
      500,
      expect.not.stringContaining("look"),
    ]);
  });
});

test("an account does not hear of looks, which may follow a report", async () => {
  const { user, cookie } = await makePerson();
  const { look } = await makeOperator();
  expect(await look(user.id)).toContain(user.id);
  const data = await (await request("/account/export", { cookie, form: {} })).text();
  expect(JSON.parse(data).operatorDecisions).toEqual([]);
});

test("all accounts that have confirmed an address are shown, and what is done is done to one of them", async () => {
  const ownEmail = `${unique("Shared")}@mail.example`;
  const shared = [
    await makeUser({ displayName: "Twin", ownEmail }),
    await makeUser({ displayName: "Twin", ownEmail: ownEmail.toUpperCase() }),
  ];
  // An account at Spotify may have such a name.
  const third = await makeUser({ displayName: "Triplet" });
  await env.DB.prepare("UPDATE users SET spotify_id = ? WHERE id = ?")
    .bind(ownEmail, third.id)
    .run();
  const { look, act, page } = await makeOperator();
  const text = await look(ownEmail);
  for (const { id } of [...shared, third]) expect(text).toContain(`value="${id}"`);
  expect(text).toContain("(confirmed, also by 1 other account)");
  expect(text).not.toContain("Mail them their data");
  expect(await rowsOf("SELECT target FROM operator_log ORDER BY target")).toEqual(
    [...shared, third].map(({ id }) => ({ target: id })),
  );

  const [one, other] = shared as [TestUser, TestUser];
  const alone = await look(other.id);
  expect(alone).toContain("also by 1 other account");
  expect(alone).toContain(`name="user" value="${other.id}"`);
  expect(alone).not.toContain(one.id);
  await act({ do: "delete", user: other.id, reason: "Asked by mail.", sure: "on" });
  expect(await rowsOf("SELECT id FROM users WHERE own_email IS NOT NULL")).toEqual([
    { id: one.id },
  ]);
  await act({ do: "export", user: one.id, reason: "Asked by mail." });
  expect(await page()).toMatch(new RegExp(`exported <bdi>Twin</bdi> \\(${one.id}\\)`));
});

test("of very many accounts with one address the page says that there are more", async () => {
  const ownEmail = `${unique("shared")}@mail.example`;
  for (let n = 0; n < 21; n += 1) await makeUser({ ownEmail });
  expect(await (await makeOperator()).look(ownEmail)).toContain("More accounts have this");
});

test("their data are mailed to them, as they would download them, and the log says so", async () => {
  const { user, own, cookie, spotifyId } = await makePerson();
  const { act, ask, page } = await makeOperator();
  const reason = "Asked by mail on 23 November.";
  const response = await act({ do: "export", user: user.id, reason });
  const where = response.headers.get("Location");
  expect([response.status, where]).toEqual([303, `/operator?done=export&about=${user.id}`]);
  expect(await page(where?.slice("/operator".length))).toContain("are on their way");
  const [mail, ...others] = await mailsTo(own);
  expect([mail?.bcc, others]).toEqual([[], []]);
  const [file] = mail?.attachments ?? [];
  expect(file?.filename).toBe("fivefold-account.json");
  const theirs = await ask("/account/export", { cookie, form: {} });
  const plain = (text: string) =>
    JSON.parse(text, (key, value) =>
      /^(exportedAt|lastSeenAt|expiresAt|lastActiveAt)$/.test(key) ? null : value,
    );
  const given = plain(new TextDecoder().decode(fromBase64(file?.content ?? "") ?? undefined));
  expect(given).toEqual(plain(await theirs.text()));
  expect(given.person.spotifyId).toBe(spotifyId);
  expect(await rowsOf("SELECT action, target, user_id, reason FROM operator_log")).toEqual([
    { action: "export", target: user.id, user_id: user.id, reason },
  ]);
});

test("an operator reads nothing of the data that are mailed to somebody", async () => {
  const { user, own } = await makePerson();
  const response = await (await makeOperator()).ask("/operator/act", {
    json: { do: "export", user: user.id, reason: "Asked by mail." },
  });
  expect(await response.json()).toEqual({ ok: true });
  expect(await mailsTo(own)).toHaveLength(1);
});

test("where their data cannot be mailed, the operator hears of it", async () => {
  const { act } = await makeOperator();
  const { id } = await makeUser({ email: null });
  const form = { do: "export", user: id, reason: "Asked by letter." };
  const refused = await act(form);
  expect([refused.status, await refused.text()]).toEqual([
    409,
    expect.stringContaining("We have no address"),
  ]);
  expect(await rowsOf("SELECT id FROM operator_log")).toEqual([]);
  const { user, own } = await makePerson();
  await failMails(own, { status: 500 });
  const failed = await act({ ...form, user: user.id });
  expect([failed.status, await failed.text()]).toEqual([
    502,
    expect.stringContaining("could not be sent"),
  ]);
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
  expect(await rowsOf("SELECT count(*) AS left FROM departures")).toEqual([{ left: 2 }]);
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
  const { act, look } = await makeOperator();
  expect(await look(user.id)).toContain(`https://dashboard.stripe.com/customers/${customer}`);
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
