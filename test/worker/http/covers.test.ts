import { expect, test } from "vitest";
import { makeUser } from "../../support/database/factories";
import { makeSession } from "../../support/login";
import { request } from "../../support/request";

const hash = "xJ8kq0YvC3Zt_1nW5bR-7mDfE2hGsA9uLpQoTiVyBcM";

test("/covers shows the drawing of a hash, which browsers may keep", async () => {
  const response = await request(`/covers/${hash}.svg`);
  expect(response.status).toBe(200);
  expect(response.headers.get("Content-Type")).toBe("image/svg+xml");
  expect(response.headers.get("Cache-Control")).toBe("public, max-age=31536000, immutable");
  expect(response.headers.get("Content-Security-Policy")).toBe(
    "default-src 'none'; frame-ancestors 'none'",
  );
  expect(response.headers.get("Cross-Origin-Resource-Policy")).toBe("same-origin");
  expect(await response.text()).toMatch(/^<svg .*<\/svg>$/);
});

test("/covers gives members the same, whatever they ask, and no cookie", async () => {
  const { cookie } = await makeSession(await makeUser());
  const plain = await request(`/covers/${hash}.svg`);
  const asked = await request(`/covers/${hash}.svg?size=64`, { cookie });
  expect(await asked.text()).toBe(await plain.text());
  expect(asked.headers.has("Set-Cookie")).toBe(false);
});

test.each([
  ".svg",
  hash,
  `${hash}.png`,
  `${hash}.svg.png`,
  `${hash}x.svg`,
  `${hash.slice(1)}.svg`,
  `%3Csvg%3E.svg`,
  `${hash}.svg/more`,
])("/covers has nothing at %s", async (name) => {
  const response = await request(`/covers/${name}`);
  expect(response.status).toBe(404);
  expect(response.headers.get("Cache-Control")).not.toContain("immutable");
});
