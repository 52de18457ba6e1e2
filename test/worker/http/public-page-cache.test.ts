import { env } from "cloudflare:workers";
import { expect, test, vi } from "vitest";
import { makeCommunity } from "../../support/database/community";
import { countingDatabase } from "../../support/database/counting-database";
import { makeMember } from "../../support/login";
import { request } from "../../support/request";

const pages = ["/", "/faq", "/imprint"];

/** An isolate that has rendered nothing yet; what it renders is kept with its bindings. */
function isolate(vars: object = {}) {
  const counting = countingDatabase(env.DB);
  const bindings = { ...env, DB: counting.binding, ...vars };
  const ask = (path: string, headers: Record<string, string> = {}, method = "GET") =>
    request(path, { headers, method, bindings });
  return { ask, roundTrips: counting.roundTrips };
}

test.each(pages)(
  "%s is the same for every visitor the second time, which does not use the database, and not sent again to a browser that has it",
  async (path) => {
    const { ask, roundTrips } = isolate();
    const first = await ask(path);
    const text = await first.text();
    const second = await ask(path);
    expect([first.status, second.status, await second.text()]).toEqual([200, 200, text]);
    const told = ({ headers }: Response) =>
      ["Content-Security-Policy", "ETag"].map((name) => headers.get(name));
    expect(told(second)).toEqual(told(first));
    expect(second.headers.get("X-Request-Id")).not.toBe(first.headers.get("X-Request-Id"));
    const etag = first.headers.get("ETag") ?? "none";
    const third = await ask(path, { "If-None-Match": etag });
    expect([third.status, await third.text(), third.headers.get("ETag")]).toEqual([304, "", etag]);
    expect((await ask(path, { "If-None-Match": '"another"' })).status).toBe(200);
    // The landing page has figures in it.
    expect(roundTrips()).toBe(path === "/" ? 1 : 0);
  },
);

test.each([...pages, "/?utm_source=mail"])(
  "%s still shows who is logged in, and nobody else sees that",
  async (path) => {
    const { ask } = isolate();
    const { cookie } = await makeMember({ displayName: "Logged-in Lou" });
    const etag = (await ask(path)).headers.get("ETag") ?? "";
    const own = await ask(path, { Cookie: cookie, "If-None-Match": etag });
    expect([own.status, own.headers.has("ETag")]).toEqual([200, false]);
    expect(own.headers.get("Cache-Control")).toMatch(/no-store/);
    expect(await own.text()).toContain("Logged-in Lou");
    expect(await (await ask(path)).text()).not.toContain("Lou");
  },
);

test("the landing page is rendered anew after ten minutes, with the figures of that time", async () => {
  const { ask } = isolate();
  const etag = (await ask("/")).headers.get("ETag") ?? "";
  await makeCommunity({ songs_rated_this_week: 128 });
  expect((await ask("/", { "If-None-Match": etag })).status).toBe(304);
  vi.setSystemTime(Date.now() + 10 * 60_000);
  const later = await ask("/", { "If-None-Match": etag });
  vi.useRealTimers();
  expect(await later.text()).toContain("<strong>128</strong> songs were rated here this week.");
});

test("the response to HEAD has no body, whether the page was rendered or not", async () => {
  const { ask } = isolate();
  for (const state of ["not rendered yet", "rendered"]) {
    const head = await ask("/faq", {}, "HEAD");
    expect([state, head.status, await head.text()]).toEqual([state, 200, ""]);
    await ask("/faq");
  }
});

test.each([
  ["ended", "Your login has ended"],
  ["declined", "You chose not to log in"],
])("the landing page says with ?%s what became of a login, and only then", async (name, notice) => {
  const { ask } = isolate();
  const encoded = `%${name.charCodeAt(0).toString(16)}${name.slice(1)}`;
  for (const path of [`/?${name}`, `/?x&${encoded}=1`]) {
    expect(await (await ask(path)).text()).toContain(notice);
  }
  for (const path of ["/", `/?x=${name}`, `/?${name.toUpperCase()}`]) {
    expect(await (await ask(path)).text()).not.toContain(notice);
  }
});

test.each([
  ["/", "?utm_source=news%22%3E%3Cscript%3E&utm_medium=mail"],
  ["/", "?menu=addownsong&q=needle"],
  ["/", "?index"],
  ["/faq", "?ended="],
  ["/imprint", "?fbclid=needle"],
])("%s%s is the page without the query, from memory", async (path, query) => {
  const plain = await (await isolate().ask(path)).text();
  const { ask, roundTrips } = isolate();
  // Whoever comes first with a query leaves nothing of it to others.
  const first = await ask(`${path}${query}`);
  const renderings = roundTrips();
  const others = [await ask(path), await ask(`${path}?another=1`)];
  expect(roundTrips()).toBe(renderings);
  const etag = first.headers.get("ETag") ?? "none";
  const withoutNonce = (page: string) => page.replaceAll(/nonce[=-]"?\w+/g, "");
  for (const answer of [first, ...others]) {
    expect([answer.status, answer.headers.get("ETag")]).toEqual([200, etag]);
    expect(answer.headers.get("Cache-Control")).toBe("private, no-cache");
    expect(withoutNonce(await answer.text())).toBe(withoutNonce(plain));
  }
  expect(plain).toContain(`<link rel="canonical" href="${env.APP_ORIGIN}${path}"/>`);
  expect((await ask(`${path}?yet=another`, { "If-None-Match": etag })).status).toBe(304);
});

test("a page differs if the configuration differs", async () => {
  const imprintOf = async (OPERATOR_NAME: string) =>
    (await isolate({ OPERATOR_NAME }).ask("/imprint")).text();
  expect(await imprintOf("One")).not.toBe(await imprintOf("Two"));
});
