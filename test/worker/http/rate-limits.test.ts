import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { contents } from "../../support/database/contents";
import { makeUser, type TestUser } from "../../support/database/factories";
import { holdBack } from "../../support/held-back";
import { makeMember, makeSession } from "../../support/login";
import { request } from "../../support/request";

const limiters = ["LIMIT_LOGIN", "LIMIT_STRICT", "LIMIT_NORMAL", "LIMIT_WIDE"] as const;

interface Asked {
  method?: string;
  cookie?: string;
  address?: string;
  accept?: string;
}

/** Sends a request to the built Worker, whose bindings a test may replace. */
function ask(path: string, bindings: object, asked: Asked = {}): Promise<Response> {
  const { method = "POST", cookie, address = "192.0.2.1", accept = "text/html" } = asked;
  const headers = { Accept: accept, "CF-Connecting-IP": address };
  const options = { method, headers, bindings: { ...env, ...bindings } };
  return request(path, cookie ? { ...options, cookie } : options);
}

/** Limiters that allow everything or nothing, and record what was counted by which of them. */
function watched(success: boolean) {
  const keys: [string, string][] = [];
  const bindings = Object.fromEntries(
    limiters.map((name) => [
      name,
      {
        async limit({ key }: { key: string }) {
          keys.push([name, key]);
          return { success };
        },
      },
    ]),
  );
  return { keys, bindings };
}

/** Limiters that allow each key a number of times. */
function counting(times: number) {
  const counts = new Map<string, number>();
  const limiter = {
    async limit({ key }: { key: string }) {
      const count = (counts.get(key) ?? 0) + 1;
      counts.set(key, count);
      return { success: count <= times };
    },
  };
  return { bindings: Object.fromEntries(limiters.map((name) => [name, limiter])) };
}

const limited = [
  ["POST", "/login", "LIMIT_LOGIN"],
  ["GET", "/auth/spotify/callback?code=x&state=y", "LIMIT_LOGIN"],
  ["POST", "/login/email", "LIMIT_LOGIN"],
  ["POST", "/login/code", "LIMIT_LOGIN"],
  ["GET", "/login/link?token=x", "LIMIT_WIDE"],
  ["POST", "/login/link?token=x", "LIMIT_LOGIN"],
  ["POST", "/login/name", "LIMIT_LOGIN"],
  ["POST", "/playlists/permission", "LIMIT_LOGIN"],
  ["GET", "/?menu=addownsong&q=x", "LIMIT_NORMAL"],
  ["GET", "/?menu=addownsong&q=x&_data=routes%2F_index", "LIMIT_NORMAL"],
  ["HEAD", "/?menu=addownsong&q=x", "LIMIT_NORMAL"],
  ["GET", "/?menu=addownsong&album=x", "LIMIT_NORMAL"],
  ["POST", "/songs/s1/play", "LIMIT_NORMAL"],
  ["POST", "/songs/s1/listened", "LIMIT_NORMAL"],
  ["POST", "/songs/s1/rating", "LIMIT_NORMAL"],
  ["POST", "/songs/s1/favorite", "LIMIT_NORMAL"],
  ["POST", "/songs/s1/unfavorite", "LIMIT_NORMAL"],
  ["GET", "/favorites", "LIMIT_NORMAL"],
  ["GET", "/rated?favorite=s1", "LIMIT_NORMAL"],
  ["POST", "/songs/s1/pass", "LIMIT_NORMAL"],
  ["GET", "/songs/s1/playlist", "LIMIT_NORMAL"],
  ["POST", "/songs/s1/playlist/add", "LIMIT_NORMAL"],
  ["POST", "/submissions", "LIMIT_STRICT"],
  ["POST", "/email-preference", "LIMIT_NORMAL"],
  ["POST", "/song-mail", "LIMIT_NORMAL"],
  ["POST", "/account/email", "LIMIT_STRICT"],
  ["POST", "/account/email/remove", "LIMIT_STRICT"],
  ["POST", "/account/export", "LIMIT_STRICT"],
  ["POST", "/account/delete", "LIMIT_STRICT"],
  ["POST", "/account/sessions/end", "LIMIT_STRICT"],
  ["GET", "/confirm-email?token=x", "LIMIT_WIDE"],
  ["POST", "/confirm-email?token=x", "LIMIT_NORMAL"],
  ["POST", "/checkout-session", "LIMIT_STRICT"],
  ["POST", "/checkout-session/lookup", "LIMIT_STRICT"],
  ["POST", "/portal-session", "LIMIT_STRICT"],
  ["GET", "/subscription-success?session_id=cs_1", "LIMIT_NORMAL"],
  ["GET", "/player/token", "LIMIT_NORMAL"],
  ["GET", "/player/token?refused", "LIMIT_STRICT"],
  ["POST", "/webhooks/stripe", "LIMIT_WIDE"],
  ["POST", "/webhooks/resend", "LIMIT_WIDE"],
  ["GET", "/unsubscribe?token=x", "LIMIT_WIDE"],
  ["POST", "/unsubscribe?token=x", "LIMIT_WIDE"],
] as const;

describe("a request over the limit", () => {
  test.each(limited)("%s %s is refused, and changes nothing", async (method, path, limiter) => {
    const { cookie } = await makeMember();
    const before = await contents();
    const { keys, bindings } = watched(false);
    const response = await ask(path, bindings, { method, cookie });
    expect(response.status).toBe(429);
    expect(response.headers.get("Retry-After")).toBe("60");
    expect(keys.map(([name]) => name)).toEqual([limiter]);
    expect(await contents()).toEqual(before);
    if (method !== "HEAD") expect(await response.text()).toContain("Please wait a minute");
  });

  test.each(limited.filter(([method]) => method === "POST"))(
    "%s %s is refused before its body is there",
    async (_, path) => {
      const { cookie } = await makeMember();
      const held = holdBack("a=1", () => new Promise(() => undefined));
      const bindings = { ...env, ...watched(false).bindings };
      const response = await request(path, { cookie, body: held.body, bindings });
      expect([response.status, held.wasAskedFor()]).toEqual([429, false]);
    },
  );

  test.each(limited.filter(([method]) => method === "POST"))(
    "%s %s cannot be replaced by another method",
    async (_, path) => {
      const { cookie } = await makeMember();
      const before = await contents();
      for (const method of ["PUT", "PATCH", "DELETE", "OPTIONS"]) {
        const response = await ask(path, {}, { method, cookie });
        expect([method, response.status]).toEqual([method, 405]);
        expect(response.headers.get("Allow")).toBe("GET, HEAD, POST");
      }
      expect(await contents()).toEqual(before);
    },
  );

  test("gets programs a JSON response", async () => {
    const { bindings } = watched(false);
    const response = await ask("/login", bindings, { accept: "application/json" });
    expect(await response.json()).toEqual({
      error: "That was a lot in a short time. Please wait a minute and try again.",
      secondsLeft: 60,
    });
  });

  test.each(["/LOGIN", "/log%69n", "/login/", "/login?index"])(
    "is counted in any spelling: %s",
    async (path) => {
      const { keys, bindings } = watched(false);
      const { status } = await ask(path, bindings);
      // A spelling that does not reach the login need not be counted.
      if (keys.length === 0) expect([404, 405]).toContain(status);
      else expect([status, keys[0]?.[1]]).toEqual([429, "POST /login? 192.0.2.1"]);
    },
  );
});

describe("requests are counted", () => {
  test("for each session and each kind of action separately", async () => {
    const [one, two] = [await makeMember(), await makeMember()];
    const { keys, bindings } = watched(false);
    for (const { cookie } of [one, two, one]) await ask("/submissions", bindings, { cookie });
    await ask("/account/email", bindings, { cookie: one.cookie });
    const counted = keys.map(([, key]) => key);
    expect(counted[0]).toBe(counted[2]);
    expect(new Set(counted).size).toBe(3);
  });

  test("for all logins of a user together where they read a lot", async () => {
    const { bindings } = counting(3);
    const user = await makeUser();
    const exported = async (whose: TestUser) => {
      const { cookie } = await makeSession(whose);
      return ask("/account/export", bindings, { cookie });
    };
    const answers: Response[] = [];
    for (let n = 0; n < 5; n += 1) answers.push(await exported(user));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429, 429]);
    expect(answers[4]?.headers.get("Retry-After")).toBe("60");
    expect(await answers[4]?.text()).toContain("Please wait a minute");
    expect((await exported(await makeUser())).status).toBe(200);
  });

  test("by IP address if the login is missing or forged", async () => {
    const { keys, bindings } = watched(false);
    await ask("/submissions", bindings);
    await ask("/submissions", bindings, { cookie: "__Host-session=forged.abc" });
    await ask("/submissions", bindings, { address: "192.0.2.2" });
    const counted = keys.map(([, key]) => key);
    expect(counted[0]).toBe(counted[1]);
    expect(counted[2]).not.toBe(counted[0]);
  });

  test("by IP address if the session has ended, however many ended sessions there are", async () => {
    const { bindings } = counting(3);
    const statuses: number[] = [];
    for (let n = 0; n < 6; n += 1) {
      const { cookie } = await makeMember();
      await env.DB.prepare("DELETE FROM sessions").run();
      statuses.push((await ask("/submissions", bindings, { cookie })).status);
    }
    // The first three are redirected to the landing page.
    expect(statuses).toEqual([303, 303, 303, 429, 429, 429]);
    const { cookie } = await makeMember();
    expect((await ask("/submissions", bindings, { cookie })).status).not.toBe(429);
    expect((await ask("/submissions", bindings)).status).toBe(429);
  });

  test.each(limited.filter(([, path]) => !path.includes("/login") && !path.includes("/auth/")))(
    "once, by IP address, if the session has ended: %s %s",
    async (method, path, limiter) => {
      const { keys, bindings } = watched(true);
      const { cookie } = await makeMember();
      await env.DB.prepare("DELETE FROM sessions").run();
      await (await ask(path, bindings, { method, cookie })).text();
      const ofAddress = keys.filter(([, key]) => key.endsWith(" 192.0.2.1"));
      expect(ofAddress.map(([name]) => name)).toEqual([limiter]);
    },
  );

  test("together for all IPv6 addresses of a household", async () => {
    const { keys, bindings } = watched(false);
    for (const host of ["1:2:3:4", "ffff:0:0:1"]) {
      await ask("/login", bindings, { address: `2001:db8:7:9:${host}` });
    }
    await ask("/login", bindings, { address: "2001:db8:7:a:1:2:3:4" });
    const counted = keys.map(([, key]) => key);
    expect(counted[0]).toBe(counted[1]);
    expect(counted[2]).not.toBe(counted[0]);
  });

  test("only if they are expensive or change something: not for just looking at pages", async () => {
    const { cookie } = await makeMember();
    const { keys, bindings } = watched(false);
    for (const path of ["/", "/faq", "/ratings-of-my-songs", "/account", "/health"]) {
      expect((await ask(path, bindings, { method: "GET", cookie })).status).toBe(200);
    }
    expect(keys).toEqual([]);
  });
});

test("the platform's own rate limiter allows three requests, and then refuses", async () => {
  const { LIMIT_FEW } = env as unknown as { LIMIT_FEW: RateLimit };
  const { cookie } = await makeMember();
  const answers: number[] = [];
  for (let n = 0; n < 5; n += 1) {
    const bindings = { LIMIT_STRICT: LIMIT_FEW };
    answers.push((await ask("/account/email/remove", bindings, { cookie })).status);
  }
  // A new window may begin meanwhile, which allows three more.
  expect(answers).toContain(429);
  expect(answers.filter((status) => status === 303).length).toBeGreaterThanOrEqual(3);
});

test("a rate limiter that fails or is missing refuses nobody", async () => {
  const LIMIT_LOGIN = { limit: () => Promise.reject(new Error("away")) };
  expect((await ask("/login", { LIMIT_LOGIN })).status).toBe(303);
  expect((await ask("/login", { LIMIT_LOGIN: undefined })).status).toBe(303);
});
