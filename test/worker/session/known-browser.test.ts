/** A browser that has logged in by a mailbox before: strangers cannot keep its reader out (rule 41, codes). */
import { expect, test } from "vitest";
import { counts, gives, hides, led } from "../../support/answers";
import { passTime } from "../../support/clock";
import { contents } from "../../support/database/contents";
import { makeUser } from "../../support/database/factories";
import { change, rows } from "../../support/database/rows";
import { type Browser, browser } from "../../support/people/logins";
import { freeAddress } from "./email-login-flow";
import { setCookieOf } from "./login-flow";

const hour = 3_600_000;
const elsewhere = "198.51.100.1";

/** A browser that has logged in by an address, yesterday, and what it is known by. */
async function known() {
  const address = freeAddress();
  const it = browser();
  await it.logsInByMail(address);
  passTime(25 * hour);
  return { address, cookies: [`__Host-known=${it.cookie("known")}`] };
}

/** Asks so often, each time from somewhere else. @returns how many codes were mailed. */
async function askTimes(count: number, address: () => string, cookies: string[] = []) {
  let mailed = 0;
  for (let n = 0; n < count; n += 1) {
    const it = browser({ from: `203.0.${n >> 5}.${n & 31}`, cookies });
    mailed += Number((await it.asksForCode(address())).status === 303);
  }
  return mailed;
}

async function comesIn(it: Browser, address: string): Promise<boolean> {
  return (await it.asksForCode(address)).status === 303 && it.comesIn();
}

test("a login by e-mail leaves a cookie for a year that names nobody and logs nobody in", async () => {
  const address = freeAddress();
  const it = browser();
  const header = setCookieOf(await it.logsInByMail(address), "__Host-known");
  expect(header.split("; ")).toContain("Max-Age=31536000");
  expect(decodeURIComponent(header)).not.toContain(address.split("@")[0]);
  const cookie = it.cookie("known");
  const knownAlone = browser({ cookies: [`__Host-known=${cookie}`] });
  await hides(knownAlone, "/account", "viewer-name");
  expect(JSON.stringify(await contents())).not.toContain(cookie.split(".")[0]);
  // Logging out leaves it, and a login by e-mail renews it.
  await it.posts("/logout");
  expect([it.isLoggedIn(), it.cookie("known")]).toEqual([false, cookie]);
  await it.asksForCode(address);
  expect(setCookieOf(await it.types(), "__Host-known")).toContain(cookie);
  const other = browser();
  await other.asksForCode(address);
  await other.presses(await other.link());
  expect(other.cookie("known")).not.toBe("");
});

test("strangers who use up all codes of its mailbox take none of its own", async () => {
  const { address, cookies } = await known();
  expect(await askTimes(14, () => address)).toBe(12);
  await gives(browser({ from: elsewhere }).asksForCode(address), 429);
  const tagged = address.replace("@", "+tag@");
  expect(await comesIn(browser({ cookies, from: elsewhere }), tagged)).toBe(true);
});

test("strangers who use up the codes of everybody, and of its place, take none of its own", async () => {
  const { address, cookies } = await known();
  for (let n = 0; n < 30; n += 1) await browser({ from: elsewhere }).asksForCode(freeAddress());
  await gives(browser({ from: elsewhere }).asksForCode(freeAddress()), 429);
  expect(await askTimes(12, freeAddress)).toBe(10);
  await gives(browser({ from: "192.0.2.9" }).asksForCode(freeAddress()), 429);
  expect(await comesIn(browser({ cookies, from: elsewhere }), address)).toBe(true);
});

test("strangers who type all wrong codes of a day leave its own to be typed", async () => {
  const { address, cookies } = await known();
  for (let n = 0; n < 7; n += 1) {
    const it = browser({ from: `192.0.2.${n}` });
    await it.asksForCode(address);
    for (const code of await it.wrongCodes(5)) await it.types(code);
  }
  expect(await comesIn(browser({ from: elsewhere }), address)).toBe(false);
  await change("dailyCounts", {}, { count: 1000 });
  expect(await comesIn(browser({ cookies, from: elsewhere }), address)).toBe(true);
});

test("its own codes and tries are few, so that who has stolen the cookie can do little with it", async () => {
  const { address, cookies } = await known();
  const mailed = [];
  for (let n = 0; n < 4; n += 1) {
    mailed.push(await askTimes(6, () => address, cookies));
    passTime(hour + 1000);
  }
  expect(mailed).toEqual([4, 4, 2, 0]);
  passTime(24 * hour);

  for (let n = 0; n < 4; n += 1) {
    const it = browser({ cookies });
    await it.asksForCode(address);
    for (const code of await it.wrongCodes(5)) await it.types(code);
  }
  const tries = (await rows("mailedProofs")).map(({ wrongTries }) => wrongTries);
  expect(tries.reduce((sum, one) => sum + one, 0)).toBe(15);
  // They are not counted among those of strangers.
  await counts("dailyCounts", 0, { name: "login_code_wrong" });
  expect(await comesIn(browser({ from: elsewhere }), address)).toBe(true);
});

test("the cookie opens nothing for another mailbox, nor altered", async () => {
  const { cookies } = await known();
  const others = freeAddress();
  await askTimes(12, () => others);
  const [cookie = ""] = cookies;
  const [name = "", value = ""] = cookie.split("=");
  const [mark, signature] = decodeURIComponent(atob(decodeURIComponent(value))).split(".");
  expect([mark?.length, signature?.length]).toEqual([37, 44]);
  for (const kept of [cookie, `${name}=x`, `${name}=`, `${name}=a.b`, `${cookie}x`]) {
    const { status } = await browser({ cookies: [kept], from: elsewhere }).asksForCode(others);
    expect([kept, status]).toEqual([kept, 429]);
  }
});

test("a browser that is known to nobody is asked alike, whether there is an account or not", async () => {
  const { cookies } = await known();
  const account = freeAddress();
  await makeUser({ ownEmail: account });
  const answers = [];
  for (const address of [account, freeAddress()]) {
    const it = browser({ cookies });
    answers.push([led(await it.asksForCode(address)), it.cookie("email-login") !== ""]);
  }
  expect(answers[0]).toEqual(answers[1]);
});
