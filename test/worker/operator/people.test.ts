import { expect, test } from "vitest";
import { fromBase64 } from "~/platform/base64";
import { passTime } from "../../support/clock";
import { whileWritesFail } from "../../support/database/contents";
import { insert, makeRating, makeUser, unique } from "../../support/database/factories";
import { change, row, rows, untouched } from "../../support/database/rows";
import { answers, hides, shows, stored } from "../../support/expectations";
import { makeSession } from "../../support/login";
import { failMails, mailsTo, mailTo, owe } from "../../support/mails";
import { makeOperator } from "../../support/operator";
import { someone, song } from "../../support/people";
import { request } from "../../support/request";
import { deliver, eventOf, makeBuyer, stripeState } from "../../support/stripe/stripe";

const asks = { reason: "Asked by mail." };
const sure = { ...asks, do: "delete", sure: "on" };

/** Somebody whose song was rated. */
async function person() {
  const own = `${unique("Own")}@mail.example`;
  const owner = await someone({ ownEmail: own, displayName: "Ada <b>Lovelace</b>" });
  const it = await song({ owner, received: 2 });
  const rater = await makeUser({ displayName: "Rhea Rater" });
  await makeRating(rater, it);
  await owe(owner.id, "resting", it.id);
  const { spotifyId } = await owner.now();
  return { ...owner, own, rater, it, spotifyId: spotifyId ?? "" };
}

test("somebody is found by ids, by any address and by the beginning of the name, and nobody by another", async () => {
  const { own, spotifyId, user, it, rater } = await person();
  const { accessToken, refreshToken, id } = await makeSession(user);
  const { look } = await makeOperator();
  const before = await rows("users");
  const theirs = `${user.id}@musicians.example`;
  const addresses = [own, own.toUpperCase(), ` ${own} `, theirs, `Ada <${theirs}>`];
  for (const asked of [spotifyId, user.id, ...addresses, "ada", "Ada <b>Lovelace</b>"]) {
    const text = await look(asked);
    shows(
      text,
      "Ada &lt;b&gt;Lovelace&lt;/b&gt;",
      it.title,
      "resting, pending",
      new RegExp(`${own}</bdi>[^(]*\\(confirmed\\)`),
      new RegExp(`${theirs}</bdi>[^(]*\\(Spotify&#x27;s, not confirmed\\)`),
    );
    hides(text, rater.id, "Rhea Rater", accessToken, refreshToken, id);
  }
  for (const asked of [`${user.id}@`, "no body", "%", "_da", "' OR 1=1 --", "<script>"]) {
    const text = await look(asked);
    shows(text, "Nobody here has");
    hides(text, "<script>");
  }
  expect(await rows("users")).toEqual(before);
});

test("an address that waits for its confirmation finds who has entered it, as long as the link works", async () => {
  const { id: user_id } = await makeUser();
  const address = `${unique("Entered")}@mail.example`;
  const now = Date.now();
  const link = { id: unique("confirmation"), kind: "confirmation", asked_by: user_id, address };
  const times = { created_at: now, expires_at: now + 60_000 };
  await insert("mailed_proofs", { ...link, ...times }).run();
  const { look } = await makeOperator();
  shows(
    await look(address.toLowerCase()),
    new RegExp(`${address}</bdi>[^(]*\\(waits for their confirmation\\)`),
  );
  passTime(60_000);
  shows(await look(address), "Nobody here has");
});

test("of many with a name the oldest are looked at, and only these are written down", async () => {
  for (let n = 0; n < 25; n += 1) await makeUser({ displayName: `Numerous ${n}` });
  const text = await (await makeOperator()).look("numerous");
  shows(text, "More accounts have this, of which the oldest are listed.");
  expect(text.match(/Look at/g)).toHaveLength(20);
  expect(await rows("operatorLog")).toHaveLength(21);
});

test("each look is written down, and opens what it has found to that operator for ten minutes", async () => {
  const { id, spotifyId } = await person();
  const [operator, another] = [await makeOperator(), await makeOperator()];
  const { status, headers } = await operator.act({ do: "look", person: spotifyId });
  const where = headers.get("Location") ?? "";
  expect(status).toBe(303);
  shows(where, /^\/operator\?look=\d+#people$/);
  hides(where, spotifyId);
  const line = { operator: operator.spotifyId, action: "look", target: id, userId: id };
  await stored("operatorLog", line);
  const opens = async ({ reads }: typeof operator, path: string) =>
    (await reads(path)).includes(`<dd>${id}</dd>`);
  expect(await opens(operator, where)).toBe(true);
  shows(await operator.page(), /looked at .*Ada.*Lovelace/);
  expect(await opens(another, where)).toBe(false);
  for (const query of [`person=${id}`, "look=x", "look=1e999"]) {
    expect(await opens(operator, `/operator?${query}`)).toBe(false);
  }
  passTime(10 * 60_000);
  expect(await opens(operator, where)).toBe(false);
  shows(await operator.reads(where), "This look is over");
  await row("operatorLog");
});

test("without its line in the log there is no look", async () => {
  const { id } = await person();
  const { ask } = await makeOperator();
  await whileWritesFail("INSERT", "operator_log", async () => {
    const response = await ask("/operator/act", { json: { do: "look", person: id } });
    expect(response.status).toBe(500);
    hides(await response.text(), "look");
  });
});

test("an account does not hear of looks, which may follow a report", async () => {
  const { id, posts } = await person();
  shows(await (await makeOperator()).look(id), id);
  expect(await (await posts("/account/export")).json()).toMatchObject({ operatorDecisions: [] });
});

test("all accounts that have confirmed an address are shown, and what is done is done to one of them", async () => {
  const ownEmail = `${unique("Shared")}@mail.example`;
  const one = await makeUser({ displayName: "Twin", ownEmail });
  const other = await makeUser({ displayName: "Twin", ownEmail: ownEmail.toUpperCase() });
  // An account at Spotify may have such a name.
  const third = await makeUser({ displayName: "Triplet" });
  await change("users", { id: third.id }, { spotifyId: ownEmail });
  const { look, act, page } = await makeOperator();
  const text = await look(ownEmail);
  const ids = [one, other, third].map(({ id }) => id);
  for (const id of ids) shows(text, `value="${id}"`);
  shows(text, "(confirmed, also by 1 other account)");
  hides(text, "Mail them their data");
  expect((await rows("operatorLog")).map(({ target }) => target).sort()).toEqual(ids);

  const alone = await look(other.id);
  shows(alone, "also by 1 other account", `name="user" value="${other.id}"`);
  hides(alone, one.id);
  await act({ ...sure, user: other.id });
  expect(await rows("users", { displayName: "Twin" })).toMatchObject([{ id: one.id }]);
  await act({ ...asks, do: "export", user: one.id });
  shows(await page(), new RegExp(`exported <bdi>Twin</bdi> \\(${one.id}\\)`));
});

test("of very many accounts with one address the page says that there are more", async () => {
  const ownEmail = `${unique("shared")}@mail.example`;
  for (let n = 0; n < 21; n += 1) await makeUser({ ownEmail });
  shows(await (await makeOperator()).look(ownEmail), "More accounts have this");
});

test("their data are mailed to them, as they would download them, and the log says so", async () => {
  const { id, own, posts, login, spotifyId } = await person();
  await login();
  const { act, reads } = await makeOperator();
  const { status, headers } = await act({ ...asks, do: "export", user: id });
  const where = `/operator?done=export&about=${id}`;
  expect([status, headers.get("Location")]).toEqual([303, where]);
  shows(await reads(where), "are on their way");
  const { bcc, attachments } = await mailTo(own);
  expect([bcc, attachments]).toMatchObject([[], [{ filename: "fivefold-account.json" }]]);
  const plain = (text: string) =>
    JSON.parse(text, (key, value) =>
      /^(exportedAt|lastSeenAt|expiresAt|lastActiveAt)$/.test(key) ? null : value,
    );
  const sent = fromBase64(attachments[0]?.content ?? "") ?? undefined;
  const given = plain(new TextDecoder().decode(sent));
  expect(given).toEqual(plain(await (await posts("/account/export")).text()));
  expect(given.person.spotifyId).toBe(spotifyId);
  await stored("operatorLog", {
    ...{ action: "export", target: id, userId: id, reason: asks.reason },
  });
});

test("an operator reads nothing of the data that are mailed to somebody", async () => {
  const { id, own } = await person();
  const json = { ...asks, do: "export", user: id };
  const response = await (await makeOperator()).ask("/operator/act", { json });
  expect(await response.json()).toEqual({ ok: true });
  expect(await mailsTo(own)).toHaveLength(1);
});

test("where their data cannot be mailed, the operator hears of it", async () => {
  const { act } = await makeOperator();
  const { id } = await makeUser({ email: null });
  await answers(act({ ...asks, do: "export", user: id }), 409, "We have no address");
  expect(await rows("operatorLog")).toEqual([]);
  const ada = await person();
  await failMails(ada.own, { status: 500 });
  await answers(act({ ...asks, do: "export", user: ada.id }), 502, "could not be sent");
});

test("their account is deleted with all that belongs to it, once, and the log says so", async () => {
  const { user, it } = await person();
  const { act } = await makeOperator();
  const snapshot = '{"received":5,"uploads":[{"number":1,"counts":[1,1,1,2]}]}';
  await insert("shares", { song_id: it.id, token: "shared", snapshot, published_at: 1 }).run();
  // Kept at the edge from now on.
  await answers(request("/r/shared"), 200);
  await answers(act({ ...asks, do: "delete", user: user.id }), 422);
  const presses = await Promise.all([1, 2].map(() => act({ ...sure, user: user.id })));
  expect(presses.map(({ status }) => status)).toEqual([303, 303]);
  expect([await rows("users", { id: user.id }), await rows("songs")]).toEqual([[], []]);
  const line = { action: "delete", target: user.id, userId: null };
  await stored("operatorLog", line);
  expect(await rows("departures")).toHaveLength(2);
  await answers(request("/r/shared"), 404);
});

test("a subscription ends with the account that an operator deletes", async () => {
  const { user, customer } = await makeBuyer(await makeUser(), { musician: "imogen-fairweather" });
  await deliver(await eventOf(customer, "invoice.paid"));
  const { act, look } = await makeOperator();
  shows(await look(user.id), `https://dashboard.stripe.com/customers/${customer}`);
  await act({ ...sure, user: user.id });
  const { subscriptions } = await stripeState({ customer });
  expect(subscriptions.map(({ status }) => status)).not.toContain("active");
});

test("operators neither export nor delete what is not there, nor delete themselves", async () => {
  const { act, user } = await makeOperator();
  await untouched(async () => {
    await answers(act({ ...asks, do: "export", user: "nobody" }), 404);
    await answers(act({ ...sure, user: user.id }), 403);
  });
});
