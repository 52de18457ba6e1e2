import { beforeEach, expect, test, vi } from "vitest";
import { randomFrom } from "../../sandbox/catalogue.ts";
import { hostileRequests, oneByOne } from "../../support/bad-input/hostile";
import { faultsOf } from "./bad-input-check";
import { makeWorld, names, routes } from "./bad-input-world";

const musician = "jaroslav-hruba";
const seed = "bad input of somebody";

/**
 * What one may change of one's own whatever one sends, as these routes read nothing, or can do
 * without. A route that is not named here changes nothing at all.
 */
const ownTables: Record<string, string[]> = {
  logout: ["sessions"],
  "account/sessions/end": ["sessions"],
  // With `refused` the token is renewed.
  "player/token": ["sessions"],
  "account/email/remove": ["users", "email_confirmations"],
  "checkout-session": ["subscriptions"],
  "songs/:songId/favorite": ["package_songs"],
  "songs/:songId/play": ["listens"],
  // Spotify says that nothing plays, which is remembered.
  "songs/:songId/listened": ["listens"],
  "account/delete": [
    ...["users", "sessions", "songs", "submissions", "packages", "package_songs", "listens"],
    ...["ratings", "email_confirmations", "outbox", "activity_log", "departures"],
  ],
};

/** And where some of the fields are right. */
const ownTablesByFields: Record<string, string[]> = {
  ...ownTables,
  "email-preference": ["email_preferences"],
};

// Hundreds of requests a test.
vi.setConfig({ testTimeout: 60_000 });

beforeEach(() => {
  // Each refusal is a line of the log.
  vi.spyOn(console, "log").mockImplementation(() => {});
  vi.spyOn(console, "warn").mockImplementation(() => {});
});

test.each(routes)(
  "/$path stands it from somebody, and changes nothing of others",
  async (route) => {
    const { user, session, ids, right, secrets } = await makeWorld(musician);
    const random = randomFrom(`${seed} ${route.path}`);
    const from = { random, ids, names, right, cookie: session.cookie };
    const mayChange = { userId: user.id, tables: ownTables[route.path] ?? [] };
    const requests = hostileRequests(route.path, from);
    expect(await faultsOf(requests, { secrets, mayChange })).toEqual([]);
  },
);

test.each(routes.filter(({ names }) => names.length > 0))(
  "/$path stands anything in the place of each of $names",
  async (route) => {
    const { user, session, ids, right, secrets } = await makeWorld(musician);
    const random = randomFrom(`${seed} ${route.path}`);
    const from = { random, ids, names, right, cookie: session.cookie };
    const mayChange = { userId: user.id, tables: ownTablesByFields[route.path] ?? [] };
    const requests = oneByOne(route.path, route.names, from);
    expect(await faultsOf(requests, { secrets, mayChange })).toEqual([]);
  },
);

test("the confirmation of a submission stands anything in the place of its id", async () => {
  const { session, ids, secrets } = await makeWorld(musician);
  const right = { menu: "songaddedtopool" };
  const from = { random: randomFrom(seed), ids, names, right, cookie: session.cookie };
  expect(await faultsOf(oneByOne("", ["submission"], from), { secrets })).toEqual([]);
});
