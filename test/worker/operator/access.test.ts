import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { countingDatabase } from "../../support/database/counting-database";
import { makeUser } from "../../support/database/factories";
import { change, untouched } from "../../support/database/rows";
import { answers, hides, shows } from "../../support/expectations";
import { makeMember } from "../../support/login";
import { makeOperator } from "../../support/operator";
import { request } from "../../support/request";
import { beginLogin, comeBack, decide } from "../session/login-flow";

type Asked = Parameters<typeof request>[1];

/** What anybody can tell of the answer to a request, and how often it asked the database. */
async function told(path: string, asked: Asked = {}) {
  const counting = countingDatabase(env.DB);
  const response = await request(path, { ...asked, bindings: { ...env, DB: counting.binding } });
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
    roundTrips: counting.roundTrips(),
  };
}

const questions: [query: string, asked?: Asked][] = [
  [""],
  ["?person=somebody"],
  ["?look=1764000000000"],
  ["", { form: { do: "look", person: "somebody" } }],
  ["", { method: "HEAD" }],
  ["", { form: { do: "dismiss" } }],
  ["", { json: { do: "dismiss" } }],
  // The page's data, those of another page and of none, and data asked for by a program.
  ["?_data=routes%2Foperator"],
  ["?_data=routes%2Ffaq"],
  ["?_data=routes%2F-"],
  ["?_data=x", { headers: { Accept: "application/json" } }],
  ["", { form: {}, headers: { Origin: "https://evil.example" } }],
];
const paths = ["/operator", "/operator/act", "/operator/", "/OPERATOR"];

test.each(paths.flatMap((path) => questions.map(([query, asked]) => ({ path, query, asked }))))(
  "for visitors and members there is nothing at $path$query ($asked)",
  async ({ path, query, asked }) => {
    // As long, and of as many parts.
    const nowhere = path.replace(/operator/i, "operetta") + query;
    expect(await told(path + query, asked)).toEqual(await told(nowhere, asked));
    const { cookie } = await makeMember();
    // What was recorded of them a moment ago is not recorded again.
    await request("/nowhere", { cookie });
    const one = await told(path + query, { ...asked, cookie });
    expect(one).toEqual(await told(nowhere, { ...asked, cookie }));
    expect([403, 404, 400]).toContain(one.status);
    expect(one.roundTrips).toBeLessThanOrEqual(1);
  },
);

test.each<[what: string, of: (id: string) => string]>([
  ["the beginning of an operator's", (id) => id.slice(0, -1)],
  ["the end of one", (id) => id.slice(1)],
  ["a part of one", (id) => id.slice(2, -2)],
  ["one and more", (id) => `${id}x`],
  ["more and one", (id) => `x${id}`],
  ["one in capitals", (id) => id.toUpperCase()],
  ["one with a space", (id) => `${id} `],
  ["the whole list", (id) => `somebody-else, ${id}`],
  ["a separator", () => ","],
  ["empty", () => ""],
])("a Spotify id that is %s is no operator's", async (_what, of) => {
  const { bindings, spotifyId } = await makeOperator();
  const { user, cookie } = await makeMember();
  await change("users", { id: user.id }, { spotifyId: of(spotifyId) });
  await answers(request("/operator", { cookie, bindings }), 404);
  await answers(request("/operator/act", { cookie, bindings, form: {} }), 404);
});

test("no login leads there, and robots.txt does not name it", async () => {
  const login = await beginLogin(undefined, "/operator");
  const response = await comeBack(await decide(login, "kaito-morinaga"), login.cookie);
  expect(response.headers.get("Location")).toBe("/");
  hides(await (await request("/robots.txt")).text(), "operator");
});

test("an operator sees the page, without a script", async () => {
  const response = await (await makeOperator()).ask("/operator");
  expect(response.status).toBe(200);
  shows(response.headers.get("Cache-Control"), "no-store");
  const text = await response.text();
  shows(text, "<title>Operation - Fivefold</title>", "Nothing waits for a decision.");
  hides(text, /<script/i);
});

const lock = { do: "lock", user: "somebody", reason: "It is not music." };

test("who is taken off the list in the middle finds nothing any more, and does nothing", async () => {
  const { ask } = await makeOperator();
  await answers(ask("/operator"), 200);
  const { id: user } = await makeUser();
  const bindings = { ...env, OPERATORS: "somebody-else" };
  await untouched(async () => {
    const form = { ...lock, user };
    await answers(ask("/operator/act", { form, bindings }), 404);
    await answers(ask("/operator", { bindings }), 404);
  });
});

test("an action, and a look also to be seen again, need a login that is less than an hour old", async () => {
  const { ask, page, act, reads, sessionId } = await makeOperator();
  const { id: user } = await makeUser();
  const look = { do: "look", person: user };
  const where = (await act(look)).headers.get("Location") ?? "";
  const opens = async (path: string) => (await reads(path)).includes("Delete their");
  expect(await opens(where)).toBe(true);
  await change("sessions", { id: sessionId }, { createdAt: Date.now() - 3_605_000 });
  await untouched(async () => {
    for (const form of [{ ...lock, user }, look]) {
      const response = await act(form);
      expect(response.status).toBe(303);
      shows(response.headers.get("Location"), "/spotify/accounts/authorize?");
      const json = await ask("/operator/act", { json: form });
      expect([json.status, await json.json()]).toMatchObject([401, { loginAgain: true }]);
    }
  });
  shows(await page("?again"), "You are logged in again.");
  expect([await opens(where), await opens(`/operator?person=${user}`)]).toEqual([false, false]);
});

test("an action from another site is refused", async () => {
  const { ask } = await makeOperator();
  const form = { ...lock, user: (await makeUser()).id };
  const headers = { Origin: "https://evil.example" };
  await untouched(async () => {
    await answers(ask("/operator/act", { form, headers }), 403);
  });
});

test.each<Record<string, string>>([
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
  await untouched(async () => answers(act(form), 422));
});

test("of too many requests an operator hears, as everybody does elsewhere", async () => {
  const { ask, bindings } = await makeOperator();
  const none = { limit: async () => ({ success: false }) };
  const full = { ...bindings, LIMIT_WIDE: none, LIMIT_NORMAL: none };
  await answers(ask("/operator", { bindings: full }), 429);
  await answers(ask("/operator/act", { bindings: full, form: {} }), 429);
});
