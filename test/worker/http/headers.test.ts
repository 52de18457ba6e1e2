import { env, exports } from "cloudflare:workers";
import { beforeEach, expect, test } from "vitest";
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
function policyOf({ headers }: Response): Record<string, string[]> {
  const policy = headers.get("Content-Security-Policy") ?? "";
  return Object.fromEntries(
    policy.split("; ").map((directive) => {
      const [name = "", ...sources] = directive.split(" ");
      return [name, sources];
    }),
  );
}

/** Here the origin of the stand-ins takes the place of Spotify's. */
const spotify = env.SANDBOX_ORIGIN;
const payment = env.STRIPE_PAGE_ORIGINS.split(" ");

test("the carousel lets the player's script, frame and API in, and inline scripts by a nonce that differs each time", async () => {
  const [one, two] = [await request("/", { cookie }), await request("/", { cookie })];
  expect(policyOf(one)).toMatchObject({
    "script-src": expect.arrayContaining([spotify]),
    "frame-src": [spotify],
    "connect-src": ["'self'", spotify],
  });
  const [nonce, other] = [one, two].map((page) =>
    policyOf(page)["script-src"]?.find((source) => source.startsWith("'nonce-")),
  );
  expect(nonce).toMatch(/^'nonce-[0-9a-f]{32}'$/);
  expect(nonce).not.toBe(other);
  const scripts = (await one.text()).match(/<script[^>]*>/g) ?? [];
  const attribute = `nonce="${nonce?.slice("'nonce-".length, -1)}"`;
  expect(scripts.map((tag) => tag.includes(attribute))).toEqual(scripts.map(() => true));
  expect(scripts).not.toEqual([]);
});

test.each([
  { path: "/", loggedIn: false },
  { path: "/faq", loggedIn: false },
  { path: "/faq", loggedIn: true },
  { path: "/imprint", loggedIn: true },
  { path: "/subscribe", loggedIn: true },
  { path: "/subscription-success", loggedIn: true },
  { path: "/ratings-of-my-songs", loggedIn: false },
  { path: "/account", loggedIn: false },
  { path: "/no-such-page", loggedIn: false },
  { path: "/no-such-page", loggedIn: true },
])("$path (logged in: $loggedIn) lets no player and no foreign script in", async (asked) => {
  const { path, loggedIn } = asked;
  const answer = await request(path, loggedIn ? { cookie } : {});
  const policy = policyOf(answer);
  expect(policy).toMatchObject({
    "frame-src": ["'none'"],
    "form-action": ["'self'", spotify, ...(loggedIn ? payment : [])],
    "img-src": ["'self'", "data:", ...(loggedIn ? [spotify] : [])],
  });
  expect([policy["script-src"], policy["connect-src"]].flat()).not.toContain(spotify);
  expect(answer.headers.get("Permissions-Policy")).toContain("autoplay=()");
  if (!loggedIn) {
    expect(policy).toMatchObject({ "script-src": ["'none'"], "connect-src": ["'self'"] });
  }
});

test.each(["/", "/ratings-of-my-songs", "/account"])(
  "%s of a member lets the player in, which may arrive without another document",
  async (path) => {
    const { headers } = await request(path, { cookie });
    const permissions = headers.get("Permissions-Policy");
    expect(permissions).toContain(`autoplay=(self "${spotify}")`);
    expect(permissions).toContain(`encrypted-media=(self "${spotify}")`);
    expect(headers.get("Content-Security-Policy")).toContain(`connect-src 'self' ${spotify};`);
  },
);

const fromElsewhere = { form: {}, headers: { Origin: "https://evil.example" } };

test.each<[name: string, status: number, ask: () => Promise<Response>]>([
  ["the carousel", 200, () => request("/", { cookie })],
  ["the landing page", 200, () => request("/")],
  ["the ratings", 200, () => request("/ratings-of-my-songs", { cookie })],
  ["a missing page", 404, () => request("/no-such-page")],
  ["data", 200, () => request(dataOf("/"), { cookie })],
  ["JSON", 401, () => request("/player/token")],
  ["a token", 200, () => request("/player/token", { cookie })],
  ["a redirect", 303, () => request("/login", { form: {} })],
  ["a refusal to people", 422, () => request("/songs/none/rating", { cookie, form: {} })],
  ["a refusal to programs", 422, () => request("/songs/none/rating", { cookie, json: {} })],
  ["a failed login", 400, () => request("/auth/spotify/callback")],
  ["a refused origin", 403, () => request("/login", fromElsewhere)],
  ["a foreign host", 503, () => exports.default.fetch(new Request("http://fivefold.example/"))],
])(
  "%s has a policy without loopholes and the security headers, and caches do not keep it",
  async (...[, status, ask]) => {
    const answer = await ask();
    const { headers } = answer;
    expect(answer.status).toBe(status);
    const policy = policyOf(answer);
    expect(policy).toMatchObject({ "default-src": ["'none'"], "frame-ancestors": ["'none'"] });
    const loopholes = /^('unsafe-(inline|eval|hashes)'|\*|https?:)$/;
    expect(
      Object.values(policy)
        .flat()
        .filter((source) => loopholes.test(source)),
    ).toEqual([]);
    expect(policy["script-src"] ?? []).not.toContain("data:");
    expect(Object.fromEntries(headers)).toMatchObject({
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
      "referrer-policy": "same-origin",
      "cross-origin-opener-policy": "same-origin",
      "cross-origin-resource-policy": "same-origin",
      "permissions-policy": expect.stringContaining("camera=()"),
      "x-request-id": expect.stringMatching(/^[0-9a-f-]{36}$/),
      "cache-control": expect.stringMatching(/^private, no-(store|cache)$/),
    });
    expect(headers.has("X-Powered-By")).toBe(false);
    expect(headers.has("Content-Security-Policy-Report-Only")).toBe(false);
  },
);

test("every page, an error's too, asks Cloudflare to leave its addresses as they are, may be compressed, and has nothing inline that its policy would forbid", async () => {
  const answers = [
    ...[...pages, "/?menu=addownsong"].flatMap((path) => [
      request(path),
      request(path, { cookie }),
    ]),
    request("/nothing/here"),
    request("/songs/none/rating", { cookie, form: { score: "5" } }),
    request("/login", fromElsewhere),
  ];
  const isPlain = /<body[^>]*><!--email_off-->(?:(?!<\/?body).)*<!--\/email_off--><\/body>/s;
  let seen = 0;
  for (const response of await Promise.all(answers)) {
    expect(response.headers.get("Cache-Control")).not.toContain("no-transform");
    const text = await response.text();
    if (!text.startsWith("<!DOCTYPE html>")) continue;
    expect(text).toMatch(isPlain);
    expect(text.match(/<[a-z][^>]*\s(style|on[a-z]+)=|<style|javascript:/gi)).toBeNull();
    seen += 1;
  }
  expect(seen).toBeGreaterThan(pages.length);
});

test("Strict-Transport-Security is sent over https only", async () => {
  const name = "Strict-Transport-Security";
  const secure = await exports.default.fetch(new Request("https://127.0.0.1:8787/faq"));
  expect(secure.headers.get(name)).toMatch(/^max-age=\d{8,}/);
  expect((await request("/faq")).headers.has(name)).toBe(false);
});

test("the player's script is preloaded by a header, but not on an iPhone, where it does not play", async () => {
  const linkFor = async (userAgent: string, path = "/") =>
    (await request(path, { cookie, headers: { "User-Agent": userAgent } })).headers.get("Link");
  expect(await linkFor("Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0 Safari/537.36")).toContain(
    `<${spotify}/spotify/sdk/spotify-player.js>; rel=preload; as=script`,
  );
  const iPhone = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Safari/604.1";
  expect(await linkFor(iPhone)).toMatch(
    /^<\/build\/[^>]+\.css>; rel=preload; as=style, <[^>]+>; rel=preconnect; crossorigin$/,
  );
  expect(await linkFor(iPhone, "/account")).toBeNull();
});
