import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { addressTexts, confirmAddress } from "~/mailing/address.server";
import { readConfig } from "~/platform/env";
import {
  counts,
  gives,
  isRefused,
  leads,
  led,
  shows,
  tells,
  unchanged,
} from "../../support/answers";
import { emptyDatabase } from "../../support/database/contents";
import { insert, makeUser, unique } from "../../support/database/factories";
import { change, db } from "../../support/database/rows";
import { makeOperator } from "../../support/operator";
import { someone } from "../../support/people";
import {
  browser,
  browserOf,
  byAddress,
  loggedInAgo,
  withoutSpotify,
} from "../../support/people/logins";
import { asked, confirm, freeAddress } from "../../support/ways-in";

const { sessionSecret: secret } = readConfig(env);
const long = 2 * 60 * 60 * 1000;
const removal = "/account/email/remove";

test("the address that is another's only way in is confirmed by nobody, and the page says what to do", async () => {
  const owner = await byAddress();
  const who = await someone({ email: null });
  const address = owner.ownEmail.toUpperCase();
  const path = `/confirm-email?token=${await asked(who, address)}`;
  const answers = await unchanged(async () => [
    await browser().gets(path),
    await browser().presses(path),
  ]);
  for (const answer of answers) {
    const taken = expect.stringContaining(addressTexts.taken);
    expect([answer.status, await answer.text()]).toEqual([409, taken]);
  }
  // The link stays good, and works once the address is free.
  await owner.leaves();
  await gives(browser().presses(path), 303);
  expect(await who.now()).toMatchObject({ ownEmail: address });
});

test("an only way in cannot be an address that another account has confirmed", async () => {
  const shared = freeAddress();
  await makeUser({ ownEmail: shared });
  const who = await byAddress();
  expect(await confirm(who, shared)).toMatchObject({ status: 409, error: addressTexts.taken });
  expect(await who.now()).toMatchObject({ ownEmail: who.ownEmail });
});

test("nobody who asks for an address is told that it is another's only way in", async () => {
  const who = await someone();
  for (const address of [(await byAddress()).ownEmail, freeAddress()]) {
    await tells(who.sends("/account/email", { address }), 200, { ok: true, address });
  }
});

test("an address that is the only way into an account can be changed, but not removed", async () => {
  const who = await byAddress();
  const page = await shows(who, "/account", "You log in with it");
  expect(page).not.toContain("Remove my address");
  await tells(
    unchanged(() => who.sends(removal)),
    409,
    { error: addressTexts.onlyWay },
  );
  const ownEmail = freeAddress();
  expect(await confirm(who, ownEmail)).toMatchObject({ current: true });
  expect(await who.now()).toMatchObject({ ownEmail });
  // The one given up is free again.
  expect(await confirm(await makeUser(), who.ownEmail)).toMatchObject({ current: true });
});

test("an address is removed where Spotify is another way in, unless nobody can log in with Spotify here", async () => {
  const who = await someone({ ownEmail: freeAddress() });
  await gives(who.sends(removal, {}, { bindings: withoutSpotify }), 409);
  await gives(who.sends(removal), 200);
  expect(await who.now()).toMatchObject({ ownEmail: null });
});

test("the database holds an only way in: at a new account, a new address, and where Spotify would go", async () => {
  const { id, ownEmail } = await byAddress();
  const other = await makeUser();
  const text = "the only way into an account";
  const inserted = makeUser({ ownEmail: ownEmail.toUpperCase() });
  await expect(inserted).rejects.toThrow(text);
  await isRefused(change("users", { id: other.id }, { ownEmail }), text);
  // With Spotify both may have it; then neither can lose Spotify.
  await change("users", { id }, { spotifyId: "theirs" });
  await confirm(other, ownEmail);
  await isRefused(change("users", { id }, { spotifyId: null }), text);
  await isRefused(byAddress({ ownEmail }), text);
});

test("of two who confirm an address at once, one of them without another way in, one does", async () => {
  for (let round = 0; round < 5; round += 1) {
    const ownEmail = freeAddress();
    const tokens = [
      await asked(await byAddress(), ownEmail),
      await asked(await makeUser(), ownEmail),
    ];
    const options = { secret, now: Date.now() };
    const outcomes = await Promise.all(tokens.map((one) => confirmAddress(db, one, options)));
    expect(outcomes.filter((one) => "current" in one)).toHaveLength(1);
    await counts("users", 1, { ownEmail });
  }
});

test("a confirmation and a new account at once leave an address one account", async () => {
  for (let round = 0; round < 5; round += 1) {
    const address = freeAddress();
    const token = await asked(await makeUser(), address);
    const [confirmed, made] = await Promise.allSettled([
      confirmAddress(db, token, { secret, now: Date.now() }),
      insert("users", {
        ...{ id: unique("user"), display_name: "New", own_email: address },
        ...{ created_at: 1, updated_at: 1 },
      }).run(),
    ]);
    const isConfirmed = confirmed.status === "fulfilled" && "current" in confirmed.value;
    expect(isConfirmed).toBe(made.status === "rejected");
    await emptyDatabase();
  }
});

test("the account page says how its member comes in, and by which way each login came", async () => {
  const who = await byAddress();
  const page = await shows(
    ...([who, "/account", "How you come in", who.ownEmail, "Connect Spotify"] as const),
    ...[" by e-mail", "the same address within a day"],
  );
  expect(page).not.toContain("Spotify has given us no address");
  const member = await someone({ email: null });
  const theirs = await shows(
    ...([member, "/account", (await member.now()).spotifyId ?? "-", " with Spotify"] as const),
    ...["the same Spotify account within a day", "Spotify has given us no address that we can use"],
  );
  expect(theirs).not.toContain("Connect Spotify");
});

/** Where the deletion of an account leads whose login is old. */
const again = encodeURIComponent("/account?again=delete#delete");
const nextOperator = 'name="next" value="/operator?again"';

test("a fresh login by the address alone leads to the login by e-mail", async () => {
  const who = await byAddress();
  await loggedInAgo(who, long);
  await leads(who.posts("/account/delete", { sure: "on" }), `/login/email?next=${again}`);
});

test("a fresh login lets choose where both ways are open, and leads operators back to their page alone", async () => {
  const { user, act, ask } = await makeOperator(await makeUser({ ownEmail: freeAddress() }));
  await change("sessions", { userId: user.id }, { createdAt: Date.now() - long });
  const where = led(await act({ do: "look", person: "x" }))[1] ?? "";
  expect(where).toBe(`/login/again?next=${encodeURIComponent("/operator?again")}`);
  expect(await (await ask(where)).text()).toContain(nextOperator);
  await shows(await someone({ ownEmail: freeAddress() }), where, 'name="next" value="/"');
});

test("a fresh login leads an operator who has an address alone back to their page", async () => {
  const who = await byAddress();
  await loggedInAgo(who, long);
  const bindings = { ...env, OPERATORS: who.ownEmail };
  const it = await browserOf(who, { bindings });
  const where = led(await it.posts("/operator/act", { do: "look" }))[1] ?? "";
  expect(where).toBe(`/login/email?next=${encodeURIComponent("/operator?again")}`);
  await shows(it, where, nextOperator);
  await leads(it.logsInByMail(who.ownEmail, "/operator?again"), "/operator?again");
  await shows(await browserOf(await byAddress(), { bindings }), where, 'name="next" value="/"');
});

test("a fresh login is by e-mail where nobody can log in with Spotify", async () => {
  const who = await someone({ ownEmail: freeAddress() });
  await loggedInAgo(who, long);
  const it = await browserOf(who, { bindings: withoutSpotify });
  await leads(it.posts("/account/delete", { sure: "on" }), `/login/email?next=${again}`);
  await leads(it.posts("/login/again", { next: "/account" }), "/login/email?next=%2Faccount");
});
