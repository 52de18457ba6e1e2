/** How many codes are mailed, and how many wrong ones can be typed (rule 41, codes). */
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { counts, gives, holds } from "../../support/answers";
import { passTime } from "../../support/clock";
import { countingDatabase } from "../../support/database/counting-database";
import { makeUser } from "../../support/database/factories";
import { change, rows } from "../../support/database/rows";
import { browser, withoutSpotify } from "../../support/people/logins";
import { freeAddress } from "./email-login-flow";

const minute = 60_000;
const hour = 60 * minute;

async function ask(address: string, from = "") {
  const it = browser({ from });
  const answer = await it.asksForCode(address);
  return { ...it, answer, isMailed: answer.status === 303 };
}

/** Asks so often. @returns how many codes were mailed, and what the first refusal says. */
async function askTimes(count: number, asking: (n: number) => ReturnType<typeof ask>) {
  let mailed = 0;
  let refusal = "";
  for (let n = 0; n < count; n += 1) {
    const { answer, isMailed } = await asking(n);
    if (isMailed) mailed += 1;
    else {
      const wait = Number(answer.headers.get("Retry-After"));
      expect([answer.status, wait > 0]).toEqual([429, true]);
      refusal ||= /role="alert">(.*?)<\/p>/.exec(await answer.text())?.[1] ?? "";
    }
  }
  return { mailed, refusal };
}

/** A member's address. */
async function known(): Promise<string> {
  const address = freeAddress();
  await makeUser({ ownEmail: address });
  return address;
}

async function wrongTries(): Promise<number> {
  return (await rows("mailedProofs")).reduce((sum, { wrongTries }) => sum + wrongTries, 0);
}

test("guessing in parallel, by one cookie sent again and again, has five tries", async () => {
  const it = await ask(await known());
  const wrong = await it.wrongCodes(24);
  await Promise.all(wrong.map((code) => it.twin().types(code)));
  expect(await wrongTries()).toBe(5);
  expect(await it.comesIn()).toBe(false);
});

test("guessing over many codes and places has thirty tries a day; the link works all the same", async () => {
  const address = await known();
  for (let n = 0; n < 7; n += 1) {
    const it = await ask(address, `192.0.2.${n}`);
    await Promise.all((await it.wrongCodes(5)).map((code) => it.twin().types(code)));
  }
  expect(await wrongTries()).toBe(30);
  const owners = await ask(address, "198.51.100.1");
  expect(await owners.comesIn()).toBe(false);
  expect(await owners.reads("/login/code")).toContain("Open the link in the e-mail");
  await gives(owners.presses(await owners.link()), 303);
  // For others, and on the next day, codes work.
  expect(await (await ask(freeAddress())).comesIn()).toBe(true);
  passTime(24 * hour);
  expect(await (await ask(address)).comesIn()).toBe(true);
});

test.each([
  ["in one place", (_: number) => "192.0.2.1", 25],
  ["in the places of one network", (n: number) => `2001:db8:1:${n}00::1`, 40],
])("guessing codes asked for %s ends those of everybody nowhere else", async (_, place, most) => {
  const owner = await known();
  for (let n = 0; n < 10; n += 1) {
    const it = await ask(freeAddress(), place(n));
    for (const wrong of await it.wrongCodes(5)) await it.types(wrong);
  }
  expect(await wrongTries()).toBe(most);
  const there = await ask(owner, place(0));
  expect(await there.reads("/login/code")).toContain("Open the link in the e-mail");
  expect(await (await ask(owner, "198.51.100.1")).comesIn()).toBe(true);
});

test("all mailboxes together have a hundred tries a day, and one more for every fifty members", async () => {
  const address = await known();
  const it = await ask(address);
  const [wrong, another] = await it.wrongCodes(2);
  const name = "login_code_wrong";
  await it.types(wrong);
  await holds("dailyCounts", { count: 1 }, { name });
  await change("dailyCounts", {}, { count: 100 });
  await it.types(another);
  await holds("dailyCounts", { count: 100 }, { name });
  expect(await it.reads("/login/code")).toContain("Open the link in the e-mail");
  expect(await it.comesIn()).toBe(false);
  await gives(browser().presses(await it.link()), 303);

  await env.DB.prepare("UPDATE users SET rowid = 50").run();
  expect(await (await ask(address)).comesIn()).toBe(true);
});

test("the day's tries are not given back by those that were right", async () => {
  const it = await ask(await known());
  for (const wrong of await it.wrongCodes(1)) await it.types(wrong);
  expect(await it.comesIn()).toBe(true);
  expect(await wrongTries()).toBe(1);
});

test("an address gets four codes an hour from one place, which says when to ask again", async () => {
  const address = freeAddress();
  const from = "203.0.113.7";
  const spelled = [address, address.toUpperCase(), `Ada <${address}>`, `mailto:${address}`];
  expect(await askTimes(7, (n) => ask(spelled[n % 4] ?? "", from))).toEqual({
    mailed: 4,
    refusal: "That is as many codes as we can send for now. Ask again in 1 hour.",
  });
  passTime(20 * minute);
  const { answer } = await ask(address, from);
  expect(await answer.text()).toContain("Ask again in 40 minutes.");
  // Its owner is elsewhere, and gets one all the same.
  expect(await ask(address, "203.0.113.8")).toMatchObject({ isMailed: true });
  passTime(41 * minute);
  expect(await ask(address, from)).toMatchObject({ isMailed: true });
});

const here = "203.0.113.7";
const around = (n: number) => `2001:db8:1:${n.toString(16)}00::1`;
const mailboxes: [string, number, (n: number) => string, (n: number) => string][] = [
  ["four codes, whatever its tags", 4, (n) => `ada+${n}@mail.example`, () => here],
  [
    "four codes, whatever its dots, where the host ignores them",
    4,
    (n) => `${["ada", "a.da", "ad.a", "a.d.a"][n % 4]}@gmail.com`,
    () => here,
  ],
  [
    "four codes, whatever both",
    4,
    (n) => `a.d.a.m+${n}@${n % 2 ? "googlemail" : "gmail"}.com`,
    () => here,
  ],
  ["six codes from the places around one", 6, () => "ada@mail.example", around],
];
test.each(mailboxes)("a mailbox gets %s", async (_, mailed, address, from) => {
  expect(await askTimes(20, (n) => ask(address(n), from(n)))).toMatchObject({ mailed });
  // Another one there gets some, and this one elsewhere.
  expect(await ask("bea+1@mail.example", from(0))).toMatchObject({ isMailed: true });
  expect(await ask(address(0), "2001:db8:2::1")).toMatchObject({ isMailed: true });
});

test("an address gets twelve a day from one place, which leaves its owner most of a day's", async () => {
  const address = freeAddress();
  let mailed = 0;
  for (let n = 0; n < 8; n += 1) {
    mailed += (await askTimes(4, () => ask(address, "203.0.113.7"))).mailed;
    passTime(hour + 1000);
  }
  expect(mailed).toBe(12);
  expect(await ask(address, "203.0.113.8")).toMatchObject({ isMailed: true });
});

test("an address gets twelve an hour and forty a day from all places, however many ask at once", async () => {
  const address = freeAddress();
  const mailed = [];
  for (const hours of [0, 1, 2, 3, 4]) {
    const asked = Array.from({ length: 16 }, (_, n) => ask(address, `203.0.113.${hours * 16 + n}`));
    mailed.push((await Promise.all(asked)).filter(({ isMailed }) => isMailed).length);
    passTime(hour + 1000);
  }
  expect(mailed).toEqual([12, 12, 12, 4, 0]);
  await counts("outbox", 40);
  passTime(19 * hour);
  expect(await ask(address, "198.51.100.1")).toMatchObject({ isMailed: true });
});

test.each([
  ["an IPv4 address", (_: number) => "192.0.2.1", 30],
  ["an IPv4 address, also as IPv6", (n: number) => (n % 2 ? "192.0.2.1" : "::ffff:c000:201"), 30],
  ["a /64", (n: number) => `2001:db8::${n.toString(16)}`, 30],
  ["the /64s of a /56", (n: number) => `2001:db8:1:${n.toString(16)}::1`, 36],
  ["the /64s of a /48", (n: number) => `2001:db8:1:${(n * 256).toString(16)}::1`, 42],
])("%s has codes mailed up to a number a day, whatever the addresses", async (_, from, most) => {
  let mailed = 0;
  // An hour has room for forty, wherever they come from.
  for (const part of [30, 16]) {
    const first = mailed;
    mailed += (await askTimes(part, (n) => ask(freeAddress(), from(first + n)))).mailed;
    passTime(hour + 1000);
  }
  expect(mailed).toBe(most);
  expect(await ask(freeAddress(), "2001:db8:2::1")).toMatchObject({ isMailed: true });
});

test("one place is half of an IPv6 address, and refuses a known address like an unknown one", async () => {
  const inside = (n: number) => ask(freeAddress(), `2001:db8:1:2:${n.toString(16)}::1`);
  expect(await askTimes(33, inside)).toMatchObject({ mailed: 30 });
  const owners = await known();
  const refusals = [];
  for (const address of [owners, freeAddress()]) {
    const { answer } = await ask(address, "2001:db8:1:2::abcd");
    refusals.push([answer.status, (await answer.text()).replaceAll(address, "address")]);
  }
  expect(refusals[0]).toEqual(refusals[1]);
  expect(await ask(owners, "2001:db8:1:3::1")).toMatchObject({ isMailed: true });
});

test("one browser has six codes mailed, wherever it is", async () => {
  let cookies: string[] = [];
  const asked = await askTimes(8, async (n) => {
    const it = browser({ from: `203.0.113.${n}`, cookies });
    const answer = await it.asksForCode(freeAddress());
    cookies = it.cookies();
    return { ...it, answer, isMailed: answer.status === 303 };
  });
  expect(asked.mailed).toBe(6);
});

test("everybody together has so many an hour and a day, and more with every member", async () => {
  const from = (n: number) => ask(freeAddress(), `203.0.${n >> 4}.${n & 15}`);
  const hours = [];
  for (let part = 0; part < 3; part += 1) {
    hours.push(await askTimes(42, (n) => from(part * 64 + n)));
    passTime(hour + 1000);
  }
  expect(hours.map(({ mailed }) => mailed)).toEqual([40, 20, 0]);
  expect(hours[0]?.refusal).toBe(
    "More codes were asked for here than we can send for now, which is not your fault. Ask again in 1 hour. Logging in with Spotify works meanwhile.",
  );
  const refused = await browser({ bindings: withoutSpotify }).asksForCode(freeAddress());
  expect([refused.status, (await refused.text()).includes("Spotify works")]).toEqual([429, false]);
  // The three hours may lie in two days.
  await expect.poll(() => rows("dailyCounts", { name: "login_codes_full" })).not.toEqual([]);

  await makeUser();
  await env.DB.prepare("UPDATE users SET rowid = 40").run();
  expect(await askTimes(12, (n) => from(512 + n))).toMatchObject({ mailed: 10 });
  passTime(24 * hour);
  expect(await askTimes(2, from)).toMatchObject({ mailed: 2 });
});

test("a request for a code reads a few rows, however many codes there were", async () => {
  const reads = [];
  for (const asked of [0, 30]) {
    await askTimes(asked, (n) => ask(freeAddress(), `203.0.113.${n}`));
    const { binding, rowsRead } = countingDatabase(env.DB);
    const it = browser({ from: `198.51.100.${asked}`, bindings: { ...env, DB: binding } });
    await it.asksForCode(freeAddress());
    reads.push(rowsRead());
  }
  expect(Math.abs(Number(reads[1]) - Number(reads[0]))).toBeLessThan(12);
});

test("what is refused leaves the newest code as it is", async () => {
  const address = await known();
  const from = "203.0.113.7";
  for (let n = 0; n < 3; n += 1) await ask(address, from);
  const newest = await ask(address, from);
  expect(await ask(address, from)).toMatchObject({ isMailed: false });
  expect(await newest.comesIn()).toBe(true);
});
