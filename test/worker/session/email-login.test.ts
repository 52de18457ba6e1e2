/** What comes out of a code or a link: sessions and accounts (rule 41). */
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { deleteAccount } from "~/account/delete.server";
import { createDatabase } from "~/db/client.server";
import { confirmAddress, confirmationToken, removeAddress } from "~/mailing/address.server";
import { addressFingerprint } from "~/mailing/suppression.server";
import { readConfig } from "~/platform/env";
import { passTime } from "../../support/clock";
import { contents, rowsOf } from "../../support/database/contents";
import { insert, makeUser, type TestUser } from "../../support/database/factories";
import { makeSession } from "../../support/login";
import { askToConfirm } from "../../support/mails";
import { request } from "../../support/request";
import { stubBilling } from "../../support/stripe/billing-stub";
import {
  askForCode,
  beginEmailLogin,
  codeFor,
  freeAddress,
  giveName,
  linkFor,
  logInByMail,
  pendingOf,
  press,
  sessionOf,
  typeCode,
} from "./email-login-flow";
import { logIn, setCookieOf } from "./login-flow";

const { sessionSecret: secret } = readConfig(env);
const db = createDatabase(env.DB);
const evil = { Origin: "https://evil.example", "Sec-Fetch-Site": "cross-site" };

function logins(): Promise<unknown[]> {
  return rowsOf("SELECT user_id, way FROM sessions ORDER BY created_at, user_id");
}

/** Whose account page a session opens. */
async function nameIn(session: string): Promise<string> {
  const page = await (await request("/account", { cookie: session })).text();
  return /class="viewer-name"[^>]*>(.*?)<\/bdi>/.exec(page)?.[1] ?? "";
}

describe("a login by e-mail", () => {
  test("opens a session without tokens of the account that has confirmed the address", async () => {
    const address = freeAddress();
    const { id } = await makeUser({ ownEmail: address, displayName: "Ada" });
    await makeUser({ email: address });
    const response = await logInByMail(address.toUpperCase());
    expect([response.status, response.headers.get("Location")]).toEqual([303, "/"]);
    const header = setCookieOf(response, "__Host-session");
    for (const attribute of ["HttpOnly", "Secure", "SameSite=Lax", "Path=/"]) {
      expect(header.split("; ")).toContain(attribute);
    }
    expect(
      await rowsOf("SELECT user_id, way, access_token, refresh_token, client_id FROM sessions"),
    ).toEqual([
      { user_id: id, way: "email", access_token: null, refresh_token: null, client_id: null },
    ]);
    expect(await rowsOf("SELECT user_id, kind FROM activity_log")).toEqual([
      { user_id: id, kind: "login" },
    ]);
    expect(await nameIn(sessionOf(response))).toBe("Ada");
  });

  test("does not go by an address that only Spotify has told", async () => {
    const address = freeAddress();
    const { id } = await makeUser({ email: address });
    await logInByMail(address);
    const users = await rowsOf("SELECT id FROM users WHERE own_email = ?", address);
    expect(users).toHaveLength(1);
    expect(users).not.toContainEqual({ id });
  });

  test("replaces the session that this browser had", async () => {
    const address = freeAddress();
    const { id } = await makeUser({ ownEmail: address });
    const other = await makeSession(await makeUser());
    await beginEmailLogin(address);
    const response = await press(await linkFor(address), other.cookie);
    expect([response.status, await logins()]).toEqual([303, [{ user_id: id, way: "email" }]]);
    expect(await nameIn(other.cookie)).toBe("");
  });

  test.each([
    ["/ratings-of-my-songs?song=s#song-s", "/ratings-of-my-songs?song=s#song-s"],
    ["https://evil.example/account", "/"],
    ["//evil.example/account", "/"],
    ["/logout", "/"],
  ])("that begins at %s ends at %s", async (next, where) => {
    const address = freeAddress();
    await makeUser({ ownEmail: address });
    const page = await (await request(`/login/email?next=${encodeURIComponent(next)}`)).text();
    expect(page).toContain(`name="next" value="${where}"`);
    const pending = await beginEmailLogin(address, { next });
    const response = await typeCode(await codeFor(address), pending);
    expect(response.headers.get("Location")).toBe(where);
  });

  test("keeps the newest twenty sessions of its user", async () => {
    const address = freeAddress();
    const { id } = await makeUser({ ownEmail: address });
    for (let n = 0; n < 24; n += 1) {
      await beginEmailLogin(address, { from: `192.0.2.${n}` });
      await press(await linkFor(address));
      passTime(10 * 60_000);
    }
    expect(await rowsOf("SELECT count(*) AS n FROM sessions WHERE user_id = ?", id)).toEqual([
      { n: 20 },
    ]);
  });
});

describe("a link", () => {
  test("asks, and changes nothing until its button is pressed, whatever looks at it", async () => {
    const address = freeAddress();
    await makeUser({ ownEmail: address });
    await beginEmailLogin(address);
    const link = await linkFor(address);
    const before = await contents();
    for (const method of ["GET", "HEAD", "GET"]) {
      const response = await request(link, { method, headers: { "Sec-Purpose": "prefetch" } });
      expect([response.status, response.headers.getSetCookie()]).toEqual([200, []]);
    }
    const page = await (await request(link)).text();
    expect(page).toContain(address);
    expect(page).not.toContain("<script");
    expect(await contents()).toEqual(before);

    const pressed = await press(link);
    expect(pressed.headers.get("Location")).toBe("/");
    expect(await request(link)).toHaveProperty("status", 403);
    expect((await press(link)).status).toBe(403);
    expect(await logins()).toHaveLength(1);
  });

  test("in a browser in which somebody is logged in says whose address it is, and whose login ends", async () => {
    const address = freeAddress();
    await makeUser({ ownEmail: address });
    const { cookie } = await makeSession(await makeUser({ displayName: "Somebody Else" }));
    await beginEmailLogin(address);
    const page = await (await request(await linkFor(address), { cookie })).text();
    expect(page).toContain(address);
    expect(page).toMatch(/You are logged in here as <bdi>Somebody Else<\/bdi>/);
  });

  test.each(["", "?token=a.b"])("that is incomplete (%j) does not work", async (query) => {
    expect((await request(`/login/link${query}`)).status).toBe(403);
    expect((await press(`/login/link${query}`)).status).toBe(403);
  });

  test("altered, or signed for something else, does not work", async () => {
    const address = freeAddress();
    await beginEmailLogin(address);
    const link = await linkFor(address);
    const [, id = ""] = /token=([^.]+)\./.exec(link) ?? [];
    const ours = `/confirm-email?token=${link.split("=")[1]}`;
    expect((await request(ours)).status).toBe(403);
    for (const path of [`${link}x`, link.replace(id, id.toUpperCase())]) {
      expect((await press(path)).status).toBe(403);
    }
  });

  test("pressed where nobody has asked gives the browser that has asked nothing", async () => {
    const address = freeAddress();
    const askers = await beginEmailLogin(address);
    const readers = await press(await linkFor(address));
    expect(readers.headers.get("Location")).toBe("/login/name");
    // Somebody else had asked, and waits for the reader of the mail to press.
    for (const path of ["/login/name", "/login/code"]) {
      const page = await (await request(path, { cookie: askers })).text();
      expect([path, page.includes("Artist")]).toEqual([path, false]);
    }
    expect((await giveName("Mallory", askers)).status).toBe(400);
    expect((await giveName("Ada", pendingOf(readers))).status).toBe(303);
    expect(await rowsOf("SELECT display_name FROM users")).toEqual([{ display_name: "Ada" }]);
  });

  test("pressed ten times at once logs in once", async () => {
    const address = freeAddress();
    await makeUser({ ownEmail: address });
    await beginEmailLogin(address);
    const link = await linkFor(address);
    const answers = await Promise.all(Array.from({ length: 10 }, () => press(link)));
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(1);
    expect(await logins()).toHaveLength(1);
  });
});

describe("another site", () => {
  test("cannot log a victim in as somebody else, nor ask for a code in their name", async () => {
    const attackers = freeAddress();
    await makeUser({ ownEmail: attackers });
    const pending = await beginEmailLogin(attackers);
    const code = await codeFor(attackers);
    const typed = await beginEmailLogin(freeAddress());
    for (const [path, form] of [
      ["/login/code", { code }],
      [await linkFor(attackers), { x: "" }],
      ["/login/name", { name: "Mallory" }],
      ["/login/email", { address: attackers }],
    ] as const) {
      for (const headers of [evil, { Origin: "null" }, { "Sec-Fetch-Site": "cross-site" }]) {
        // The last would need the attacker's own cookie, which no other site can set.
        for (const cookie of ["", typed, pending]) {
          const response = await request(path, { form, headers, ...(cookie ? { cookie } : {}) });
          expect([path, response.status, response.headers.getSetCookie()]).toEqual([path, 403, []]);
        }
      }
    }
    expect(await logins()).toEqual([]);
  });
});

describe("the first login by an address", () => {
  async function verified(address = freeAddress()) {
    const pending = await beginEmailLogin(address, { next: "/account" });
    const typed = await typeCode(await codeFor(address), pending);
    expect(typed.headers.get("Location")).toBe("/login/name");
    return { address, ticket: pendingOf(typed) };
  }

  test("asks for a name, and makes an account that has confirmed the address", async () => {
    const { address, ticket } = await verified();
    expect(await rowsOf("SELECT id FROM users")).toEqual([]);
    expect(await (await request("/login/name", { cookie: ticket })).text()).toContain(address);
    const made = await giveName("  The\u202e Lanterns ", ticket);
    expect([made.status, made.headers.get("Location")]).toEqual([303, "/account"]);
    expect(await rowsOf("SELECT display_name, own_email, email, spotify_id FROM users")).toEqual([
      { display_name: "The Lanterns", own_email: address, email: null, spotify_id: null },
    ]);
    expect(await rowsOf("SELECT way FROM sessions")).toEqual([{ way: "email" }]);
    expect(await nameIn(sessionOf(made))).toBe("The Lanterns");
    // From now on the name is known.
    const again = await logInByMail(address);
    expect([again.headers.get("Location"), await logins()]).toEqual(["/", expect.any(Array)]);
    expect(await rowsOf("SELECT count(*) AS n FROM users")).toEqual([{ n: 1 }]);
  });

  test.each([
    ["", "Please enter your artist"],
    [" \u200b", "Please enter your artist"],
    ["x".repeat(61), "60 characters at most"],
  ])("refuses the name %j in a sentence, and keeps it in the field", async (name, sentence) => {
    const { ticket } = await verified();
    const refused = await giveName(name, ticket);
    const page = await refused.text();
    expect([refused.status, page.includes(sentence)]).toEqual([422, true]);
    expect(page).toContain(`value="${name}"`);
    expect(await rowsOf("SELECT id FROM users")).toEqual([]);
    expect((await giveName("Ada", ticket)).status).toBe(303);
  });

  test("leads who goes back to the code to the name again", async () => {
    const { ticket } = await verified();
    const back = await request("/login/code", { cookie: ticket });
    expect([back.status, back.headers.get("Location")]).toEqual([302, "/login/name"]);
  });

  test("in two tabs at once makes one account, and the other tab goes on", async () => {
    const { ticket } = await verified();
    const answers = await Promise.all(["Ada", "Bea"].map((name) => giveName(name, ticket)));
    expect(answers.filter((one) => sessionOf(one) !== "")).toHaveLength(1);
    expect(await rowsOf("SELECT count(*) AS n FROM users")).toEqual([{ n: 1 }]);
    expect(await logins()).toHaveLength(1);
    const late = await giveName("Cara", ticket);
    expect([late.headers.get("Location"), sessionOf(late)]).toEqual(["/account", ""]);
  });

  test("in two browsers at once makes one account, and leads the other to it", async () => {
    const { address, ticket } = await verified();
    const other = await verified(address);
    const answers = await Promise.all(
      [ticket, other.ticket].map((cookie) => giveName("Ada", cookie)),
    );
    expect(answers.filter((one) => sessionOf(one) !== "")).toHaveLength(1);
    expect(await rowsOf("SELECT count(*) AS n FROM users")).toEqual([{ n: 1 }]);
    const [refused = answers[0]] = answers.filter((one) => sessionOf(one) === "");
    expect(refused?.headers.get("Location")).toBe("/login/name");
    const loser = answers[0] === refused ? ticket : other.ticket;
    const page = await (await request("/login/name", { cookie: loser })).text();
    const [, user = ""] = /name="user" value="([^"]+)"/.exec(page) ?? [];
    const chosen = await request("/login/name", { cookie: loser, form: { user } });
    expect(sessionOf(chosen)).not.toBe("");
  });

  test("leaves ten minutes for the name", async () => {
    const { ticket } = await verified();
    passTime(10 * 60_000);
    expect((await giveName("Ada", ticket)).status).toBe(400);
    expect(await rowsOf("SELECT id FROM users")).toEqual([]);
  });

  test("brings back the mails that the address had unsubscribed from, as a confirmation does", async () => {
    const address = freeAddress();
    const fingerprint = await addressFingerprint(secret, address);
    await insert("mail_suppressions", { fingerprint, topic: "rating" }).run();
    await logInByMail(address);
    expect(await rowsOf("SELECT topic FROM mail_suppressions")).toEqual([]);
  });
});

describe("an address that two accounts have confirmed", () => {
  async function two() {
    const address = freeAddress();
    const users = [
      await makeUser({ ownEmail: address, displayName: "Ada" }),
      await makeUser({ ownEmail: address.toUpperCase(), displayName: "Bea" }),
    ] as [TestUser, TestUser];
    const pending = await beginEmailLogin(address);
    const typed = await typeCode(await codeFor(address), pending);
    return { users, typed, ticket: pendingOf(typed), address };
  }

  test("asks which it is to be, with name, ways and since when", async () => {
    const { users, typed, ticket } = await two();
    expect([typed.headers.get("Location"), await logins()]).toEqual(["/login/name", []]);
    const page = await (await request("/login/name", { cookie: ticket })).text();
    for (const { displayName } of users) expect(page).toContain(`<bdi>${displayName}</bdi>`);
    expect(page).toContain("Comes in by Spotify and e-mail, since 15 Jan 2026.");
    const form = { user: users[1].id };
    const chosen = await request("/login/name", { cookie: ticket, form });
    expect(await nameIn(sessionOf(chosen))).toBe("Bea");
    expect(await logins()).toEqual([{ user_id: users[1].id, way: "email" }]);
  });

  test("lets nobody else in, and makes no third account", async () => {
    const { ticket } = await two();
    const { id } = await makeUser({ ownEmail: freeAddress() });
    const stranger = await request("/login/name", { cookie: ticket, form: { user: id } });
    expect([stranger.status, sessionOf(stranger)]).toEqual([303, ""]);
    expect(sessionOf(await giveName("Cara", ticket))).toBe("");
    expect(await logins()).toEqual([]);
    expect(await rowsOf("SELECT count(*) AS n FROM users")).toEqual([{ n: 3 }]);
  });

  test("opens one of them, in two tabs at once", async () => {
    const { users, ticket } = await two();
    const answers = await Promise.all(
      users.map(({ id }) => request("/login/name", { cookie: ticket, form: { user: id } })),
    );
    expect(answers.filter((one) => sessionOf(one) !== "")).toHaveLength(1);
    expect(await logins()).toHaveLength(1);
  });
});

describe("a member who is asked to log in again", () => {
  async function member() {
    const address = freeAddress();
    const user = await makeUser({ ownEmail: address, displayName: "Ada" });
    const { cookie } = await makeSession(user);
    return { address, user, cookie };
  }

  test("has their own address, and comes out as themselves", async () => {
    const { address, user, cookie } = await member();
    const page = await (await request("/login/email?next=/account", { cookie })).text();
    expect(page).toContain("Log in again");
    expect(page).toContain(`name="address" value="${address}"`);
    expect(page).not.toContain('type="text"');
    const other = await askForCode(freeAddress(), { cookie });
    expect([
      other.status,
      await rowsOf("SELECT id FROM mailed_proofs WHERE kind = 'login'"),
    ]).toEqual([409, []]);
    const pending = await beginEmailLogin(address, { cookie, next: "/account" });
    const response = await typeCode(await codeFor(address), pending, cookie);
    expect(response.headers.get("Location")).toBe("/account");
    expect(await logins()).toEqual([{ user_id: user.id, way: "email" }]);
  });

  test("comes out as themselves, although another account has the address", async () => {
    const { address, user, cookie } = await member();
    await makeUser({ ownEmail: address });
    const pending = await beginEmailLogin(address, { cookie });
    await typeCode(await codeFor(address), pending, cookie);
    expect(await logins()).toEqual([{ user_id: user.id, way: "email" }]);
  });

  test("does not, where another account has logged in in this browser since", async () => {
    const { address, cookie } = await member();
    const pending = await beginEmailLogin(address, { cookie });
    const other = await makeUser({ displayName: "Bea" });
    const later = await makeSession(other);
    const code = await codeFor(address);
    const link = await linkFor(address);
    const before = await logins();
    for (const answer of [
      await typeCode(code, pending, later.cookie),
      await press(link, later.cookie),
    ]) {
      expect([answer.status, sessionOf(answer), pendingOf(answer)]).toEqual([403, "", ""]);
    }
    expect(await logins()).toEqual(before);
  });

  test("does not, once the address is not theirs any more, and no account is made", async () => {
    const { address, cookie, user } = await member();
    const pending = await beginEmailLogin(address, { cookie });
    await removeAddress(db, user.id, Date.now());
    const answer = await typeCode(await codeFor(address), pending, cookie);
    expect([answer.status, sessionOf(answer), pendingOf(answer)]).toEqual([403, "", ""]);
    expect(await answer.text()).toContain("This is another account");
  });

  test("reads how to get an address, if the account has none", async () => {
    const { cookie } = await makeSession(await makeUser());
    const page = await (await request("/login/email", { cookie })).text();
    expect(page).toContain('href="/account"');
    expect((await askForCode(freeAddress(), { cookie })).status).toBe(409);
    expect(await rowsOf("SELECT id FROM mailed_proofs WHERE kind = 'login'")).toEqual([]);
  });
});

describe("who comes back with the same address", () => {
  test("within a day waits until it is over, and a lock follows", async () => {
    const address = freeAddress();
    await logInByMail(address);
    const [{ id }] = (await rowsOf("SELECT id FROM users")) as [{ id: string }];
    const services = { db, billing: stubBilling(), secret, now: Date.now };
    await deleteAccount(services, id);
    await env.DB.prepare(
      `INSERT INTO submission_locks (id, user_id, reason, locked_at)
       SELECT id, NULL, 'Not theirs', left_at FROM departures`,
    ).run();
    await logInByMail(address.toUpperCase());
    const found = await rowsOf(
      `SELECT departures.user_id IS users.id AS left, submission_locks.user_id IS users.id AS locked
       FROM users, departures, submission_locks`,
    );
    expect(found).toEqual([{ left: 1, locked: 1 }]);
  });

  test("is not found by a login that comes to nothing", async () => {
    const address = freeAddress();
    await logInByMail(address);
    const [{ id }] = (await rowsOf("SELECT id FROM users")) as [{ id: string }];
    await deleteAccount({ db, billing: stubBilling(), secret, now: Date.now }, id);
    const other = await makeUser({ ownEmail: "other@mail.example" });
    await env.DB.prepare("UPDATE departures SET user_id = ?").bind(other.id).run();
    const pending = await beginEmailLogin(address);
    const typed = await typeCode(await codeFor(address), pending);
    await giveName("", pendingOf(typed));
    expect(await rowsOf("SELECT user_id FROM departures")).toEqual([{ user_id: other.id }]);
  });
});

test("logins by e-mail and by Spotify of one account stand beside each other", async () => {
  const address = freeAddress();
  await logIn("mara-lind");
  const [{ id }] = (await rowsOf("SELECT id FROM users")) as [TestUser];
  await askToConfirm(id, address);
  const [{ link }] = (await rowsOf("SELECT id AS link FROM mailed_proofs")) as [{ link: string }];
  await confirmAddress(db, await confirmationToken(secret, link), { secret, now: Date.now() });
  await logInByMail(address);
  expect(await rowsOf("SELECT DISTINCT user_id FROM sessions")).toHaveLength(1);
  expect(await rowsOf("SELECT way FROM sessions ORDER BY way")).toEqual([
    { way: "email" },
    { way: "spotify" },
  ]);
});
