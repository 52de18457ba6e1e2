import { env } from "cloudflare:workers";
import { describe, expect, test, vi } from "vitest";
import { makeCommunity } from "../../support/database/community";
import { countingDatabase } from "../../support/database/counting-database";
import { makeMember } from "../../support/login";
import { request } from "../../support/request";

const pages = ["/", "/faq", "/imprint"];

function ask(
  path: string,
  bindings: object,
  options: Parameters<typeof request>[1] = {},
): Promise<Response> {
  return request(path, { ...options, bindings });
}

describe("a page that is the same for every visitor", () => {
  test.each(pages)(
    "%s is the same the second time, which does not use the database",
    async (path) => {
      const counting = countingDatabase(env.DB);
      const bindings = { ...env, DB: counting.binding };
      const first = await ask(path, bindings);
      // The landing page has figures in it.
      expect(counting.roundTrips()).toBe(path === "/" ? 1 : 0);
      const second = await ask(path, bindings);
      expect([first.status, second.status]).toEqual([200, 200]);
      expect(await second.text()).toBe(await first.text());
      expect(second.headers.get("Content-Security-Policy")).toBe(
        first.headers.get("Content-Security-Policy"),
      );
      expect(second.headers.get("X-Request-Id")).not.toBe(first.headers.get("X-Request-Id"));
      expect(counting.roundTrips()).toBe(path === "/" ? 1 : 0);
    },
  );

  test.each(pages)("%s is not sent again to a browser that has it", async (path) => {
    const first = await ask(path, env);
    const headers = { "If-None-Match": first.headers.get("ETag") ?? "none" };
    const second = await ask(path, env, { headers });
    expect([second.status, await second.text()]).toEqual([304, ""]);
    expect(second.headers.get("ETag")).toBe(first.headers.get("ETag"));
    const other = await ask(path, env, { headers: { "If-None-Match": '"another"' } });
    expect(other.status).toBe(200);
  });

  test.each(pages)("%s still shows who is logged in, and nobody else sees that", async (path) => {
    const bindings = { ...env };
    const { cookie } = await makeMember({ displayName: "Logged-in Lou" });
    const etag = (await ask(path, bindings)).headers.get("ETag") ?? "";
    const headers = { Cookie: cookie, "If-None-Match": etag };
    const own = await ask(path, bindings, { headers });
    expect(own.status).toBe(200);
    expect(own.headers.get("Cache-Control")).toMatch(/no-store/);
    expect(own.headers.has("ETag")).toBe(false);
    expect(await own.text()).toContain("Logged-in Lou");
    expect(await (await ask(path, bindings)).text()).not.toContain("Logged-in Lou");
  });

  test("is rendered anew after ten minutes, with the figures of that time", async () => {
    const bindings = { ...env };
    const etag = (await ask("/", bindings)).headers.get("ETag") ?? "";
    await makeCommunity({ songs_rated_this_week: 128 });
    const again = async () => await ask("/", bindings, { headers: { "If-None-Match": etag } });
    expect((await again()).status).toBe(304);
    vi.setSystemTime(Date.now() + 10 * 60_000);
    const later = await again();
    vi.useRealTimers();
    expect(await later.text()).toContain("<strong>128</strong> songs were rated here this week.");
  });

  test("has no body in the response to HEAD", async () => {
    const bindings = { ...env };
    for (const state of ["not rendered yet", "rendered"]) {
      const head = await ask("/faq", bindings, { method: "HEAD" });
      expect([state, head.status, await head.text()]).toEqual([state, 200, ""]);
      await ask("/faq", bindings);
    }
  });

  test.each([
    ["ended", "Your login has ended"],
    ["declined", "You chose not to log in"],
  ])("says with ?%s what became of a login, and only then", async (name, notice) => {
    const bindings = { ...env };
    for (const path of [`/?${name}`, `/?x&%${name.charCodeAt(0).toString(16)}${name.slice(1)}=1`]) {
      expect(await (await ask(path, bindings)).text()).toContain(notice);
    }
    for (const path of ["/", `/?x=${name}`, `/?${name.toUpperCase()}`]) {
      expect(await (await ask(path, bindings)).text()).not.toContain(notice);
    }
  });

  test.each([
    ["/", "?utm_source=news%22%3E%3Cscript%3E&utm_medium=mail"],
    ["/", "?menu=addownsong&q=needle"],
    ["/", "?index"],
    ["/faq", "?ended="],
    ["/imprint", "?fbclid=needle"],
  ])("%s%s is the page without the query, from memory", async (path, query) => {
    const plain = await (await ask(path, { ...env })).text();
    const counting = countingDatabase(env.DB);
    const bindings = { ...env, DB: counting.binding };
    // Whoever comes first with a query leaves nothing of it to others.
    const first = await ask(`${path}${query}`, bindings);
    const renderings = counting.roundTrips();
    const others = [await ask(path, bindings), await ask(`${path}?another=1`, bindings)];
    expect(counting.roundTrips()).toBe(renderings);
    const withoutNonce = (page: string) => page.replaceAll(/nonce[=-]"?\w+/g, "");
    for (const answer of [first, ...others]) {
      expect([answer.status, answer.headers.get("ETag")]).toEqual([200, first.headers.get("ETag")]);
      expect(answer.headers.get("Cache-Control")).toBe("private, no-cache");
      expect(withoutNonce(await answer.text())).toBe(withoutNonce(plain));
    }
    expect(plain).toContain(`<link rel="canonical" href="${env.APP_ORIGIN}${path}"/>`);
    const headers = { "If-None-Match": first.headers.get("ETag") ?? "none" };
    expect((await ask(`${path}?yet=another`, bindings, { headers })).status).toBe(304);
  });

  test("with a query, a member still gets their own", async () => {
    const bindings = { ...env };
    await ask("/?utm_source=mail", bindings);
    const { cookie } = await makeMember({ displayName: "Logged-in Lou" });
    const own = await ask("/?utm_source=mail", bindings, { headers: { Cookie: cookie } });
    expect(own.headers.get("Cache-Control")).toMatch(/no-store/);
    expect(await own.text()).toContain("Logged-in Lou");
    expect(await (await ask("/?utm_source=mail", bindings)).text()).not.toContain("Lou");
  });

  test("differs if the configuration differs", async () => {
    const one = await (await ask("/imprint", { ...env, OPERATOR_NAME: "One" })).text();
    const two = await (await ask("/imprint", { ...env, OPERATOR_NAME: "Two" })).text();
    expect(one).not.toBe(two);
  });
});
