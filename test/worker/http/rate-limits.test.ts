/** What is counted, and for whom. Which action has which limit: actions.test.ts. */
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { makeUser } from "../../support/database/factories";
import { makeMember, makeSession } from "../../support/login";
import { request } from "../../support/request";
import { countingLimits, watchedLimits } from "./watched-limits";

interface Asked {
  method?: string;
  cookie?: string;
  address?: string;
  accept?: string;
}

function ask(
  path: string,
  bindings: object,
  { method = "POST", cookie = "", address = "192.0.2.1", accept = "text/html" }: Asked = {},
): Promise<Response> {
  const headers = { Accept: accept, "CF-Connecting-IP": address };
  return request(path, { method, headers, cookie, bindings });
}

test.each([
  ["POST", "/login", "LIMIT_LOGIN"],
  ["GET", "/?menu=addownsong&q=x&_data=routes%2F_index", "LIMIT_NORMAL"],
  ["HEAD", "/?menu=addownsong&q=x", "LIMIT_NORMAL"],
])("%s %s over the limit is refused", async (method, path, limiter) => {
  const { cookie } = await makeMember();
  const { keys, bindings } = watchedLimits(false);
  expect((await ask(path, bindings, { method, cookie })).status).toBe(429);
  expect(keys.map(([name]) => name)).toEqual([limiter]);
});

test("a program over the limit gets JSON", async () => {
  const answer = await ask("/login", watchedLimits(false).bindings, { accept: "application/json" });
  expect(await answer.json()).toEqual({
    error: "That was a lot in a short time. Try again in a minute.",
    secondsLeft: 60,
  });
});

test.each(["/LOGIN", "/log%69n", "/login/", "/login?index"])(
  "a request is counted in any spelling: %s",
  async (path) => {
    const { keys, bindings } = watchedLimits(false);
    const { status } = await ask(path, bindings);
    // A spelling that does not reach the login need not be counted.
    if (keys.length === 0) expect([404, 405]).toContain(status);
    else expect([status, keys[0]?.[1]]).toEqual([429, "POST /login? 192.0.2.1"]);
  },
);

test("requests are counted for each session and action separately, and by address without a login or with a forged one", async () => {
  const [one, two] = [await makeMember(), await makeMember()];
  const asked: [string, Asked][] = [
    ["/submissions", one],
    ["/submissions", two],
    ["/submissions", one],
    ["/account/email", one],
    ["/submissions", {}],
    ["/submissions", { cookie: "__Host-session=forged.abc" }],
    ["/submissions", { address: "192.0.2.2" }],
    // A household has all IPv6 addresses with the same beginning.
    ["/submissions", { address: "2001:db8:7:9:1:2:3:4" }],
    ["/submissions", { address: "2001:db8:7:9:ffff:0:0:1" }],
    ["/submissions", { address: "2001:db8:7:a:1:2:3:4" }],
  ];
  const { keys, bindings } = watchedLimits(false);
  for (const [path, { cookie = "", address = "192.0.2.1" }] of asked) {
    await ask(path, bindings, { cookie, address });
  }
  const counted = keys.map(([, key]) => key);
  expect(counted.map((key) => counted.indexOf(key))).toEqual([0, 1, 0, 3, 4, 4, 6, 7, 7, 9]);
});

test("requests are counted for all logins of a user together where they read a lot", async () => {
  const bindings = countingLimits(3);
  const user = await makeUser();
  const exported = async (whose = user) =>
    ask("/account/export", bindings, { cookie: (await makeSession(whose)).cookie });
  const answers: Response[] = [];
  for (let n = 0; n < 5; n += 1) answers.push(await exported());
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429, 429]);
  expect(answers[4]?.headers.get("Retry-After")).toBe("60");
  expect(await answers[4]?.text()).toContain("Try again in a minute");
  expect((await exported(await makeUser())).status).toBe(200);
});

test("ended logins share the limit of their address, however many there are", async () => {
  const bindings = countingLimits(3);
  const statuses: number[] = [];
  for (let n = 0; n < 6; n += 1) {
    const { cookie } = await makeMember();
    await env.DB.prepare("DELETE FROM sessions").run();
    statuses.push((await ask("/submissions", bindings, { cookie })).status);
  }
  expect(statuses).toEqual([303, 303, 303, 429, 429, 429]);
  const { cookie } = await makeMember();
  expect((await ask("/submissions", bindings, { cookie })).status).not.toBe(429);
  expect((await ask("/submissions", bindings)).status).toBe(429);
});

test("looking at pages is not counted", async () => {
  const { cookie } = await makeMember();
  const { keys, bindings } = watchedLimits(false);
  for (const path of ["/", "/faq", "/ratings-of-my-songs", "/account", "/health"]) {
    expect((await ask(path, bindings, { method: "GET", cookie })).status).toBe(200);
  }
  expect(keys).toEqual([]);
});

test("the platform's own rate limiter allows three requests, and then refuses", async () => {
  const { LIMIT_FEW } = env as unknown as { LIMIT_FEW: RateLimit };
  const { cookie } = await makeMember();
  const bindings = { ...env, LIMIT_STRICT: LIMIT_FEW };
  const answers: number[] = [];
  for (let n = 0; n < 7; n += 1) {
    answers.push((await ask("/account/email/remove", bindings, { cookie })).status);
  }
  // A new window may begin meanwhile, which allows three more.
  expect(answers).toContain(429);
  expect(answers.filter((status) => status === 303).length).toBeGreaterThanOrEqual(3);
});

test("a rate limiter that fails or is missing refuses nobody", async () => {
  for (const LIMIT_LOGIN of [{ limit: () => Promise.reject(new Error("away")) }, undefined]) {
    expect((await ask("/login", { ...env, LIMIT_LOGIN })).status).toBe(303);
  }
});
