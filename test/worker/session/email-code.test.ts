/** Codes that are mailed: asking for them, and typing them (rule 41, codes). */
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { codeMs } from "~/login/login-code";
import { counts, gives, holds, leads, led } from "../../support/answers";
import { passTime } from "../../support/clock";
import { contents } from "../../support/database/contents";
import { countingDatabase } from "../../support/database/counting-database";
import { makeUser } from "../../support/database/factories";
import { row, rows } from "../../support/database/rows";
import { type Browser, browser } from "../../support/people/logins";
import { freeAddress } from "./email-login-flow";
import { setCookieOf } from "./login-flow";

const typedAt: ReturnType<typeof led> = [303, "/login/code"];

/** A browser that has asked for a code, of a member unless told otherwise. */
async function asking({ address = freeAddress(), from = "", isMember = true } = {}) {
  const user = isMember ? await makeUser({ ownEmail: address }) : null;
  const asked = browser({ from });
  expect(led(await asked.asksForCode(address))).toEqual(typedAt);
  return { ...asked, address, user, page: () => asked.reads("/login/code") };
}

test("asking for a code mails one to the address as it was typed, and leads to where it is entered, with a cookie for ten minutes", async () => {
  const address = freeAddress().replace("@", "+Tag.One@");
  const it = browser();
  const response = await it.asksForCode(` <${address}>, `);
  await holds("mailedProofs", { kind: "login", address });
  expect(led(response)).toEqual(typedAt);
  expect(setCookieOf(response, "__Host-email-login")).toContain("; Max-Age=600;");
  const page = await it.reads("/login/code");
  expect(page).toContain(address);
  expect(page).toContain("It works for 10 minutes");
  expect(page).toMatch(
    /<input[^>]*inputMode="numeric"[^>]*autoComplete="one-time-code"[^>]*maxLength="40"/,
  );
});

test("neither code nor link is kept in the database, nor in the cookie", async () => {
  const it = await asking();
  const kept = JSON.stringify(await contents());
  expect(kept).not.toContain(`"${await it.code()}"`);
  expect(kept).not.toContain((await it.link()).split(".").at(-1));
  const [payload = ""] = decodeURIComponent(it.cookie("email-login")).split(".");
  expect(JSON.parse(atob(payload))).toEqual({
    code: (await row("mailedProofs", { kind: "login" })).id,
  });
});

test("a known and an unknown address are answered alike, in all that can be seen", async () => {
  const known = freeAddress();
  await makeUser({ ownEmail: known });
  const answers = [];
  for (const address of [known, freeAddress()]) {
    const { binding, roundTrips, statements } = countingDatabase(env.DB);
    const it = browser({ bindings: { ...env, DB: binding } });
    const answer = await it.asksForCode(address);
    const cookies = answer.headers.getSetCookie().map((one) => one.replace(/=[^;]*/, ""));
    const seen = { trips: roundTrips(), statements: statements.map(({ sql }) => sql) };
    const mail = { kind: "login_code", userId: null, state: "pending" };
    expect(
      await rows("outbox", {
        subjectId: (await rows("mailedProofs", { kind: "login", address }))[0]?.id ?? "",
      }),
    ).toMatchObject([mail]);
    const page = (await it.twin().reads("/login/code")).replaceAll(address, "address");
    answers.push([led(answer), [...answer.headers.keys()].sort(), cookies, seen, page]);
  }
  expect(answers[0]).toEqual(answers[1]);
  await counts("outbox", 2);
});

test.each(["", "ada", "ada@", "a@mail.example, b@mail.example", "ada@mail"])(
  "asking with %j says what is wrong, and keeps it in the field",
  async (entered) => {
    const response = await browser().posts("/login/email", { address: entered, next: "/account" });
    const page = await response.text();
    expect([response.status, await rows("mailedProofs")]).toEqual([422, []]);
    expect(page).toMatch(/<p class="field-error"[^>]*>[A-Z].*\.<\/p>/);
    expect(page).toContain(`value="${entered}"`);
    expect(page).toContain('name="next" value="/account"');
  },
);

test("asking again in a browser ends its earlier code and that one's link", async () => {
  const first = await asking();
  const second = first.twin();
  await second.asksForCode(first.address.toUpperCase());
  expect(await first.comesIn()).toBe(false);
  const link = await first.link();
  await gives(browser().gets(link), 403);
  await gives(browser().presses(link), 403);
  expect(await first.page()).toContain("A newer code was asked for");
  expect(await second.reads("/login/code")).toContain("Code of six digits");
});

test("asking several times at once in one browser leaves one code that works", async () => {
  const it = await asking();
  const twins = [it, it.twin(), it.twin(), it.twin()];
  await Promise.all(twins.slice(1).map((twin) => twin.asksForCode(it.address)));
  const pages = await Promise.all(twins.map((twin) => twin.reads("/login/code")));
  expect(pages.filter((page) => page.includes("Code of six digits"))).toHaveLength(1);
});

test("asking ends no other browser's code, in whatever order they ask", async () => {
  const before = await asking({ from: "203.0.113.1" });
  const { address } = before;
  const owners = await asking({ address, from: "198.51.100.1", isMember: false });
  const after = await asking({ address, from: "203.0.113.2", isMember: false });
  for (const other of [before, after]) expect(await other.comesIn(await owners.code())).toBe(false);
  expect(await owners.page()).toContain("Code of six digits");
  await gives(browser().gets(await owners.link()), 200);
  expect(await owners.comesIn()).toBe(true);
});

test.each<[string, (code: string) => string]>([
  ["as it is", (code) => code],
  ["in two groups", (code) => `${code.slice(0, 3)} ${code.slice(3)}`],
  [
    "in full-width digits",
    (code) => code.replace(/./g, (digit) => String.fromCharCode(0xff10 + Number(digit))),
  ],
])("a code typed %s logs in", async (_, write) => {
  const { address } = await asking();
  const it = browser();
  await it.asksForCode(address, "/account");
  const response = await it.types(write(await it.code()));
  await leads(response, "/account");
  await gives(it.gets("/account"), 200);
  expect(setCookieOf(response, "__Host-email-login")).toMatch(/Expires=Thu, 01 Jan 1970/);
});

test("what has not six digits is no try", async () => {
  const it = await asking();
  for (const typed of ["", "12345", "1234567", "code"]) {
    const response = await it.types(typed);
    expect(response.status).toBe(422);
    expect(await response.text()).toContain("A code has six digits.");
  }
  await holds("mailedProofs", { wrongTries: 0 }, { kind: "login" });
});

test("a wrong code says how many tries are left, and after five the right one is refused", async () => {
  const it = await asking();
  for (const [n, code] of (await it.wrongCodes(5)).entries()) {
    expect(await it.comesIn(code)).toBe(false);
    const left = ["4 tries", "3 tries", "2 tries", "one try"][n];
    expect(await it.page()).toContain(left ? `${left} left` : "so this one has ended");
  }
  expect(await it.comesIn()).toBe(false);
  // Who has the mail comes in by its link.
  await gives(browser().presses(await it.link()), 303);
});

test("a code works for ten minutes", async () => {
  const late = await asking();
  passTime(codeMs);
  expect(await late.comesIn()).toBe(false);
  expect(await late.page()).toContain("This code has expired.");
  await gives(browser().presses(await late.link()), 403);
  const soon = await asking({ address: late.address, isMember: false });
  passTime(codeMs - 2000);
  expect(await soon.page()).toContain("It works for 1 minute");
  expect(await soon.comesIn()).toBe(true);
});

test("a code works once, however often its cookie is sent again", async () => {
  const it = await asking();
  const twins = [1, 2, 3, 4].map(() => it.twin());
  const answers = await Promise.all(twins.map((twin) => twin.comesIn()));
  expect(answers.filter(Boolean)).toHaveLength(1);
  expect(await it.twin().comesIn()).toBe(false);
  const page = await it.page();
  expect(page).toContain("This code has been used already.");
  expect(page).not.toContain("you are logged in");
  expect(page).toContain("Send another");
  await holds("sessions", { way: "email" });
  // Where it has logged somebody in, it leads on.
  const inside = twins.find((twin) => twin.isLoggedIn()) as Browser;
  const again = browser({ cookies: [...inside.cookies(), ...it.cookies()] });
  await leads(again.gets("/login/code"), "/", 302);
});

test("a code works once after its link was pressed elsewhere, which its page says", async () => {
  const it = await asking();
  // As a program does that looks through mails.
  await gives(browser().presses(await it.link()), 303);
  const page = await it.page();
  expect(page).toContain("The link in this e-mail was opened elsewhere");
  expect(page).toContain("Code of six digits");
  expect(page).toContain("Send another");
  const twins = [1, 2, 3].map(() => it.twin());
  const answers = await Promise.all(twins.map((twin) => twin.comesIn()));
  expect(answers.filter(Boolean)).toHaveLength(1);
  await counts("sessions", 2, { userId: it.user?.id ?? "" });
  // Its reader sees the other login, and can end it.
  const inside = twins.find((twin) => twin.isLoggedIn()) as Browser;
  expect(await inside.reads("/account")).toContain('action="/account/sessions/end"');
});

test("a code that was typed ends its link, which pressed first does not end the code", async () => {
  const it = await asking();
  expect(await it.comesIn()).toBe(true);
  await gives(browser().gets(await it.link()), 403);
  await gives(browser().presses(await it.link()), 403);

  const other = await asking({ address: it.address, isMember: false });
  const link = await other.link();
  const [one, two] = [browser(), browser()];
  const both = [one.presses(link), other.comesIn(), two.presses(link)];
  expect((await Promise.all(both))[1]).toBe(true);
  // One of them more if it was the first of the three.
  expect([one, two].filter((pressed) => pressed.isLoggedIn()).length).toBeLessThan(2);
  await gives(browser().presses(link), 403);
});

test("a code whose link was pressed takes five wrong ones, and then says that it is over", async () => {
  const it = await asking();
  await browser().presses(await it.link());
  for (const wrong of await it.wrongCodes(5)) await it.types(wrong);
  const page = await it.page();
  expect(page).toContain("the link in the e-mail was used, so this one has ended");
  expect(page).toContain("Send another");
  expect(await it.comesIn()).toBe(false);
});

test("a new address's code makes an account after its link was pressed elsewhere", async () => {
  const it = await asking({ isMember: false });
  await browser().presses(await it.link());
  await leads(it.types(), "/login/name");
  await it.givesName("Ada");
  expect(it.isLoggedIn()).toBe(true);
});

test("the database refuses a code that is over", async () => {
  await asking();
  const late = env.DB.prepare(
    `INSERT INTO login_grants (code_id, "by", verified_at, ticket)
     SELECT id, 'code', expires_at, 't' FROM mailed_proofs`,
  );
  await expect(late.run()).rejects.toThrow("the code is over");
});

test("a code is refused in a browser that has not asked for it, or whose cookie was altered", async () => {
  const it = await asking();
  const code = await it.code();
  const [cookie = ""] = it.cookies();
  expect(await (await asking()).comesIn(code)).toBe(false);
  for (const altered of [
    "",
    cookie.replace(/=(.)/, (_, first) => `=${first === "e" ? "f" : "e"}`),
    cookie.replace(/\..*/, ".no-signature-at-all"),
    cookie.replace(/%3D|\..*/, ""),
  ]) {
    const other = () => browser({ cookies: [altered] });
    expect(await other().comesIn(code)).toBe(false);
    await gives(other().gets("/login/code"), 400);
  }
  await counts("sessions", 0);
});
