import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { contents } from "../../support/database/contents";
import { countingDatabase } from "../../support/database/counting-database";
import { makeMember } from "../../support/login";
import { makeOperator } from "../../support/operator";
import { request } from "../../support/request";
import { beginLogin, comeBack, decide } from "../session/login-flow";

/** What anybody can tell of an answer. */
async function told(response: Response) {
  const headers = Object.fromEntries(response.headers);
  // Each answer has its own, and so does each nonce and each bookmark.
  delete headers["x-request-id"];
  const nonces = (text: string) => text.replace(/[0-9a-f]{32}/g, "nonce");
  const cookie = headers["set-cookie"]?.replace(/=[^;]*/, "=");
  const policy = nonces(headers["content-security-policy"] ?? "");
  return {
    status: response.status,
    headers: { ...headers, "set-cookie": cookie, "content-security-policy": policy },
    body: nonces(await response.text()),
  };
}

/** The answer to a request, and how often it asked the database. */
async function asked(path: string, options: Parameters<typeof request>[1] = {}) {
  const counting = countingDatabase(env.DB);
  const response = await request(path, {
    ...options,
    bindings: { ...env, ...options.bindings, DB: counting.binding },
  });
  return { ...(await told(response)), roundTrips: counting.roundTrips() };
}

const ways: { name: string; query?: string; options?: Parameters<typeof request>[1] }[] = [
  { name: "GET" },
  { name: "GET with a query", query: "?person=somebody" },
  { name: "GET of a look", query: "?look=1764000000000" },
  { name: "POST of a look", options: { form: { do: "look", person: "somebody" } } },
  { name: "HEAD", options: { method: "HEAD" } },
  { name: "POST", options: { form: { do: "dismiss" } } },
  { name: "POST as a program", options: { json: { do: "dismiss" } } },
  { name: "the page's data", query: "?_data=routes%2Foperator" },
  { name: "the data of another page", query: "?_data=routes%2Ffaq" },
  { name: "the data of no page", query: "?_data=routes%2F-" },
  {
    name: "data asked for by a program",
    query: "?_data=x",
    options: { headers: { Accept: "application/json" } },
  },
  {
    name: "POST from another site",
    options: { form: {}, headers: { Origin: "https://evil.example" } },
  },
];

describe.each(["/operator", "/operator/act", "/operator/", "/OPERATOR"])(
  "for everybody else there is nothing at %s",
  (path) => {
    // As long, and of as many parts.
    const nowhere = path.replace(/operator/i, "operetta");

    test.each(ways)("$name, for a visitor", async ({ query = "", options }) => {
      expect(await asked(path + query, options)).toEqual(await asked(nowhere + query, options));
    });

    test.each(ways)("$name, for a member", async ({ query = "", options }) => {
      const { cookie } = await makeMember();
      // What was recorded of them a moment ago is not recorded again.
      await request("/nowhere", { cookie });
      const one = await asked(path + query, { ...options, cookie });
      expect(one).toEqual(await asked(nowhere + query, { ...options, cookie }));
      expect([403, 404, 400]).toContain(one.status);
      expect(one.roundTrips).toBeLessThanOrEqual(1);
    });
  },
);

test.each([
  { name: "the beginning of an operator's", of: (id: string) => id.slice(0, -1) },
  { name: "the end of one", of: (id: string) => id.slice(1) },
  { name: "a part of one", of: (id: string) => id.slice(2, -2) },
  { name: "one and more", of: (id: string) => `${id}x` },
  { name: "more and one", of: (id: string) => `x${id}` },
  { name: "one in capitals", of: (id: string) => id.toUpperCase() },
  { name: "one with a space", of: (id: string) => `${id} ` },
  { name: "the whole list", of: (id: string) => `somebody-else, ${id}` },
  { name: "a separator", of: () => "," },
  { name: "empty", of: () => "" },
])("a Spotify id that is $name is no operator's", async ({ of }) => {
  const { bindings, spotifyId } = await makeOperator();
  const { user, cookie } = await makeMember();
  const rename = env.DB.prepare("UPDATE users SET spotify_id = ? WHERE id = ?");
  await rename.bind(of(spotifyId), user.id).run();
  expect((await request("/operator", { cookie, bindings })).status).toBe(404);
  expect((await request("/operator/act", { cookie, bindings, form: {} })).status).toBe(404);
});

test("no login leads there, and robots.txt does not name it", async () => {
  const login = await beginLogin(undefined, "/operator");
  const response = await comeBack(await decide(login, "kaito-morinaga"), login.cookie);
  expect(response.headers.get("Location")).toBe("/");
  expect(await (await request("/robots.txt")).text()).not.toContain("operator");
});

test("an operator sees the page, without a script", async () => {
  const { ask, page } = await makeOperator();
  const response = await ask("/operator");
  expect(response.status).toBe(200);
  expect(response.headers.get("Cache-Control")).toContain("no-store");
  const text = await response.text();
  expect(text).toContain("<title>Operation - Fivefold</title>");
  expect(text).not.toMatch(/<script/i);
  expect(await page()).toContain("No song waits for a decision.");
});

test("who is taken off the list in the middle finds nothing any more, and does nothing", async () => {
  const { cookie, ask } = await makeOperator();
  expect((await ask("/operator")).status).toBe(200);
  const before = await contents("operator_log", "submission_locks", "songs", "reports");
  const form = { do: "lock", user: "somebody", reason: "No reason." };
  const bindings = { ...env, OPERATORS: "somebody-else" };
  expect((await request("/operator/act", { cookie, form, bindings })).status).toBe(404);
  expect((await request("/operator", { cookie, bindings })).status).toBe(404);
  expect(await contents("operator_log", "submission_locks", "songs", "reports")).toEqual(before);
});

test("an action needs a login that is less than an hour old, and says so after it", async () => {
  const { ask, page, act, sessionId } = await makeOperator();
  const { user } = await makeMember();
  await env.DB.prepare("UPDATE sessions SET created_at = created_at - 3605000 WHERE id = ?")
    .bind(sessionId)
    .run();
  const form = { do: "lock", user: user.id, reason: "It is not music." };
  const response = await act(form);
  expect(response.status).toBe(303);
  expect(response.headers.get("Location")).toContain("/spotify/accounts/authorize?");
  const json = await ask("/operator/act", { json: form });
  expect([json.status, await json.json()]).toMatchObject([401, { loginAgain: true }]);
  expect(await contents("operator_log", "submission_locks")).toEqual({
    operator_log: [],
    submission_locks: [],
  });
  expect(await page("?again")).toContain("You are logged in again.");
});

test("a look at somebody needs such a login too, also to be seen again", async () => {
  const { ask, act, sessionId } = await makeOperator();
  const { user } = await makeMember();
  const look = { do: "look", person: user.id };
  const where = (await act(look)).headers.get("Location") ?? "";
  const shows = async (path: string) => (await (await ask(path)).text()).includes("Delete their");
  expect(await shows(where)).toBe(true);
  await env.DB.prepare("UPDATE sessions SET created_at = created_at - 3605000 WHERE id = ?")
    .bind(sessionId)
    .run();
  const before = await contents("operator_log");
  expect((await act(look)).headers.get("Location")).toContain("/spotify/accounts/authorize?");
  expect((await ask("/operator/act", { json: look })).status).toBe(401);
  expect(await contents("operator_log")).toEqual(before);
  expect([await shows(where), await shows(`/operator?person=${user.id}`)]).toEqual([false, false]);
});

test("an action from another site is refused", async () => {
  const { ask } = await makeOperator();
  const { user } = await makeMember();
  const form = { do: "lock", user: user.id, reason: "It is not music." };
  const headers = { Origin: "https://evil.example" };
  expect((await ask("/operator/act", { form, headers })).status).toBe(403);
  expect(await contents("operator_log")).toEqual({ operator_log: [] });
});

test.each([
  {},
  { do: "burn", song: "s", reason: "x" },
  { do: "dismiss", song: "s", seenAt: "0", decidedAt: "", reason: " " },
  { do: "dismiss", song: "s", seenAt: "then", decidedAt: "", reason: "x" },
  { do: "take_out", song: "s", seenAt: "0", decidedAt: "", reason: "x".repeat(1001) },
  { do: "lock", reason: "x" },
  { do: "look" },
  { do: "look", person: " " },
])("%j is no action", async (form) => {
  const { act } = await makeOperator();
  expect((await act(form as Record<string, string>)).status).toBe(422);
  expect(await contents("operator_log")).toEqual({ operator_log: [] });
});

test("of too many requests an operator hears, as everybody does elsewhere", async () => {
  const { ask, bindings } = await makeOperator();
  const none = { limit: async () => ({ success: false }) };
  const full = { ...bindings, LIMIT_WIDE: none, LIMIT_NORMAL: none };
  expect((await ask("/operator", { bindings: full })).status).toBe(429);
  expect((await ask("/operator/act", { bindings: full, form: {} })).status).toBe(429);
});
