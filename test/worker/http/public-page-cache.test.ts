import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, test, vi } from "vitest";
// @ts-expect-error: the bundle, which may not have been built yet, has no types.
import bundle from "../../../build/index.js";
import { makeCommunity } from "../../support/database/community";
import { countingDatabase } from "../../support/database/counting-database";
import { makeUser } from "../../support/database/factories";
import { makeSession } from "../../support/login";

const worker: { fetch(request: Request, env: object, ctx: ExecutionContext): Promise<Response> } =
  bundle;
const pages = ["/", "/faq", "/imprint"];

function ask(path: string, bindings: object, init: RequestInit = {}): Promise<Response> {
  const request = new Request(new URL(path, env.APP_ORIGIN), init);
  return worker.fetch(request, bindings, createExecutionContext());
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
    const { cookie } = await makeSession(await makeUser({ displayName: "Logged-in Lou" }));
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
    expect(await later.text()).toContain("128 songs were rated here this week.");
  });

  test("has no body in the response to HEAD", async () => {
    const bindings = { ...env };
    for (const state of ["not rendered yet", "rendered"]) {
      const head = await ask("/faq", bindings, { method: "HEAD" });
      expect([state, head.status, await head.text()]).toEqual([state, 200, ""]);
      await ask("/faq", bindings);
    }
  });

  test("is rendered anew if it has a query", async () => {
    const bindings = { ...env };
    await ask("/", bindings);
    const ended = await ask("/?ended", bindings);
    expect(ended.headers.has("ETag")).toBe(false);
    expect(await ended.text()).not.toBe(await (await ask("/", bindings)).text());
  });

  test("differs if the configuration differs", async () => {
    const one = await (await ask("/imprint", { ...env, OPERATOR_NAME: "One" })).text();
    const two = await (await ask("/imprint", { ...env, OPERATOR_NAME: "Two" })).text();
    expect(one).not.toBe(two);
  });
});
