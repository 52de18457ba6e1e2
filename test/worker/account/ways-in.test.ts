import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { createDatabase } from "~/db/client.server";
import { addressTexts, confirmAddress } from "~/mailing/address.server";
import { readConfig } from "~/platform/env";
import { contents, rowsOf } from "../../support/database/contents";
import { insert, makeUser, type TestUser, unique } from "../../support/database/factories";
import { makeEmailMember, makeMember } from "../../support/login";
import { makeOperator } from "../../support/operator";
import { request } from "../../support/request";
import { asked, confirm, freeAddress, leave, spotifyIdOf } from "../../support/ways-in";
import { codeFor, pendingOf, typeCode } from "../session/email-login-flow";

const { sessionSecret: secret } = readConfig(env);
const db = createDatabase(env.DB);
const hour = 60 * 60 * 1000;

async function addressOf(user: TestUser): Promise<unknown> {
  return env.DB.prepare("SELECT own_email FROM users WHERE id = ?")
    .bind(user.id)
    .first("own_email");
}

describe("an address that is the only way into an account", () => {
  test("is confirmed by nobody else, and the page says what to do", async () => {
    const { ownEmail, user: owner } = await makeEmailMember();
    const { user } = await makeMember({ email: null });
    const token = await asked(user, ownEmail.toUpperCase());
    const path = `/confirm-email?token=${token}`;
    const before = await contents();
    for (const pressed of [{}, { form: { x: "" } }]) {
      const response = await request(path, pressed);
      expect([response.status, await response.text()]).toEqual([
        409,
        expect.stringContaining(addressTexts.taken),
      ]);
    }
    expect(await contents()).toEqual(before);
    // The link stays good, and works once the address is free.
    await leave(owner);
    expect((await request(path, { form: { x: "" } })).status).toBe(303);
    expect(await addressOf(user)).toBe(ownEmail.toUpperCase());
  });

  test("cannot be one that another account has confirmed", async () => {
    const shared = freeAddress();
    await makeUser({ ownEmail: shared });
    const { user, ownEmail } = await makeEmailMember();
    expect(await confirm(user, shared)).toMatchObject({ status: 409, error: addressTexts.taken });
    expect(await addressOf(user)).toBe(ownEmail);
  });

  test("is not told of to who asks for it", async () => {
    const { ownEmail } = await makeEmailMember();
    const { cookie } = await makeMember();
    const ask = async (address: string) => {
      const response = await request("/account/email", { cookie, json: { address } });
      return { status: response.status, body: await response.json() };
    };
    const known = await ask(ownEmail);
    const unknown = await ask(freeAddress());
    expect(known).toEqual({ ...unknown, body: { ok: true, address: ownEmail } });
  });

  test("can be changed, but not removed", async () => {
    const { user, ownEmail, cookie } = await makeEmailMember();
    const page = await (await request("/account", { cookie })).text();
    expect(page).not.toContain("Remove my address");
    expect(page).toContain("You log in with it");
    const before = await contents("users", "mailed_proofs");
    const refused = await request("/account/email/remove", { cookie, json: {} });
    expect([refused.status, await refused.json()]).toEqual([409, { error: addressTexts.onlyWay }]);
    expect(await contents("users", "mailed_proofs")).toEqual(before);
    const other = freeAddress();
    expect(await confirm(user, other)).toMatchObject({ current: true });
    expect(await addressOf(user)).toBe(other);
    // The one given up is free again.
    expect(await confirm(await makeUser(), ownEmail)).toMatchObject({ current: true });
  });

  test("is removed where Spotify is another way in, unless nobody can log in with Spotify here", async () => {
    const { user, cookie } = await makeMember({ ownEmail: freeAddress() });
    const none = { SPOTIFY_CLIENT_ID: "", SPOTIFY_CLIENT_SECRET: "" };
    const bindings = { ...env, ...none, SPOTIFY_CLIENT_ID_2: "", SPOTIFY_CLIENT_SECRET_2: "" };
    const refused = await request("/account/email/remove", { cookie, bindings, json: {} });
    expect(refused.status).toBe(409);
    expect((await request("/account/email/remove", { cookie, json: {} })).status).toBe(200);
    expect(await addressOf(user)).toBeNull();
  });

  test("is held by the database: at a new account, a new address, and where Spotify would go", async () => {
    const { user, ownEmail } = await makeEmailMember();
    const set = (sql: string, ...params: string[]) =>
      env.DB.prepare(sql)
        .bind(...params)
        .run();
    const refused = "the only way into an account";
    await expect(makeUser({ ownEmail: ownEmail.toUpperCase() })).rejects.toThrow(refused);
    const other = await makeUser();
    const take = "UPDATE users SET own_email = ? WHERE id = ?";
    await expect(set(take, ownEmail, other.id)).rejects.toThrow(refused);
    // With Spotify both may have it; then neither can lose Spotify.
    await set("UPDATE users SET spotify_id = 'theirs' WHERE id = ?", user.id);
    await confirm(other, ownEmail);
    const disconnect = "UPDATE users SET spotify_id = NULL WHERE id = ?";
    await expect(set(disconnect, user.id)).rejects.toThrow(refused);
    await expect(makeEmailMember({ ownEmail })).rejects.toThrow(refused);
  });

  test("of two who confirm it at once, one of them without another way in, one does", async () => {
    for (let round = 0; round < 5; round += 1) {
      const address = freeAddress();
      const [{ user }, other] = [await makeEmailMember(), await makeUser()];
      const tokens = [await asked(user, address), await asked(other, address)];
      const options = { secret, now: Date.now() };
      const outcomes = await Promise.all(tokens.map((one) => confirmAddress(db, one, options)));
      expect(outcomes.filter((one) => "current" in one)).toHaveLength(1);
      const having = "SELECT id FROM users WHERE own_email = ?";
      expect(await rowsOf(having, address)).toHaveLength(1);
    }
  });

  test("a confirmation and a new account at once leave it one account", async () => {
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
      await env.DB.prepare("DELETE FROM users").run();
    }
  });
});

describe("the account page", () => {
  test("says how its member comes in, and by which way each login came", async () => {
    const { cookie, ownEmail } = await makeEmailMember();
    const page = await (await request("/account", { cookie })).text();
    expect(page).toContain("How you come in");
    expect(page).toContain(ownEmail);
    expect(page).toContain("Connect Spotify");
    expect(page).toContain(" by e-mail");
    expect(page).toContain("the same address within a day");
    expect(page).not.toContain("Spotify has given us no address");

    const member = await makeMember({ email: null });
    const theirs = await (await request("/account", { cookie: member.cookie })).text();
    expect(theirs).toContain(await spotifyIdOf(member.user));
    expect(theirs).not.toContain("Connect Spotify");
    expect(theirs).toContain(" with Spotify");
    expect(theirs).toContain("the same Spotify account within a day");
    expect(theirs).toContain("Spotify has given us no address that we can use");
  });
});

describe("a fresh login", () => {
  test("by the address alone leads to the login by e-mail", async () => {
    const { cookie } = await makeEmailMember({ age: 2 * hour });
    const refused = await request("/account/delete", { cookie, form: { sure: "on" } });
    const next = encodeURIComponent("/account?again=delete#delete");
    expect([refused.status, refused.headers.get("Location")]).toEqual([
      303,
      `/login/email?next=${next}`,
    ]);
  });

  test("lets choose where both ways are open, and leads operators back to their page alone", async () => {
    const operator = await makeOperator(await makeUser({ ownEmail: freeAddress() }));
    await env.DB.prepare("UPDATE sessions SET created_at = created_at - ?")
      .bind(2 * hour)
      .run();
    const refused = await operator.act({ do: "look", person: "x" });
    const where = refused.headers.get("Location") ?? "";
    expect(where).toBe(`/login/again?next=${encodeURIComponent("/operator?again")}`);
    const page = await (await operator.ask(where)).text();
    expect(page).toContain('name="next" value="/operator?again"');
    const other = await makeMember({ ownEmail: freeAddress() });
    const theirs = await (await request(where, { cookie: other.cookie })).text();
    expect(theirs).toContain('name="next" value="/"');
  });

  test("leads an operator who has an address alone back to their page", async () => {
    const { ownEmail, cookie } = await makeEmailMember({ age: 2 * hour });
    const bindings = { ...env, OPERATORS: ownEmail };
    const refused = await request("/operator/act", { cookie, bindings, form: { do: "look" } });
    const where = refused.headers.get("Location") ?? "";
    expect(where).toBe(`/login/email?next=${encodeURIComponent("/operator?again")}`);
    const page = await (await request(where, { cookie, bindings })).text();
    expect(page).toContain('name="next" value="/operator?again"');
    const form = { address: ownEmail, next: "/operator?again" };
    const pending = pendingOf(await request("/login/email", { cookie, bindings, form }));
    const typed = await typeCode(await codeFor(ownEmail), pending, cookie);
    expect(typed.headers.get("Location")).toBe("/operator?again");
    const other = await makeEmailMember();
    const theirs = await (await request(where, { cookie: other.cookie, bindings })).text();
    expect(theirs).toContain('name="next" value="/"');
  });

  test("is by e-mail where nobody can log in with Spotify", async () => {
    const { cookie } = await makeMember({ ownEmail: freeAddress() });
    await env.DB.prepare("UPDATE sessions SET created_at = created_at - ?")
      .bind(2 * hour)
      .run();
    const none = { SPOTIFY_CLIENT_ID: "", SPOTIFY_CLIENT_SECRET: "" };
    const bindings = { ...env, ...none, SPOTIFY_CLIENT_ID_2: "", SPOTIFY_CLIENT_SECRET_2: "" };
    const form = { sure: "on" };
    const refused = await request("/account/delete", { cookie, bindings, form });
    expect(refused.headers.get("Location")).toMatch(/^\/login\/email\?/);
    const again = await request("/login/again", { cookie, bindings, form: { next: "/account" } });
    expect(again.headers.get("Location")).toBe("/login/email?next=%2Faccount");
  });
});
