/** Requests that would be expensive to process are refused before anything processes them. */
import { env, exports } from "cloudflare:workers";
import { afterEach, describe, expect, test, vi } from "vitest";
import { makeMember } from "../../support/login";
import { request } from "../../support/request";

afterEach(() => {
  vi.restoreAllMocks();
});

/** Watches the log. @returns a function that returns the names of the events logged since. */
function watchLog(): () => string[] {
  const log = vi.spyOn(console, "log").mockImplementation(() => undefined);
  log.mockClear();
  return () => log.mock.calls.map(([line]) => JSON.parse(String(line)).event);
}

/** Requests a path exactly as written, not normalised by `new URL`. */
function ask(path: string, init: RequestInit = {}): Promise<Response> {
  return exports.default.fetch(new Request(`${env.APP_ORIGIN}${path}`, init));
}

describe("a path", () => {
  test.each([
    { name: "with 15,000 slashes", path: `/${"/".repeat(15_000)}x` },
    { name: "with two slashes at the start", path: "//faq" },
    { name: "with two slashes in the middle", path: "/songs//rating" },
    { name: "with two slashes at the end", path: "/faq//" },
    { name: "with backslashes", path: "/\\\\x" },
    { name: "of more than a kilobyte", path: `/${"a".repeat(1024)}` },
  ])("$name is not found, to people and to programs", async ({ path }) => {
    for (const method of ["GET", "POST"]) {
      const events = watchLog();
      const page = await ask(path, { method, headers: { Accept: "text/html" } });
      expect([method, page.status]).toEqual([method, 404]);
      expect(await page.text()).toContain("There is no such page.");
      const json = await ask(path, { method, headers: { Accept: "application/json" } });
      expect([json.status, await json.json()]).toEqual([404, { error: expect.any(String) }]);
      expect(events()).toEqual(["request", "request"]);
    }
  });

  test("of a kilobyte is accepted, and is an ordinary missing page", async () => {
    const response = await ask(`/${"a".repeat(1023)}`, { headers: { Accept: "text/html" } });
    expect(response.status).toBe(404);
    expect(await response.text()).toContain("Perhaps it has moved");
  });
});

test("a query of more than four kilobytes is refused; one of four is not", async () => {
  const query = (length: number) => `?a=${"b".repeat(length - 3)}`;
  for (const path of ["/", "/faq", "/unsubscribe", "/no-such-page"]) {
    expect([path, (await request(`${path}${query(4097)}`)).status]).toEqual([path, 414]);
    expect([path, (await request(`${path}${query(4096)}`)).status]).not.toEqual([path, 414]);
  }
});

describe("headers", () => {
  test.each(["User-Agent", "Cookie", "Accept-Language", "Referer", "X-Anything"])(
    "of more than 16 KB are refused (%s)",
    async (name) => {
      for (const path of ["/", "/account", "/player/token", "/no-such-page"]) {
        const over = await request(path, { headers: { [name]: "x".repeat(17_000) } });
        expect([path, over.status]).toEqual([path, 431]);
        const within = await request(path, { headers: { [name]: "x".repeat(12_000) } });
        expect([path, within.status]).not.toEqual([path, 431]);
      }
    },
  );

  test("are refused if there are more than a hundred", async () => {
    const many = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, n) => [`X-Header-${n}`, "x"]));
    expect((await request("/faq", { headers: many(101) })).status).toBe(431);
    expect((await request("/faq", { headers: many(90) })).status).toBe(200);
  });

  test("may hold a login and another site's 4 KB of cookies", async () => {
    const { cookie } = await makeMember();
    const others = `analytics=${"x".repeat(4_000)}`;
    expect((await request("/account", { cookie: `${others}; ${cookie}` })).status).toBe(200);
  });
});

describe("?_data=", () => {
  test.each([
    "/?_data=root",
    "/?_data=",
    "/faq?_data=routes%2F_index",
    "/faq?_data=__proto__",
    "/login?_data=routes%2Faccount",
    "/ratings-of-my-songs?_data=routes%2Faccount",
  ])(
    "for what is not the page's own data is refused without an error in the log: %s",
    async (path) => {
      const events = watchLog();
      const response = await request(path);
      expect(response.status).toBe(400);
      expect(await response.text()).not.toContain("routeId");
      expect(events()).toEqual(["request"]);
    },
  );

  test.each(["/?_data=routes%2F_index", "/logout?_data=routes%2Flogout"])(
    "is refused in a post: %s",
    async (path) => {
      const events = watchLog();
      expect((await request(path, { method: "POST" })).status).toBe(400);
      expect(events()).toEqual(["request"]);
    },
  );

  test("never comes from a page that is kept for others", async () => {
    const page = await request("/faq");
    const data = await request("/faq?_data=routes%2Ffaq");
    expect(page.headers.get("Content-Type")).toContain("text/html");
    expect(data.headers.get("Content-Type")).not.toContain("text/html");
    expect((await request("/?_data=routes%2F_index")).headers.get("Content-Type")).toContain(
      "json",
    );
  });
});
