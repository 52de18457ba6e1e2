import { env, exports } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { makePackage, makeSong, makeUser } from "../../support/database/factories";
import { makeSession } from "../../support/login";
import { pages } from "../../support/pages";
import { dataOf, request } from "../../support/request";

let cookie: string;

beforeEach(async () => {
  const viewer = await makeUser();
  await makePackage(viewer, [await makeSong(await makeUser())]);
  ({ cookie } = await makeSession(viewer, { musician: "haru-tsukishiro" }));
});

/** The sources of a response's policy by directive. */
function policyOf(response: Response): Record<string, string[]> {
  const policy = response.headers.get("Content-Security-Policy") ?? "";
  return Object.fromEntries(
    policy.split("; ").map((directive) => {
      const [name = "", ...sources] = directive.split(" ");
      return [name, sources];
    }),
  );
}

function nonceOf(response: Response): string {
  const source = policyOf(response)["script-src"]?.find((one) => one.startsWith("'nonce-"));
  return source?.slice("'nonce-".length, -1) ?? "";
}

/** Here the origin of the stand-ins takes the place of Spotify's. */
const spotify = env.SANDBOX_ORIGIN;
const payment = env.STRIPE_PAGE_ORIGINS.split(" ");

describe("the carousel's policy", () => {
  test("allows the player's script, frame and API", async () => {
    const policy = policyOf(await request("/", { cookie }));
    expect(policy["script-src"]).toContain(spotify);
    expect(policy["frame-src"]).toEqual([spotify]);
    expect(policy["connect-src"]).toEqual(["'self'", spotify]);
  });

  test("has a nonce that all inline scripts have, and that differs each time", async () => {
    const [one, two] = await Promise.all([request("/", { cookie }), request("/", { cookie })]);
    expect(nonceOf(one)).toMatch(/^[0-9a-f]{32}$/);
    expect(nonceOf(one)).not.toBe(nonceOf(two));
    const scripts = (await one.text()).match(/<script[^>]*>/g) ?? [];
    expect(scripts.length).toBeGreaterThan(0);
    const without = scripts.filter((tag) => !tag.includes(`nonce="${nonceOf(one)}"`));
    expect(without).toEqual([]);
  });
});

describe("the policy of a page that plays nothing", () => {
  test.each([
    { path: "/", loggedIn: false },
    { path: "/faq", loggedIn: false },
    { path: "/faq", loggedIn: true },
    { path: "/imprint", loggedIn: true },
    { path: "/subscribe", loggedIn: true },
    { path: "/subscription-success", loggedIn: true },
    { path: "/ratings-of-my-songs", loggedIn: false },
    { path: "/account", loggedIn: false },
    { path: "/no-such-page", loggedIn: true },
  ])("$path (logged in: $loggedIn) lets no player in", async ({ path, loggedIn }) => {
    const policy = policyOf(await request(path, loggedIn ? { cookie } : {}));
    expect(policy["script-src"]).not.toContain(spotify);
    expect(policy["frame-src"]).toEqual(["'none'"]);
    expect(policy["connect-src"]).not.toContain(spotify);
    expect(policy["form-action"]).toEqual(["'self'", spotify, ...(loggedIn ? payment : [])]);
    expect(policy["img-src"]).toEqual(["'self'", "data:", ...(loggedIn ? [spotify] : [])]);
  });
});

test("the policy of a page without scripts allows none, and no requests to others", async () => {
  for (const path of ["/", "/faq", "/imprint", "/account", "/no-such-page"]) {
    const policy = policyOf(await request(path));
    expect([path, policy["script-src"], policy["connect-src"]]).toEqual([
      path,
      ["'none'"],
      ["'self'"],
    ]);
  }
});

test.each(["/", "/ratings-of-my-songs", "/account"])(
  "%s of a member lets the player in, which may arrive without another document",
  async (path) => {
    const { headers } = await request(path, { cookie });
    expect(headers.get("Permissions-Policy")).toContain(`autoplay=(self "${spotify}")`);
    expect(headers.get("Permissions-Policy")).toContain(`encrypted-media=(self "${spotify}")`);
    expect(headers.get("Content-Security-Policy")).toContain(`connect-src 'self' ${spotify};`);
  },
);

test("sound is allowed nowhere else", async () => {
  const { headers } = await request("/faq", { cookie });
  expect(headers.get("Permissions-Policy")).toContain("autoplay=()");
});

describe("every response", () => {
  const answers: { name: string; ask(): Promise<Response>; status: number }[] = [
    { name: "the carousel", status: 200, ask: () => request("/", { cookie }) },
    { name: "the landing page", status: 200, ask: () => request("/") },
    { name: "the ratings", status: 200, ask: () => request("/ratings-of-my-songs", { cookie }) },
    { name: "a missing page", status: 404, ask: () => request("/no-such-page") },
    { name: "data", status: 200, ask: () => request(dataOf("/"), { cookie }) },
    { name: "JSON", status: 401, ask: () => request("/player/token") },
    { name: "a token", status: 200, ask: () => request("/player/token", { cookie }) },
    { name: "a redirect", status: 303, ask: () => request("/login", { form: {} }) },
    {
      name: "a refusal to people",
      status: 404,
      ask: () => request("/songs/none/rating", { cookie, form: { score: "1" } }),
    },
    {
      name: "a refusal to programs",
      status: 404,
      ask: () => request("/songs/none/rating", { cookie, json: { score: 1 } }),
    },
    { name: "a failed login", status: 400, ask: () => request("/auth/spotify/callback") },
    {
      name: "a refused origin",
      status: 403,
      ask: () => request("/login", { form: {}, headers: { Origin: "https://evil.example" } }),
    },
    {
      name: "a foreign host",
      status: 503,
      ask: () => exports.default.fetch(new Request("http://fivefold.example/")),
    },
  ];

  test.each(answers)(
    "($name) has an enforced policy without loopholes",
    async ({ ask, status }) => {
      const response = await ask();
      expect(response.status).toBe(status);
      expect(response.headers.has("Content-Security-Policy-Report-Only")).toBe(false);
      const policy = policyOf(response);
      expect(policy["default-src"]).toEqual(["'none'"]);
      expect(policy["frame-ancestors"]).toEqual(["'none'"]);
      const loopholes = [
        "'unsafe-inline'",
        "'unsafe-eval'",
        "'unsafe-hashes'",
        "*",
        "https:",
        "http:",
      ];
      const sources = Object.values(policy).flat();
      expect(sources.filter((source) => loopholes.includes(source))).toEqual([]);
      expect(policy["script-src"] ?? []).not.toContain("data:");
    },
  );

  test.each(answers)(
    "($name) has the security headers, and caches do not keep it",
    async ({ ask }) => {
      const { headers } = await ask();
      expect(headers.get("X-Content-Type-Options")).toBe("nosniff");
      expect(headers.get("X-Frame-Options")).toBe("DENY");
      expect(headers.get("Referrer-Policy")).toBe("same-origin");
      expect(headers.get("Cross-Origin-Opener-Policy")).toBe("same-origin");
      expect(headers.get("Cross-Origin-Resource-Policy")).toBe("same-origin");
      expect(headers.get("Permissions-Policy")).toContain("camera=()");
      expect(headers.get("X-Request-Id")).toMatch(/^[0-9a-f-]{36}$/);
      expect(headers.get("Cache-Control")).toMatch(/^private, no-(store|cache)$/);
      expect(headers.has("X-Powered-By")).toBe(false);
    },
  );
});

test("every page, an error's too, asks Cloudflare to leave its addresses as they are, and may be compressed", async () => {
  const { cookie: other } = await makeSession(await makeUser());
  const answers = [
    ...pages.flatMap((path) => [request(path), request(path, { cookie: other })]),
    request("/nothing/here"),
    request("/songs/none/rating", { cookie: other, form: { score: "5" } }),
    request("/login", { form: {}, headers: { Origin: "https://evil.example" } }),
  ];
  const isPlain = /<body[^>]*><!--email_off-->(?:(?!<\/?body).)*<!--\/email_off--><\/body>/s;
  let seen = 0;
  for (const response of await Promise.all(answers)) {
    expect(response.headers.get("Cache-Control")).not.toContain("no-transform");
    const text = await response.text();
    if (!text.startsWith("<!DOCTYPE html>")) continue;
    expect(text).toMatch(isPlain);
    seen += 1;
  }
  expect(seen).toBeGreaterThan(pages.length);
});

test("no page has an inline style or handler that its policy would forbid", async () => {
  for (const path of [
    "/",
    "/?menu=addownsong",
    "/ratings-of-my-songs",
    "/faq",
    "/imprint",
    "/subscribe",
    "/subscription-success",
  ]) {
    const page = await (await request(path, { cookie })).text();
    const inline = page.match(/<[a-z][^>]*\s(style|on[a-z]+)=|<style|javascript:/gi) ?? [];
    expect([path, inline]).toEqual([path, []]);
  }
});

test("Strict-Transport-Security is sent over https only", async () => {
  const name = "Strict-Transport-Security";
  const secure = await exports.default.fetch(new Request("https://127.0.0.1:8787/faq"));
  expect(secure.headers.get(name)).toMatch(/^max-age=\d{8,}/);
  expect((await request("/faq")).headers.has(name)).toBe(false);
});

test("the player's script is preloaded by a header, but not on an iPhone, where it does not play", async () => {
  const links = async (userAgent: string, path = "/") =>
    (await request(path, { cookie, headers: { "User-Agent": userAgent } })).headers.get("Link");
  const script = `<${spotify}/spotify/sdk/spotify-player.js>; rel=preload; as=script`;
  expect(await links("Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0 Safari/537.36")).toContain(
    script,
  );
  const iPhone = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Safari/604.1";
  expect(await links(iPhone)).toBe(`<${spotify}>; rel=preconnect; crossorigin`);
  expect(await links(iPhone, "/account")).toBeNull();
});
