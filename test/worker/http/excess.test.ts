/** Requests that would be expensive to process are refused before anything processes them. */
import { env, exports } from "cloudflare:workers";
import { afterEach, expect, test, vi } from "vitest";
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
function ask(path: string, Accept: string, method = "GET"): Promise<Response> {
  const asked = new Request(`${env.APP_ORIGIN}${path}`, { method, headers: { Accept } });
  return exports.default.fetch(asked);
}

test.each([
  { name: "with 15,000 slashes", path: `/${"/".repeat(15_000)}x` },
  { name: "with two slashes at the start", path: "//faq" },
  { name: "with two slashes in the middle", path: "/songs//rating" },
  { name: "with two slashes at the end", path: "/faq//" },
  { name: "with backslashes", path: "/\\\\x" },
  { name: "of more than a kilobyte", path: `/${"a".repeat(1024)}` },
])("a path $name is not found, to people and to programs", async ({ path }) => {
  for (const method of ["GET", "POST"]) {
    const events = watchLog();
    const page = await ask(path, "text/html", method);
    expect([method, page.status]).toEqual([method, 404]);
    expect(await page.text()).toContain("There is no such page.");
    const json = await ask(path, "application/json", method);
    expect([json.status, await json.json()]).toEqual([404, { error: expect.any(String) }]);
    expect(events()).toEqual(["request", "request"]);
  }
});

test("a path of a kilobyte is accepted, and is an ordinary missing page", async () => {
  const response = await ask(`/${"a".repeat(1023)}`, "text/html");
  expect(response.status).toBe(404);
  expect(await response.text()).toContain("Perhaps it has moved");
});

test("a query of more than four kilobytes is refused; one of four is not", async () => {
  for (const path of ["/", "/faq", "/unsubscribe", "/no-such-page"]) {
    for (const length of [4097, 4096]) {
      const { status } = await request(`${path}?a=${"b".repeat(length - 3)}`);
      expect([path, length, status === 414]).toEqual([path, length, length > 4096]);
    }
  }
});

test.each(["User-Agent", "Cookie", "Accept-Language", "Referer", "X-Anything"])(
  "headers of more than 16 KB are refused (%s)",
  async (name) => {
    for (const path of ["/", "/account", "/player/token", "/no-such-page"]) {
      for (const length of [17_000, 12_000]) {
        const { status } = await request(path, { headers: { [name]: "x".repeat(length) } });
        expect([path, length, status === 431]).toEqual([path, length, length > 16_384]);
      }
    }
  },
);

test("more than a hundred headers are refused, and a login beside another site's 4 KB of cookies is not", async () => {
  const many = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, n) => [`X-Header-${n}`, "x"]));
  expect((await request("/faq", { headers: many(101) })).status).toBe(431);
  expect((await request("/faq", { headers: many(90) })).status).toBe(200);
  const { cookie } = await makeMember();
  const both = `analytics=${"x".repeat(4_000)}; ${cookie}`;
  expect((await request("/account", { cookie: both })).status).toBe(200);
});

test.each([
  ["GET", "/?_data=root"],
  ["GET", "/?_data="],
  ["GET", "/faq?_data=routes%2F_index"],
  ["GET", "/faq?_data=__proto__"],
  ["GET", "/login?_data=routes%2Faccount"],
  ["GET", "/ratings-of-my-songs?_data=routes%2Faccount"],
  ["POST", "/?_data=routes%2F_index"],
  ["POST", "/logout?_data=routes%2Flogout"],
])(
  "%s %s, which is not the page's own data, is refused without an error in the log",
  async (method, path) => {
    const events = watchLog();
    const response = await request(path, { method });
    expect(response.status).toBe(400);
    expect(await response.text()).not.toContain("routeId");
    expect(events()).toEqual(["request"]);
  },
);

test("?_data= never comes from a page that is kept for others", async () => {
  const typeOf = async (path: string) => (await request(path)).headers.get("Content-Type");
  expect(await typeOf("/faq")).toContain("text/html");
  expect(await typeOf("/faq?_data=routes%2Ffaq")).not.toContain("text/html");
  expect(await typeOf("/?_data=routes%2F_index")).toContain("json");
});
