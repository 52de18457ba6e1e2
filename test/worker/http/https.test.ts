/** Plain HTTP in production. In development it is allowed on loopback only. */
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { contents } from "../../support/database/contents";
import { production } from "../../support/production-environment";
import { request } from "../../support/request";

const origin = production.APP_ORIGIN;
const bindings = {
  ...production,
  DB: env.DB,
  OUTBOX_QUEUE: env.OUTBOX_QUEUE,
  CODE_QUEUE: env.CODE_QUEUE,
};

function ask(url: string, options: Parameters<typeof request>[1] = {}): Promise<Response> {
  return request(url, { ...options, bindings });
}

test.each(["/", "/faq", "/unsubscribe?token=a.b%2Bc", "/no-such-page", "/?_data=routes%2F_index"])(
  "over plain HTTP %s redirects to https with an empty body",
  async (path) => {
    for (const method of ["GET", "HEAD"]) {
      const response = await ask(`http://fivefold.example${path}`, { method });
      expect([method, response.status, response.headers.get("Location")]).toEqual([
        method,
        308,
        `${origin}${path}`,
      ]);
      expect(response.headers.get("Cache-Control")).toBe("private, no-store");
      expect(response.headers.getSetCookie()).toEqual([]);
      expect(await response.text()).toBe("");
    }
  },
);

test("over plain HTTP no redirect leads to another host", async () => {
  const foreign = await ask("http://elsewhere.example/faq");
  expect(foreign.headers.get("Location")).toBe(`${origin}/faq`);
  for (const path of ["//elsewhere.example", "/\\elsewhere.example"]) {
    const slashes = await ask(`http://fivefold.example${path}`);
    expect([slashes.status, slashes.headers.get("Location")]).toEqual([404, null]);
  }
});

test.each([
  "/login",
  "/webhooks/stripe",
  "/webhooks/resend",
  "/songs/x/rating",
  "/unsubscribe?token=x",
])("over plain HTTP a POST of %s is refused, and changes nothing", async (path) => {
  const before = await contents();
  const response = await ask(`http://fivefold.example${path}`, { json: { score: 3 } });
  expect(response.status).toBe(403);
  expect(response.headers.getSetCookie()).toEqual([]);
  expect(await response.json()).toEqual({ error: "Use https. Nothing was changed." });
  expect(await contents()).toEqual(before);
});

test("over plain HTTP Strict-Transport-Security is not sent", async () => {
  const { headers } = await ask("http://fivefold.example/faq");
  expect(headers.has("Strict-Transport-Security")).toBe(false);
});

test("over https a page is shown, with Strict-Transport-Security", async () => {
  const response = await ask(`${origin}/faq`);
  expect(response.status).toBe(200);
  expect(response.headers.get("Strict-Transport-Security")).toMatch(
    /^max-age=\d{8,}; includeSubDomains$/,
  );
});
