/** A browser that has logged in by a mailbox before: strangers cannot keep its reader out (rule 41). */
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { passTime } from "../../support/clock";
import { contents, rowsOf } from "../../support/database/contents";
import { makeUser } from "../../support/database/factories";
import { request } from "../../support/request";
import {
  askForCode,
  beginEmailLogin,
  codeIn,
  freeAddress,
  knownOf,
  linkIn,
  logInByMail,
  pendingOf,
  press,
  sessionOf,
  typeCode,
  wrongCodes,
} from "./email-login-flow";
import { setCookieOf } from "./login-flow";

const hour = 3_600_000;

function isIn({ status, headers }: Response): boolean {
  return status === 303 && headers.get("Location") !== "/login/code";
}

/** A browser that has logged in by an address, yesterday. */
async function known(address = freeAddress()) {
  const cookie = knownOf(await logInByMail(address));
  passTime(25 * hour);
  return { address, cookie };
}

/** Asks so often, each time from somewhere else. Returns how many codes were mailed. */
async function askTimes(count: number, address: (n: number) => string, cookie = "") {
  let mailed = 0;
  for (let n = 0; n < count; n += 1) {
    const { status } = await askForCode(address(n), { from: `203.0.${n >> 5}.${n & 31}`, cookie });
    mailed += Number(status === 303);
  }
  return mailed;
}

test("a login by e-mail leaves a cookie for a year that names nobody and logs nobody in", async () => {
  const address = freeAddress();
  const response = await logInByMail(address);
  const header = setCookieOf(response, "__Host-known");
  for (const attribute of ["HttpOnly", "Secure", "SameSite=Lax", "Path=/", "Max-Age=31536000"]) {
    expect(header.split("; ")).toContain(attribute);
  }
  expect(header).not.toContain("Domain");
  expect(decodeURIComponent(header)).not.toContain(address.split("@")[0]);
  const cookie = knownOf(response);
  expect(await (await request("/account", { cookie })).text()).not.toContain("viewer-name");
  const [, value = ""] = cookie.split("=");
  expect(JSON.stringify(await contents())).not.toContain(value.split(".")[0]);
  // Logging out leaves it, and a login by e-mail renews it.
  const session = sessionOf(response);
  const out = await request("/logout", { method: "POST", cookie: `${session}; ${cookie}` });
  expect(out.headers.getSetCookie().join()).not.toContain("__Host-known");
  const pending = await beginEmailLogin(address, { cookie });
  const again = await typeCode(await codeIn(pending), pending, cookie);
  expect(knownOf(again)).toBe(cookie);
  expect(knownOf(await press(await linkIn(await beginEmailLogin(address))))).not.toBe("");
});

test("strangers who use up all codes of its mailbox take none of its own", async () => {
  const { address, cookie } = await known();
  expect(await askTimes(14, () => address)).toBe(12);
  expect((await askForCode(address, { from: "198.51.100.1" })).status).toBe(429);
  const tagged = address.replace("@", "+tag@");
  const pending = await beginEmailLogin(tagged, { cookie, from: "198.51.100.1" });
  expect(isIn(await typeCode(await codeIn(pending), pending, cookie))).toBe(true);
});

test("strangers who use up the codes of everybody, and of its place, take none of its own", async () => {
  const { address, cookie } = await known();
  const from = "198.51.100.1";
  for (let n = 0; n < 30; n += 1) await askForCode(freeAddress(), { from });
  expect((await askForCode(freeAddress(), { from })).status).toBe(429);
  expect(await askTimes(12, () => freeAddress())).toBe(10);
  expect((await askForCode(freeAddress(), { from: "192.0.2.9" })).status).toBe(429);
  const pending = await beginEmailLogin(address, { cookie, from });
  expect(isIn(await typeCode(await codeIn(pending), pending, cookie))).toBe(true);
});

test("strangers who type all wrong codes of a day leave its own to be typed", async () => {
  const { address, cookie } = await known();
  for (let n = 0; n < 7; n += 1) {
    const pending = await beginEmailLogin(address, { from: `192.0.2.${n}` });
    for (const code of await wrongCodes(address, 5)) await typeCode(code, pending);
  }
  const unknown = await beginEmailLogin(address, { from: "198.51.100.1" });
  expect(isIn(await typeCode(await codeIn(unknown), unknown))).toBe(false);
  await env.DB.prepare("UPDATE daily_counts SET count = 1000").run();
  const pending = await beginEmailLogin(address, { cookie, from: "198.51.100.1" });
  expect(isIn(await typeCode(await codeIn(pending), pending, cookie))).toBe(true);
});

test("its own codes and tries are few, so that who has stolen the cookie can do little with it", async () => {
  const { address, cookie } = await known();
  const mailed = [];
  for (let n = 0; n < 4; n += 1) {
    mailed.push(await askTimes(6, () => address, cookie));
    passTime(hour + 1000);
  }
  expect(mailed).toEqual([4, 4, 2, 0]);
  passTime(24 * hour);

  for (let n = 0; n < 4; n += 1) {
    const pending = await beginEmailLogin(address, { cookie });
    for (const code of await wrongCodes(address, 5)) await typeCode(code, pending, cookie);
  }
  expect(await rowsOf("SELECT sum(wrong_tries) AS tries FROM mailed_proofs")).toEqual([
    { tries: 15 },
  ]);
  // They are not counted among those of strangers.
  const names = "SELECT count FROM daily_counts WHERE name = 'login_code_wrong'";
  expect(await rowsOf(names)).toEqual([]);
  const elsewhere = await beginEmailLogin(address, { from: "198.51.100.1" });
  expect(isIn(await typeCode(await codeIn(elsewhere), elsewhere))).toBe(true);
});

test("the cookie opens nothing for another mailbox, nor altered", async () => {
  const { cookie } = await known();
  const others = freeAddress();
  await askTimes(12, () => others);
  const [name = "", value = ""] = cookie.split("=");
  const [mark, signature] = decodeURIComponent(atob(decodeURIComponent(value))).split(".");
  expect([mark?.length, signature?.length]).toEqual([37, 44]);
  for (const kept of [cookie, `${name}=x`, `${name}=`, `${name}=a.b`, `${cookie}x`]) {
    const { status } = await askForCode(others, { cookie: kept, from: "198.51.100.1" });
    expect([kept, status]).toEqual([kept, 429]);
  }
});

test("a browser that is known to nobody is asked alike, whether there is an account or not", async () => {
  const { cookie } = await known();
  const answers = [];
  const account = freeAddress();
  await makeUser({ ownEmail: account });
  for (const address of [account, freeAddress()]) {
    const response = await askForCode(address, { cookie });
    answers.push([response.status, response.headers.get("Location"), pendingOf(response) !== ""]);
  }
  expect(answers[0]).toEqual(answers[1]);
});
