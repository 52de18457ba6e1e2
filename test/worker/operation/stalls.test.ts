import { env } from "cloudflare:workers";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { rowsOf } from "../../support/database/contents";
import { makeUser } from "../../support/database/factories";
import { withoutSessions, wrappedDatabase } from "../../support/database/wrapped-database";
import { makeSession } from "../../support/login";
import { dataOf, request } from "../../support/request";

/** Time limits that were set and not taken back. */
const limits = new Map<number, () => void>();

beforeEach(() => {
  const [setTimer, clearTimer] = [globalThis.setTimeout, globalThis.clearTimeout];
  limits.clear();
  vi.spyOn(globalThis, "setTimeout").mockImplementation(((work: () => void, ms?: number) => {
    if (ms !== 10_000) return setTimer(work, ms);
    const id = 1_000_000 + limits.size;
    limits.set(id, work);
    return id;
  }) as unknown as typeof setTimeout);
  vi.spyOn(globalThis, "clearTimeout").mockImplementation((id) => {
    if (!limits.delete(id as unknown as number)) clearTimer(id);
  });
  vi.spyOn(console, "log").mockImplementation(() => undefined);
});
afterEach(() => vi.restoreAllMocks());

/** An environment whose database does not answer a call of which `stalls` is true. What is carried out, stays. */
function stalling(stalls: (sql: string) => boolean, carriesOut = false) {
  const silent = () => {
    // All the time that the Worker is ready to wait has passed.
    queueMicrotask(() => {
      for (const expire of limits.values()) expire();
    });
    return new Promise<never>(() => undefined);
  };
  const wrapped = wrappedDatabase((sent, carryOut) => {
    const call = () => carryOut(env.DB);
    if (!stalls(sent.map(({ sql }) => sql).join(";"))) return call();
    return carriesOut ? call().then(silent) : silent();
  });
  return { ...env, DB: withoutSessions(wrapped) };
}

const everything = stalling(() => true);
const sentence = "Our database is not answering at the moment.";

test.each(["/", "/account", "/ratings-of-my-songs"])(
  "a page (%s) says in time that the database does not answer",
  async (path) => {
    const { cookie } = await makeSession(await makeUser());
    const response = await request(path, { cookie, bindings: everything });
    const page = await response.text();
    expect([response.status, page.match(/<h1[^>]*>/g)?.length]).toEqual([503, 1]);
    expect(page).toContain(`${sentence} Try again in a minute.`);
    expect(page).toContain(`href="${path}">Try again</a>`);
    expect(response.headers.get("Cache-Control")).toBe("private, no-store");
  },
);

test("a page's own script is told so too, and a monitor, at once", async () => {
  const { cookie } = await makeSession(await makeUser());
  const headers = { Accept: "*/*" };
  const data = await request(dataOf("/account"), { cookie, headers, bindings: everything });
  expect([data.status, await data.json()]).toEqual([
    503,
    { error: `${sentence} Try again in a minute.` },
  ]);
  expect((await request("/health", { bindings: everything })).status).toBe(503);
});

test.each([
  ["the sound of a song", "/songs/none/audio", /audio_start/],
  ["a shared cover", "/r/none/cover", /shares/],
])("a statement that runs alone, for %s, is told of like any other", async (_what, path, text) => {
  const { cookie } = await makeSession(await makeUser());
  const headers = { Accept: "*/*" };
  const answer = await request(path, {
    cookie,
    headers,
    bindings: stalling((sql) => text.test(sql)),
  });
  expect([answer.status, await answer.text()]).toEqual([503, expect.stringContaining(sentence)]);
});

test("an action whose write is carried out unseen claims nothing, and can be repeated", async () => {
  const user = await makeUser();
  const { cookie } = await makeSession(user);
  const json = { receiveRatingEmails: false };
  const press = (bindings: object) => request("/email-preference", { cookie, json, bindings });
  const writes = (sql: string) => /insert into "email_preferences"/i.test(sql);
  const lost = await press(stalling(writes, true));
  const { error } = await lost.json<{ error: string }>();
  expect([lost.status, error]).toEqual([503, expect.stringContaining(sentence)]);
  expect(error).toContain("may have been saved");
  expect(error).not.toMatch(/nothing was/i);
  const wanted = "SELECT receive_rating_emails AS wanted FROM email_preferences WHERE user_id = ?";
  expect(await rowsOf(wanted, user.id)).toEqual([{ wanted: 0 }]);
  expect((await press(env)).status).toBe(200);
});

test("a database that answers in time leaves no time limit behind", async () => {
  const { cookie } = await makeSession(await makeUser());
  expect((await request("/account", { cookie, bindings: stalling(() => false) })).status).toBe(200);
  expect(limits.size).toBe(0);
});
