/** What comes out of a code or a link: sessions and accounts (rule 41, codes). */

import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { removeAddress } from "~/mailing/address.server";
import { addressFingerprint } from "~/mailing/suppression.server";
import { readConfig } from "~/platform/env";
import { counts, gives, holds, leads, led, unchanged } from "../../support/answers";
import { passTime } from "../../support/clock";
import { insert, makeUser } from "../../support/database/factories";
import { db, row, rows } from "../../support/database/rows";
import { askToConfirm } from "../../support/mails";
import { someone } from "../../support/people";
import { type Browser, browser, browserOf, linkTo } from "../../support/people/logins";
import { freeAddress } from "./email-login-flow";
import { cookieOf } from "./login-flow";

const { sessionSecret: secret } = readConfig(env);
const minute = 60_000;

/** Somebody with a confirmed address, and a browser in which they are logged in. */
async function member(displayName = "Ada", ownEmail = freeAddress()) {
  const user = await someone({ displayName, ownEmail });
  return { user, address: ownEmail, here: await browserOf(user) };
}

/** A browser that has asked for a code of a member's address. */
async function asking(address = freeAddress(), displayName = "Ada") {
  const user = await makeUser({ ownEmail: address, displayName });
  const it = browser();
  await it.asksForCode(address);
  return { ...it, user, address };
}

/** Whose account page a browser opens. */
async function nameIn(it: Browser): Promise<string> {
  return /class="viewer-name"[^>]*>(.*?)<\/bdi>/.exec(await it.reads("/account"))?.[1] ?? "";
}

test("a login by e-mail opens a session without tokens of the account that has confirmed the address", async () => {
  const address = freeAddress();
  const { id } = await makeUser({ ownEmail: address, displayName: "Ada" });
  await makeUser({ email: address });
  const it = browser();
  await leads(it.logsInByMail(address.toUpperCase()), "/");
  const none = { accessToken: null, refreshToken: null, clientId: null };
  expect(await rows("sessions")).toMatchObject([{ userId: id, way: "email", ...none }]);
  expect(await rows("activityLog")).toMatchObject([{ userId: id, kind: "login" }]);
  expect(await nameIn(it)).toBe("Ada");
});

test("nobody comes in by an address that only Spotify has told", async () => {
  const address = freeAddress();
  const { id } = await makeUser({ email: address });
  await browser().logsInByMail(address);
  expect((await row("users", { ownEmail: address })).id).not.toBe(id);
});

test("a login by e-mail replaces the session that its browser had", async () => {
  const { user, link } = await asking();
  const other = await browserOf(await someone());
  const before = other.twin();
  await gives(other.presses(await link()), 303);
  expect(await rows("sessions")).toMatchObject([{ userId: user.id, way: "email" }]);
  expect(await nameIn(before)).toBe("");
});

test.each([
  ["/ratings-of-my-songs?song=s#song-s", "/ratings-of-my-songs?song=s#song-s"],
  ["https://evil.example/account", "/"],
  ["//evil.example/account", "/"],
  ["/logout", "/"],
])("a login by e-mail that begins at %s ends at %s", async (next, where) => {
  const address = freeAddress();
  await makeUser({ ownEmail: address });
  const it = browser();
  const page = await it.reads(`/login/email?next=${encodeURIComponent(next)}`);
  expect(page).toContain(`name="next" value="${where}"`);
  await leads(it.logsInByMail(address, next), where);
});

test("a link asks, and changes nothing until its button is pressed, whatever looks at it", async () => {
  const asked = await asking();
  const link = await asked.link();
  const page = await unchanged(async () => {
    for (const method of ["GET", "HEAD", "GET"]) {
      const headers = { "Sec-Purpose": "prefetch" };
      const response = await browser().gets(link, { method, headers });
      expect([response.status, response.headers.getSetCookie()]).toEqual([200, []]);
    }
    return browser().reads(link);
  });
  expect(page).toContain(asked.address);
  expect(page).not.toContain("<script");
  await leads(browser().presses(link), "/");
  await gives(browser().gets(link), 403);
  await gives(browser().presses(link), 403);
  await counts("sessions", 1);
});

test("a link in a browser in which somebody is logged in says whose address it is, and whose login ends", async () => {
  const { address, link } = await asking();
  const { here } = await member("Somebody Else");
  const page = await here.reads(await link());
  expect(page).toContain(address);
  expect(page).toMatch(/You are logged in here as <bdi>Somebody Else<\/bdi>/);
});

test("a link that is incomplete, altered or signed for something else does not work", async () => {
  const link = await (await asking()).link();
  const [, token = "", id = ""] = /token=(([^.]+)\..*)/.exec(link) ?? [];
  const broken = ["", "?token=", "?token=a", "?token=a.b", "?token=a.b.c"];
  for (const path of [
    ...broken.map((query) => `/login/link${query}`),
    ...[`${link}x`, link.replace(id, id.toUpperCase()), `/confirm-email?token=${token}`],
  ]) {
    expect([path, (await browser().gets(path)).status]).toEqual([path, 403]);
    expect([path, (await browser().presses(path)).status]).toEqual([path, 403]);
  }
});

test("a link pressed where nobody has asked gives the browser that has asked nothing", async () => {
  const asker = browser();
  await asker.asksForCode(freeAddress());
  const reader = browser();
  await leads(reader.presses(await asker.link()), "/login/name");
  // Somebody else had asked, and waits for the reader of the mail to press.
  for (const path of ["/login/name", "/login/code"]) {
    expect([path, (await asker.reads(path)).includes("Artist")]).toEqual([path, false]);
  }
  await gives(asker.givesName("Mallory"), 400);
  await gives(reader.givesName("Ada"), 303);
  await holds("users", { displayName: "Ada" });
});

test("a link pressed ten times at once logs in once", async () => {
  const link = await (await asking()).link();
  const answers = await Promise.all(Array.from({ length: 10 }, () => browser().presses(link)));
  expect(answers.filter(({ status }) => status === 303)).toHaveLength(1);
  await counts("sessions", 1);
});

test("another site cannot log a victim in as somebody else, nor ask for a code in their name", async () => {
  const attacker = await asking();
  const typing = browser();
  await typing.asksForCode(freeAddress());
  for (const [path, form] of [
    ["/login/code", { code: await attacker.code() }],
    [await attacker.link(), { x: "" }],
    ["/login/name", { name: "Mallory" }],
    ["/login/email", { address: attacker.address }],
  ] as const) {
    for (const headers of [
      { Origin: "https://evil.example", "Sec-Fetch-Site": "cross-site" },
      { Origin: "null" },
      { "Sec-Fetch-Site": "cross-site" },
    ]) {
      // The last would need the attacker's own cookie, which no other site can set.
      for (const victim of [browser(), typing, attacker]) {
        const response = await victim.posts(path, { ...form }, { headers });
        expect([path, response.status, response.headers.getSetCookie()]).toEqual([path, 403, []]);
      }
    }
  }
  await counts("sessions", 0);
});

/** A browser that has typed the code of an address that is new. */
async function verified(address = freeAddress()) {
  const it = browser();
  await it.asksForCode(address, "/account");
  await leads(it.types(), "/login/name");
  return { ...it, address };
}

test("the first login by an address asks for a name, and makes an account that has confirmed it", async () => {
  const it = await verified();
  await counts("users", 0);
  expect(await it.reads("/login/name")).toContain(it.address);
  // Who goes back to the code is led to the name again.
  await leads(it.gets("/login/code"), "/login/name", 302);
  await leads(it.givesName("  The\u202e Lanterns "), "/account");
  await holds("users", {
    ...{ displayName: "The Lanterns", ownEmail: it.address, email: null, spotifyId: null },
  });
  await holds("sessions", { way: "email" });
  expect(await nameIn(it)).toBe("The Lanterns");
  // From now on the name is known.
  await leads(browser().logsInByMail(it.address), "/");
  await counts("users", 1);
});

test.each([
  ["", "Enter your artist"],
  [" \u200b", "Enter your artist"],
  ["x".repeat(61), "60 characters at most"],
])("the name %j is refused in a sentence, and kept in the field", async (name, sentence) => {
  const it = await verified();
  const refused = await it.givesName(name);
  const page = await refused.text();
  expect([refused.status, page.includes(sentence)]).toEqual([422, true]);
  expect(page).toContain(`value="${name}"`);
  await counts("users", 0);
  await gives(it.givesName("Ada"), 303);
});

test("a first login in two tabs at once makes one account, and the other tab goes on", async () => {
  const it = await verified();
  const tabs = [it.twin(), it.twin(), it.twin()];
  await Promise.all(tabs.slice(0, 2).map((tab) => tab.givesName("Ada")));
  await leads((await tabs[2]?.givesName("Cara")) as Response, "/account");
  expect(tabs.filter((tab) => tab.isLoggedIn())).toHaveLength(1);
  expect([await rows("users"), await rows("sessions")]).toMatchObject([[{}], [{}]]);
});

test("a first login in two browsers at once makes one account, and leads the other to it", async () => {
  const one = await verified();
  const both = [one, await verified(one.address)];
  const answers = await Promise.all(both.map((it) => it.givesName("Ada")));
  await counts("users", 1);
  const refused = both.filter((it) => !it.isLoggedIn());
  expect(refused).toHaveLength(1);
  expect(answers.map((answer) => led(answer)[1])).toContain("/login/name");
  for (const it of refused) {
    const page = await it.reads("/login/name");
    await it.chooses(/name="user" value="([^"]+)"/.exec(page)?.[1] ?? "");
    expect(it.isLoggedIn()).toBe(true);
  }
});

test("a first login leaves ten minutes for the name", async () => {
  const it = await verified();
  passTime(10 * minute);
  await gives(it.givesName("Ada"), 400);
  await counts("users", 0);
});

test("a first login brings back the mails that its address had unsubscribed from", async () => {
  const address = freeAddress();
  const fingerprint = await addressFingerprint(secret, address);
  await insert("mail_suppressions", { fingerprint, topic: "rating" }).run();
  await browser().logsInByMail(address);
  await counts("mailSuppressions", 0);
});

/** A browser that has typed the code of an address that two accounts have. */
async function choosing() {
  const { user, ...it } = await asking();
  const bea = await makeUser({ ownEmail: it.address.toUpperCase(), displayName: "Bea" });
  await leads(it.types(), "/login/name");
  return { ...it, users: [user, bea], bea };
}

test("an address that two accounts have confirmed asks which it is to be, with ways and since when", async () => {
  const { users, bea, ...it } = await choosing();
  await counts("sessions", 0);
  const page = await it.reads("/login/name");
  for (const { displayName } of users) expect(page).toContain(`<bdi>${displayName}</bdi>`);
  expect(page).toContain("Comes in by Spotify and e-mail, since 15 January 2026.");
  await it.chooses(bea.id);
  expect(await nameIn(it)).toBe("Bea");
  expect(await rows("sessions")).toMatchObject([{ userId: bea.id, way: "email" }]);
});

test("an address that two accounts have lets nobody else in, and makes no third account", async () => {
  const it = await choosing();
  const { id } = await makeUser({ ownEmail: freeAddress() });
  await gives(it.chooses(id), 303);
  await it.givesName("Cara");
  expect(it.isLoggedIn()).toBe(false);
  expect([await rows("sessions"), (await rows("users")).length]).toEqual([[], 3]);
});

test("an address that two accounts have opens one of them, in two tabs at once", async () => {
  const { users, ...it } = await choosing();
  const tabs = [it.twin(), it.twin()];
  await Promise.all(tabs.map((tab, n) => tab.chooses(users[n]?.id ?? "")));
  expect(tabs.filter((tab) => tab.isLoggedIn())).toHaveLength(1);
  await counts("sessions", 1);
});

test("a member who is asked to log in again has their own address, and comes out as themselves", async () => {
  const { address, user, here } = await member();
  // Another account that has the address makes no difference.
  await makeUser({ ownEmail: address });
  const page = await here.reads("/login/email?next=/account");
  expect(page).toContain("Log in again");
  expect(page).toContain(`name="address" value="${address}"`);
  expect(page).not.toContain('type="text"');
  const other = await here.asksForCode(freeAddress());
  expect([other.status, await rows("mailedProofs", { kind: "login" })]).toEqual([409, []]);
  await leads(here.logsInByMail(address, "/account"), "/account");
  expect(await rows("sessions")).toMatchObject([{ userId: user.id, way: "email" }]);
});

/** What an answer gives a browser to come in by. */
function given(answer: Response) {
  const cookies = ["__Host-session", "__Host-email-login"].map((name) => cookieOf(answer, name));
  return [answer.status, ...cookies];
}

test("a member asked to log in again does not where another has logged in in the browser since", async () => {
  const { address, here } = await member();
  await here.asksForCode(address);
  const [later = ""] = (await member("Bea")).here.cookies();
  await unchanged(async () => {
    for (const path of ["/login/code", await here.link()]) {
      const it = browser({ cookies: [...here.cookies(), later] });
      const answer = await it.posts(path, { code: await here.code() });
      expect(given(answer)).toEqual([403, "", ""]);
    }
  }, "sessions");
});

test("a member asked to log in again does not once the address is not theirs any more, and no account is made", async () => {
  const { address, here, user } = await member();
  await here.asksForCode(address);
  await removeAddress(db, user.id, Date.now());
  const answer = await here.types();
  expect(given(answer)).toEqual([403, "", ""]);
  expect(await answer.text()).toContain("This is another account");
  await counts("users", 1);
});

test("a member asked to log in again who has no address reads how to get one", async () => {
  const here = await browserOf(await someone());
  expect(await here.reads("/login/email")).toContain('href="/account"');
  await gives(here.asksForCode(freeAddress()), 409);
  await counts("mailedProofs", 0, { kind: "login" });
});

test("who comes back with the same address is found by it, with a lock, but not by a login that comes to nothing", async () => {
  const address = freeAddress();
  await browser().logsInByMail(address);
  await (await someone({ user: await row("users") })).at(Date.now()).leaves();
  const { id, leftAt } = await row("departures");
  await insert("submission_locks", { id, reason: "Not theirs", locked_at: leftAt }).run();
  const it = await verified(address.toUpperCase());
  await it.givesName("");
  await holds("departures", { userId: null });
  await it.givesName("Ada");
  const userId = (await row("users")).id;
  await holds("departures", { userId });
  await holds("submissionLocks", { userId });
});

test("logins by e-mail and by Spotify of one account stand beside each other", async () => {
  const address = freeAddress();
  await browser().logsIn("mara-lind");
  const { id } = await row("users");
  await askToConfirm(id, address);
  await browser().presses(await linkTo(address));
  await browser().logsInByMail(address);
  const sessions = await rows("sessions", { userId: id });
  expect(sessions.map(({ way }) => way).sort()).toEqual(["email", "spotify"]);
});
