/** Codes that are mailed: asking for them, trying them, and their limits (rule 41). */
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { codeMs } from "~/login/login-code";
import { passTime } from "../../support/clock";
import { contents, rowsOf } from "../../support/database/contents";
import { countingDatabase } from "../../support/database/counting-database";
import { makeUser } from "../../support/database/factories";
import { request } from "../../support/request";
import {
  askForCode,
  beginEmailLogin,
  codeFor,
  codeIn,
  freeAddress,
  giveName,
  linkFor,
  linkIn,
  pendingOf,
  press,
  sessionOf,
  typeCode,
  wrongCodes,
} from "./email-login-flow";
import { setCookieOf } from "./login-flow";

const minute = 60_000;
const hour = 60 * minute;

/** What the page that asks for the code says. */
async function pageFor(pending: string): Promise<string> {
  return (await request("/login/code", { cookie: pending })).text();
}

function isIn({ status, headers }: Response): boolean {
  return status === 303 && headers.get("Location") !== "/login/code";
}

describe("asking for a code", () => {
  test("leads to where it is typed, with a cookie that scripts and other sites cannot use", async () => {
    const address = freeAddress();
    const response = await askForCode(` <${address}>, `);
    expect([response.status, response.headers.get("Location")]).toEqual([303, "/login/code"]);
    const header = setCookieOf(response, "__Host-email-login");
    for (const attribute of ["HttpOnly", "Secure", "SameSite=Lax", "Path=/", "Max-Age=600"]) {
      expect(header.split("; ")).toContain(attribute);
    }
    expect(header).not.toContain("Domain");
    const page = await pageFor(pendingOf(response));
    expect(page).toContain(address);
    expect(page).toContain("It works for 10 minutes");
    expect(page).toMatch(
      /<input[^>]*inputMode="numeric"[^>]*autoComplete="one-time-code"[^>]*maxLength="40"/,
    );
  });

  test("keeps neither code nor link in the database, nor in the cookie", async () => {
    const address = freeAddress();
    const response = await askForCode(address);
    const [code, link] = [await codeFor(address), await linkFor(address)];
    const kept = JSON.stringify(await contents());
    expect(kept).not.toContain(`"${code}"`);
    expect(kept).not.toContain(link.split(".").at(-1));
    const cookie = decodeURIComponent(pendingOf(response));
    const [, payload = ""] = /=([^.]+)\./.exec(cookie) ?? [];
    const [{ id }] = (await rowsOf("SELECT id FROM mailed_proofs")) as [{ id: string }];
    expect(JSON.parse(atob(payload))).toEqual({ code: id });
  });

  test("is answered alike for a known and an unknown address, in all that can be seen", async () => {
    const known = freeAddress();
    await makeUser({ ownEmail: known });
    const answers = [];
    for (const address of [known, freeAddress()]) {
      const counting = countingDatabase(env.DB);
      const bindings = { ...env, DB: counting.binding };
      const { status, headers } = await request("/login/email", { form: { address }, bindings });
      const page = await pageFor(pendingOf({ headers } as Response));
      const names = [...headers.keys()].sort();
      const cookies = headers.getSetCookie().map((one) => one.replace(/=[^;]*/, ""));
      answers.push({
        ...{ status, names, cookies, location: headers.get("Location") },
        trips: counting.roundTrips(),
        statements: counting.statements.map(({ sql }) => sql),
        page: page.replaceAll(address, "address"),
        mails: await rowsOf("SELECT kind, user_id, state FROM outbox"),
      });
      await env.DB.prepare("DELETE FROM outbox").run();
    }
    expect(answers[0]).toEqual(answers[1]);
    expect(answers[0]?.mails).toEqual([{ kind: "login_code", user_id: null, state: "pending" }]);
  });

  test.each(["", "ada", "ada@", "a@mail.example, b@mail.example", "ada@mail"])(
    "with %j says what is wrong, and keeps it in the field",
    async (entered) => {
      const response = await askForCode(entered, { next: "/account" });
      const page = await response.text();
      expect([response.status, await rowsOf("SELECT id FROM mailed_proofs")]).toEqual([422, []]);
      expect(page).toMatch(/<p class="field-error"[^>]*>[A-Z].*\.<\/p>/);
      expect(page).toContain(`value="${entered}"`);
      expect(page).toContain('name="next" value="/account"');
    },
  );

  test("again ends the earlier code and its link", async () => {
    const address = freeAddress();
    const first = await beginEmailLogin(address);
    const [code, link] = [await codeFor(address), await linkFor(address)];
    const second = await beginEmailLogin(address.toUpperCase(), { cookie: first });
    expect(isIn(await typeCode(code, first))).toBe(false);
    expect((await request(link)).status).toBe(403);
    expect((await press(link)).status).toBe(403);
    expect(await pageFor(first)).toContain("A newer code was asked for");
    expect(await pageFor(second)).toContain("Code of six digits");
  });

  test("several times at once in one browser leaves one code that works", async () => {
    const address = freeAddress();
    const cookie = await beginEmailLogin(address);
    const asked = [1, 2, 3].map(() => beginEmailLogin(address, { cookie }));
    const pages = await Promise.all([cookie, ...(await Promise.all(asked))].map(pageFor));
    expect(pages.filter((page) => page.includes("Code of six digits"))).toHaveLength(1);
  });

  test("by somebody else ends nothing: each browser has its own code, in whatever order they ask", async () => {
    const address = freeAddress();
    await makeUser({ ownEmail: address });
    const before = await beginEmailLogin(address, { from: "203.0.113.1" });
    const owners = await beginEmailLogin(address, { from: "198.51.100.1" });
    const after = await beginEmailLogin(address, { from: "203.0.113.2" });
    for (const pending of [before, after]) {
      expect(isIn(await typeCode(await codeIn(owners), pending))).toBe(false);
    }
    expect(await pageFor(owners)).toContain("Code of six digits");
    expect(await request(await linkIn(owners))).toHaveProperty("status", 200);
    expect(isIn(await typeCode(await codeIn(owners), owners))).toBe(true);
  });

  test("is mailed to the address as it was typed", async () => {
    const address = freeAddress().replace("@", "+Tag.One@");
    await beginEmailLogin(address);
    expect(await rowsOf("SELECT address FROM mailed_proofs")).toEqual([{ address }]);
  });
});

describe("a code typed", () => {
  test.each<[string, (code: string) => string]>([
    ["as it is", (code) => code],
    ["in two groups", (code) => `${code.slice(0, 3)} ${code.slice(3)}`],
    [
      "in full-width digits",
      (code) => code.replace(/./g, (digit) => String.fromCharCode(0xff10 + Number(digit))),
    ],
  ])("%s logs in", async (_, write) => {
    const address = freeAddress();
    await makeUser({ ownEmail: address });
    const pending = await beginEmailLogin(address, { next: "/account" });
    const response = await typeCode(write(await codeFor(address)), pending);
    expect([response.status, response.headers.get("Location")]).toEqual([303, "/account"]);
    expect((await request("/account", { cookie: sessionOf(response) })).status).toBe(200);
    expect(setCookieOf(response, "__Host-email-login")).toMatch(/Expires=Thu, 01 Jan 1970/);
  });

  test("that has not six digits is no try", async () => {
    const pending = await beginEmailLogin(freeAddress());
    for (const typed of ["", "12345", "1234567", "code"]) {
      const response = await typeCode(typed, pending);
      expect(response.status).toBe(422);
      expect(await response.text()).toContain("A code has six digits.");
    }
    expect(await rowsOf("SELECT wrong_tries FROM mailed_proofs WHERE kind = 'login'")).toEqual([
      { wrong_tries: 0 },
    ]);
  });

  test("that is wrong says how many tries are left, and after five the right one is refused", async () => {
    const address = freeAddress();
    await makeUser({ ownEmail: address });
    const pending = await beginEmailLogin(address);
    const wrong = await wrongCodes(address, 5);
    for (const [n, code] of wrong.entries()) {
      expect(isIn(await typeCode(code, pending))).toBe(false);
      const left = ["4 tries", "3 tries", "2 tries", "one try"][n];
      expect(await pageFor(pending)).toContain(left ? `${left} left` : "so this one has ended");
    }
    expect(isIn(await typeCode(await codeFor(address), pending))).toBe(false);
    // Who has the mail comes in by its link.
    expect(isIn(await press(await linkFor(address)))).toBe(true);
  });

  test("works for ten minutes", async () => {
    const address = freeAddress();
    await makeUser({ ownEmail: address });
    const late = await beginEmailLogin(address);
    const [code, link] = [await codeFor(address), await linkFor(address)];
    passTime(codeMs);
    expect(isIn(await typeCode(code, late))).toBe(false);
    expect(await pageFor(late)).toContain("This code has expired.");
    expect((await press(link)).status).toBe(403);

    const soon = await beginEmailLogin(address);
    passTime(codeMs - 2000);
    expect(await pageFor(soon)).toContain("It works for 1 minute");
    expect(isIn(await typeCode(await codeFor(address), soon))).toBe(true);
  });

  test("works once, however often its cookie is sent again", async () => {
    const address = freeAddress();
    await makeUser({ ownEmail: address });
    const pending = await beginEmailLogin(address);
    const code = await codeFor(address);
    const answers = await Promise.all([1, 2, 3, 4].map(() => typeCode(code, pending)));
    expect(answers.filter(isIn)).toHaveLength(1);
    expect(isIn(await typeCode(code, pending))).toBe(false);
    const page = await pageFor(pending);
    expect(page).toContain("This code has been used already.");
    expect(page).not.toContain("you are logged in");
    expect(page).toContain("Send another");
    expect(await rowsOf("SELECT way FROM sessions")).toEqual([{ way: "email" }]);
    // Where it has logged somebody in, it leads on.
    const { headers, status } = await request("/login/code", {
      cookie: `${pending}; ${answers.map(sessionOf).find(Boolean)}`,
    });
    expect([status, headers.get("Location")]).toEqual([302, "/"]);
  });

  test("works after its link was pressed elsewhere, which its page says, once", async () => {
    const address = freeAddress();
    const { id } = await makeUser({ ownEmail: address });
    const pending = await beginEmailLogin(address);
    // As a program does that looks through mails.
    const scanners = await press(await linkIn(pending));
    expect(isIn(scanners)).toBe(true);
    const page = await pageFor(pending);
    expect(page).toContain("The link in this e-mail was opened elsewhere");
    expect(page).toContain("Code of six digits");
    expect(page).toContain("Send another");
    const answers = await Promise.all(
      [1, 2, 3].map(async () => typeCode(await codeIn(pending), pending)),
    );
    expect(answers.filter(isIn)).toHaveLength(1);
    expect(await rowsOf("SELECT user_id FROM sessions")).toEqual([
      { user_id: id },
      { user_id: id },
    ]);
    // Its reader sees the other login, and can end it.
    const session = answers.map(sessionOf).find(Boolean) ?? "";
    const account = await (await request("/account", { cookie: session })).text();
    expect(account).toContain('action="/account/sessions/end"');
  });

  test("ends the link, which pressed first does not end it", async () => {
    const address = freeAddress();
    await makeUser({ ownEmail: address });
    const pending = await beginEmailLogin(address);
    expect(isIn(await typeCode(await codeIn(pending), pending))).toBe(true);
    expect((await request(await linkIn(pending))).status).toBe(403);
    expect((await press(await linkIn(pending))).status).toBe(403);

    const other = await beginEmailLogin(address);
    const [link, code] = [await linkIn(other), await codeIn(other)];
    const both = await Promise.all([press(link), typeCode(code, other), press(link)]);
    const sessions = both.filter((one) => sessionOf(one) !== "").length;
    expect(isIn(both[1] as Response)).toBe(true);
    // One more if the link was the first of them.
    expect([1, 2]).toContain(sessions);
    expect((await press(link)).status).toBe(403);
  });

  test("after its link was pressed elsewhere still takes five wrong ones, and then says that it is over", async () => {
    const address = freeAddress();
    await makeUser({ ownEmail: address });
    const pending = await beginEmailLogin(address);
    await press(await linkIn(pending));
    for (const wrong of await wrongCodes(address, 5)) await typeCode(wrong, pending);
    const page = await pageFor(pending);
    expect(page).toContain("the link in the e-mail was used, so this one has ended");
    expect(page).toContain("Send another");
    expect(isIn(await typeCode(await codeIn(pending), pending))).toBe(false);
  });

  test("of a new address makes an account after its link was pressed elsewhere", async () => {
    const pending = await beginEmailLogin(freeAddress());
    await press(await linkIn(pending));
    const typed = await typeCode(await codeIn(pending), pending);
    expect(typed.headers.get("Location")).toBe("/login/name");
    expect(sessionOf(await giveName("Ada", pendingOf(typed)))).not.toBe("");
  });

  test("is refused by the database once it is over", async () => {
    await beginEmailLogin(freeAddress());
    const late = env.DB.prepare(
      `INSERT INTO login_grants (code_id, "by", verified_at, ticket)
       SELECT id, 'code', expires_at, 't' FROM mailed_proofs`,
    );
    await expect(late.run()).rejects.toThrow("the code is over");
  });

  test("in a browser that has not asked for it is refused", async () => {
    const address = freeAddress();
    await makeUser({ ownEmail: address });
    await beginEmailLogin(address);
    const other = await beginEmailLogin(freeAddress());
    for (const cookie of ["", other]) {
      expect(isIn(await typeCode(await codeFor(address), cookie))).toBe(false);
    }
    expect((await request("/login/code")).status).toBe(400);
  });

  test("with an altered cookie is refused", async () => {
    const address = freeAddress();
    await makeUser({ ownEmail: address });
    const pending = await beginEmailLogin(address);
    const code = await codeFor(address);
    const altered = [
      pending.replace(/=(.)/, (_, first) => `=${first === "e" ? "f" : "e"}`),
      pending.replace(/\..*/, ".no-signature-at-all"),
      pending.replace(/%3D|\..*/, ""),
    ];
    for (const cookie of altered) {
      expect(isIn(await typeCode(code, cookie))).toBe(false);
      expect((await request("/login/code", { cookie })).status).toBe(400);
    }
    expect(await rowsOf("SELECT id FROM sessions")).toEqual([]);
  });
});

describe("guessing", () => {
  test("in parallel, by one cookie sent again and again, has five tries", async () => {
    const address = freeAddress();
    await makeUser({ ownEmail: address });
    const pending = await beginEmailLogin(address);
    const wrong = await wrongCodes(address, 24);
    await Promise.all(wrong.map((code) => typeCode(code, pending)));
    expect(await rowsOf("SELECT wrong_tries FROM mailed_proofs WHERE kind = 'login'")).toEqual([
      { wrong_tries: 5 },
    ]);
    expect(isIn(await typeCode(await codeFor(address), pending))).toBe(false);
  });

  test("over many codes and places has thirty tries a day; the link works all the same", async () => {
    const address = freeAddress();
    await makeUser({ ownEmail: address });
    for (let n = 0; n < 7; n += 1) {
      const pending = await beginEmailLogin(address, { from: `192.0.2.${n}` });
      const wrong = await wrongCodes(address, 5);
      await Promise.all(wrong.map((code) => typeCode(code, pending)));
    }
    expect(await rowsOf("SELECT sum(wrong_tries) AS tries FROM mailed_proofs")).toEqual([
      { tries: 30 },
    ]);
    const owners = await beginEmailLogin(address, { from: "198.51.100.1" });
    expect(isIn(await typeCode(await codeFor(address), owners))).toBe(false);
    expect(await pageFor(owners)).toContain("Please open the link in the e-mail");
    expect(isIn(await press(await linkFor(address), owners))).toBe(true);

    // For others, and on the next day, codes work.
    const other = freeAddress();
    const pending = await beginEmailLogin(other);
    expect(isIn(await typeCode(await codeFor(other), pending))).toBe(true);
    passTime(24 * hour);
    const next = await beginEmailLogin(address);
    expect(isIn(await typeCode(await codeFor(address), next))).toBe(true);
  });

  test.each([
    ["in one place", (_: number) => "192.0.2.1", 25],
    ["in the places of one network", (n: number) => `2001:db8:1:${n}00::1`, 40],
  ])(
    "by codes that were asked for %s ends those of everybody nowhere else",
    async (_, place, most) => {
      const owner = freeAddress();
      await makeUser({ ownEmail: owner });
      for (let n = 0; n < 10; n += 1) {
        const address = freeAddress();
        const pending = await beginEmailLogin(address, { from: place(n) });
        for (const wrong of await wrongCodes(address, 5)) await typeCode(wrong, pending);
      }
      expect(await rowsOf("SELECT sum(wrong_tries) AS tries FROM mailed_proofs")).toEqual([
        { tries: most },
      ]);
      const there = await beginEmailLogin(owner, { from: place(0) });
      expect(await pageFor(there)).toContain("Please open the link in the e-mail");
      const elsewhere = await beginEmailLogin(owner, { from: "198.51.100.1" });
      expect(isIn(await typeCode(await codeIn(elsewhere), elsewhere))).toBe(true);
    },
  );

  test("over all mailboxes together has a hundred tries a day and one for every fifty members", async () => {
    const address = freeAddress();
    await makeUser({ ownEmail: address });
    const pending = await beginEmailLogin(address);
    const counted = () => rowsOf("SELECT count FROM daily_counts WHERE name = 'login_code_wrong'");
    const [wrong = "", another = ""] = await wrongCodes(address, 2);
    await typeCode(wrong, pending);
    expect(await counted()).toEqual([{ count: 1 }]);
    await env.DB.prepare("UPDATE daily_counts SET count = 100").run();
    await typeCode(another, pending);
    expect(await counted()).toEqual([{ count: 100 }]);
    expect(await pageFor(pending)).toContain("Please open the link in the e-mail");
    expect(isIn(await typeCode(await codeIn(pending), pending))).toBe(false);
    expect(isIn(await press(await linkIn(pending)))).toBe(true);

    await env.DB.prepare("UPDATE users SET rowid = 50").run();
    const next = await beginEmailLogin(address);
    expect(isIn(await typeCode(await codeIn(next), next))).toBe(true);
  });

  test("the day's tries are not given back by those that were right", async () => {
    const address = freeAddress();
    await makeUser({ ownEmail: address });
    const pending = await beginEmailLogin(address);
    const [wrong = ""] = await wrongCodes(address, 1);
    await typeCode(wrong, pending);
    await typeCode(await codeFor(address), pending);
    expect(await rowsOf("SELECT wrong_tries FROM mailed_proofs WHERE kind = 'login'")).toEqual([
      { wrong_tries: 1 },
    ]);
  });
});

/** Asks so often, and returns how many codes were mailed and what the first refusal says. */
async function askTimes(count: number, ask: (n: number) => Promise<Response>) {
  let mailed = 0;
  let refusal = "";
  for (let n = 0; n < count; n += 1) {
    const response = await ask(n);
    if (response.status === 303) mailed += 1;
    else {
      expect([response.status, Number(response.headers.get("Retry-After")) > 0]).toEqual([
        429,
        true,
      ]);
      const [, text = ""] = /role="alert">(.*?)<\/p>/.exec(await response.text()) ?? [];
      refusal ||= text;
    }
  }
  return { mailed, refusal };
}

describe("codes are limited", () => {
  test("for an address from one place, to four an hour, and says when to ask again", async () => {
    const address = freeAddress();
    const from = "203.0.113.7";
    const spelled = [address, address.toUpperCase(), `Ada <${address}>`, `mailto:${address}`];
    const asked = await askTimes(7, (n) => askForCode(spelled[n % 4] ?? "", { from }));
    expect(asked).toEqual({
      mailed: 4,
      refusal: "That is as many codes as we can send for now. Please ask again in 1 hour.",
    });
    passTime(20 * minute);
    const page = await (await askForCode(address, { from })).text();
    expect(page).toContain("Please ask again in 40 minutes.");
    // Its owner is elsewhere, and gets one all the same.
    expect((await askForCode(address, { from: "203.0.113.8" })).status).toBe(303);
    passTime(41 * minute);
    expect((await askForCode(address, { from })).status).toBe(303);
  });

  test.each([
    ["tags", (n: number) => `ada+${n}@mail.example`],
    [
      "dots, where the host ignores them",
      (n: number) => `${["ada", "a.da", "ad.a", "a.d.a"][n % 4]}@gmail.com`,
    ],
    ["both", (n: number) => `a.d.a.m+${n}@${n % 2 ? "googlemail" : "gmail"}.com`],
  ])("for a mailbox, whatever its %s", async (_, address) => {
    const from = "203.0.113.7";
    const asked = await askTimes(30, (n) => askForCode(address(n), { from }));
    expect(asked.mailed).toBe(4);
    expect((await askForCode("bea+1@mail.example", { from })).status).toBe(303);
  });

  test("for a mailbox from the places around one, a little further than from one", async () => {
    const address = freeAddress();
    const asked = await askTimes(12, (n) =>
      askForCode(address, { from: `2001:db8:1:${n.toString(16)}00::1` }),
    );
    expect(asked.mailed).toBe(6);
    expect((await askForCode(address, { from: "2001:db8:2::1" })).status).toBe(303);
  });

  test("for an address from one place, to twelve a day, which leaves its owner most of a day's", async () => {
    const address = freeAddress();
    let mailed = 0;
    for (let n = 0; n < 8; n += 1) {
      mailed += (await askTimes(4, () => askForCode(address, { from: "203.0.113.7" }))).mailed;
      passTime(hour + 1000);
    }
    expect(mailed).toBe(12);
    expect((await askForCode(address, { from: "203.0.113.8" })).status).toBe(303);
  });

  test("for an address from all places together, however many ask at once", async () => {
    const address = freeAddress();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => askForCode(address, { from: `203.0.113.${n}` })),
    );
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(12);
    expect(await rowsOf("SELECT count(*) AS mails FROM outbox")).toEqual([{ mails: 12 }]);
    passTime(hour + 1000);
    expect((await askForCode(address, { from: "203.0.113.99" })).status).toBe(303);
  });

  test("for an address from all places together, to forty a day", async () => {
    const address = freeAddress();
    const mailed = [];
    for (const hours of [0, 1, 2, 3, 4]) {
      const ask = (n: number) => askForCode(address, { from: `203.0.113.${hours * 12 + n}` });
      mailed.push((await askTimes(12, ask)).mailed);
      passTime(hour + 1000);
    }
    expect(mailed).toEqual([12, 12, 12, 4, 0]);
    passTime(19 * hour);
    expect((await askForCode(address, { from: "198.51.100.1" })).status).toBe(303);
  });

  test.each([
    ["an IPv4 address", (_: number) => "192.0.2.1", 30],
    ["an IPv4 address, also as IPv6", (n: number) => (n % 2 ? "192.0.2.1" : "::ffff:c000:201"), 30],
    ["a /64", (n: number) => `2001:db8::${n.toString(16)}`, 30],
    ["the /64s of a /56", (n: number) => `2001:db8:1:${n.toString(16)}::1`, 36],
    ["the /64s of a /48", (n: number) => `2001:db8:1:${(n * 256).toString(16)}::1`, 42],
  ])("a day for %s, whatever the addresses", async (_, from, most) => {
    let mailed = 0;
    // An hour has room for forty, wherever they come from.
    for (const part of [30, 16]) {
      const first = mailed;
      mailed += (await askTimes(part, (n) => askForCode(freeAddress(), { from: from(first + n) })))
        .mailed;
      passTime(hour + 1000);
    }
    expect(mailed).toBe(most);
    expect((await askForCode(freeAddress(), { from: "2001:db8:2::1" })).status).toBe(303);
  });

  test("for one place, whatever the addresses, known or not; the half of an IPv6 address is one", async () => {
    const asked = await askTimes(33, (n) =>
      askForCode(freeAddress(), { from: `2001:db8:1:2:${n.toString(16)}::1` }),
    );
    expect(asked.mailed).toBe(30);
    const known = freeAddress();
    await makeUser({ ownEmail: known });
    const from = "2001:db8:1:2::abcd";
    const refusals = [];
    for (const address of [known, freeAddress()]) {
      const response = await askForCode(address, { from });
      refusals.push([response.status, (await response.text()).replaceAll(address, "address")]);
    }
    expect(refusals[0]).toEqual(refusals[1]);
    expect((await askForCode(known, { from: "2001:db8:1:3::1" })).status).toBe(303);
  });

  test("for one browser, wherever it is", async () => {
    let cookie = "";
    const asked = await askTimes(8, async (n) => {
      const options = { from: `203.0.113.${n}`, ...(cookie ? { cookie } : {}) };
      const response = await askForCode(freeAddress(), options);
      cookie = pendingOf(response) || cookie;
      return response;
    });
    expect(asked.mailed).toBe(6);
  });

  test("for everybody together, by the hour and the day, and more with every member", async () => {
    const ask = (n: number) => askForCode(freeAddress(), { from: `203.0.${n >> 4}.${n & 15}` });
    const hours = [];
    for (let part = 0; part < 3; part += 1) {
      hours.push(await askTimes(42, (n) => ask(part * 64 + n)));
      passTime(hour + 1000);
    }
    expect(hours.map(({ mailed }) => mailed)).toEqual([40, 20, 0]);
    expect(hours[0]?.refusal).toBe(
      "More codes were asked for here than we can send for now, which is not your fault. Please ask again in 1 hour. Logging in with Spotify works meanwhile.",
    );
    const withoutSpotify = {
      ...env,
      ...{ SPOTIFY_CLIENT_ID: "", SPOTIFY_CLIENT_SECRET: "" },
      ...{ SPOTIFY_CLIENT_ID_2: "", SPOTIFY_CLIENT_SECRET_2: "" },
    };
    const form = { address: freeAddress() };
    const refused = await request("/login/email", { form, bindings: withoutSpotify });
    expect([refused.status, (await refused.text()).includes("Spotify works")]).toEqual([
      429,
      false,
    ]);
    await expect
      .poll(() => rowsOf("SELECT count(*) AS n FROM daily_counts WHERE name = 'login_codes_full'"))
      .toEqual([{ n: 1 }]);

    await makeUser();
    await env.DB.prepare("UPDATE users SET rowid = 40").run();
    expect((await askTimes(12, (n) => ask(512 + n))).mailed).toBe(10);
    passTime(24 * hour);
    expect((await askTimes(2, (n) => ask(n))).mailed).toBe(2);
  });

  test("for everybody together at the cost of a few rows, however many there were", async () => {
    const reads = [];
    for (const asked of [0, 30]) {
      await askTimes(asked, (n) => askForCode(freeAddress(), { from: `203.0.113.${n}` }));
      const { binding, rowsRead } = countingDatabase(env.DB);
      const headers = { "CF-Connecting-IP": `198.51.100.${asked}` };
      const form = { address: freeAddress() };
      await request("/login/email", { form, headers, bindings: { ...env, DB: binding } });
      reads.push(rowsRead());
    }
    expect(Math.abs(Number(reads[1]) - Number(reads[0]))).toBeLessThan(12);
  });

  test("and what is refused leaves the newest code as it is", async () => {
    const address = freeAddress();
    await makeUser({ ownEmail: address });
    const from = "203.0.113.7";
    let pending = "";
    for (let n = 0; n < 4; n += 1) pending = await beginEmailLogin(address, { from });
    const code = await codeFor(address);
    expect((await askForCode(address, { from })).status).toBe(429);
    expect(isIn(await typeCode(code, pending))).toBe(true);
  });
});
