import fc, { type Arbitrary } from "fast-check";
import { beforeEach, expect, test, vi } from "vitest";
import {
  type HostileRequest,
  hostileRequest,
  oneHostileValue,
} from "../../support/bad-input/hostile";
import { strayPaths } from "../../support/bad-input/hostile-texts";
import { watched } from "./bad-input-check";
import { makeWorld, moduleCount, names, routeCount, routes } from "./bad-input-world";

const musician = "beatriz-almourol";
/**
 * The tables in which a route may change the user's own rows whatever is sent, because it needs no
 * input. All other routes must change nothing.
 */
const ownTables: Record<string, string[]> = {
  logout: ["sessions"],
  // Whoever has an address may declare both.
  cancel: ["declarations", "outbox"],
  withdraw: ["declarations", "outbox"],
  "account/sessions/end": ["sessions"],
  // The parameter `refused` renews the token.
  "player/token": ["sessions"],
  // A choice may be valid by chance.
  "email-preference": ["email_preferences"],
  "account/email/remove": ["users", "mailed_proofs"],
  "checkout-session": ["subscriptions"],
  // When the user has looked.
  "ratings-of-my-songs": ["users"],
  "songs/:songId/favorite": ["package_songs"],
  "songs/:songId/unfavorite": ["package_songs"],
  // Words are asked for with a report alone.
  "songs/:songId/pass": ["passes", "package_songs", "packages", "users", "listens"],
  "songs/:songId/play": ["listens"],
  "songs/:songId/withdraw": ["songs"],
  // Spotify says that nothing plays, which is recorded.
  "songs/:songId/listened": ["listens"],
  "account/delete": [
    ...["users", "sessions", "songs", "submissions", "packages", "package_songs", "listens"],
    ...["ratings", "mailed_proofs", "outbox", "activity_log", "departures", "rating_marks"],
  ],
};

beforeEach(() => {
  // Each refusal would log a line.
  vi.spyOn(console, "log").mockImplementation(() => {});
  vi.spyOn(console, "warn").mockImplementation(() => {});
});

type Check = (sent: HostileRequest) => Promise<string[]>;

/** Sends some requests, the same in each run, and others with another seed. */
async function withstands(
  hostile: Arbitrary<HostileRequest>,
  { seed, numRuns }: { seed: number; numRuns: number },
  check: Check,
) {
  const property = fc.asyncProperty(hostile, async (sent) => {
    expect(await check(sent)).toEqual([]);
  });
  await fc.assert(property, { seed, numRuns });
}

test("the routes under test are all those of the build, with the names that they read", () => {
  // A withdrawal has the module of a cancellation.
  expect(routeCount).toBe(moduleCount + 1);
  expect(routes).toContainEqual({ path: "songs/:songId/rating", names: ["score"] });
  expect(names).toEqual(expect.arrayContaining(["trackId", "token", "next", "q", "session_id"]));
});

// The routes get every kind of request many times between them.
test.each(routes.map((route, seed) => ({ ...route, seed })))(
  "/$path withstands hostile requests, and changes nothing of other users",
  async ({ path, names: own, seed }) => {
    const { user, session, ids, valid, secrets } = await makeWorld(musician);
    const from = { ids, names, valid, cookie: session.cookie };
    const check = await watched(secrets);
    const mayChange = { userId: user.id, tables: ownTables[path] ?? [] };
    const forAnybody = path === "cancel" || path === "withdraw" ? mayChange : undefined;
    await withstands(hostileRequest(path, { ...from, cookie: "" }), { seed, numRuns: 8 }, (sent) =>
      check(sent, forAnybody),
    );
    const runs = { seed: -1 - seed, numRuns: 16 };
    await withstands(hostileRequest(path, from), runs, (sent) => check(sent, mayChange));
    if (own.length === 0) return;
    const valued = { userId: user.id, tables: ownTables[path] ?? [] };
    const each = { seed, numRuns: 6 * own.length };
    await withstands(oneHostileValue(path, own, from), each, (sent) => check(sent, valued));
  },
);

test("the confirmation of a submission withstands any value for its id", async () => {
  const { session, ids, secrets } = await makeWorld(musician);
  const from = { ids, names, valid: { menu: "songaddedtopool" }, cookie: session.cookie };
  const hostile = oneHostileValue("", ["submission"], from);
  await withstands(hostile, { seed: 1, numRuns: 12 }, await watched(secrets));
});

test.each(["nobody", "somebody"])(
  "addresses without a route withstand hostile requests by %s",
  async (who) => {
    const { session, secrets } = await makeWorld(musician);
    const cookie: Record<string, string> = who === "somebody" ? { Cookie: session.cookie } : {};
    const headers = { Accept: "text/html", ...cookie };
    const check = await watched(secrets);
    for (const path of strayPaths) {
      const asked = { path, headers };
      const faults = [
        ...(await check({ ...asked, method: "GET", body: null })),
        ...(await check({ ...asked, method: "POST", body: "score=3" })),
      ];
      expect({ path, faults }).toEqual({ path, faults: [] });
    }
  },
);
