import { beforeEach, expect, test, vi } from "vitest";
import { randomFrom } from "../../sandbox/catalogue.ts";
import { hostileRequests, oneByOne } from "../../support/bad-input/hostile";
import { faultsOf } from "./bad-input-check";
import { makeWorld, names, routes } from "./bad-input-world";

const musician = "jaroslav-hruba";
const seed = "bad input of somebody";
/** Of the requests to each route: between them the routes get every kind many times over. */
const share = 0.4;

/**
 * The tables in which a route may change the user's own rows whatever is sent, because it needs no
 * input. All other routes must change nothing.
 */
const ownTables: Record<string, string[]> = {
  logout: ["sessions"],
  "account/sessions/end": ["sessions"],
  // The parameter `refused` renews the token.
  "player/token": ["sessions"],
  "account/email/remove": ["users", "email_confirmations"],
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
    ...["ratings", "email_confirmations", "outbox", "activity_log", "departures", "rating_marks"],
  ],
};

/** The same if all other fields are valid. */
const ownTablesByFields: Record<string, string[]> = {
  ...ownTables,
  "email-preference": ["email_preferences"],
};

// Each test sends hundreds of requests.
vi.setConfig({ testTimeout: 60_000 });

beforeEach(() => {
  // Each refusal would log a line.
  vi.spyOn(console, "log").mockImplementation(() => {});
  vi.spyOn(console, "warn").mockImplementation(() => {});
});

test.each(routes)(
  "/$path withstands hostile requests with a login, and changes nothing of other users",
  async (route) => {
    const { user, session, ids, valid, secrets } = await makeWorld(musician);
    const random = randomFrom(`${seed} ${route.path}`);
    const from = { random, ids, names, valid, cookie: session.cookie };
    const mayChange = { userId: user.id, tables: ownTables[route.path] ?? [] };
    const requests = hostileRequests(route.path, from).filter(() => random() < share);
    expect(await faultsOf(requests, { secrets, mayChange })).toEqual([]);
  },
);

test.each(routes.filter(({ names }) => names.length > 0))(
  "/$path withstands any value for each of $names",
  async (route) => {
    const { user, session, ids, valid, secrets } = await makeWorld(musician);
    const random = randomFrom(`${seed} ${route.path}`);
    const from = { random, ids, names, valid, cookie: session.cookie };
    const mayChange = { userId: user.id, tables: ownTablesByFields[route.path] ?? [] };
    const requests = oneByOne(route.path, route.names, from).filter(() => random() < share);
    expect(await faultsOf(requests, { secrets, mayChange })).toEqual([]);
  },
);

test("the confirmation of a submission withstands any value for its id", async () => {
  const { session, ids, secrets } = await makeWorld(musician);
  const valid = { menu: "songaddedtopool" };
  const from = { random: randomFrom(seed), ids, names, valid, cookie: session.cookie };
  expect(await faultsOf(oneByOne("", ["submission"], from), { secrets })).toEqual([]);
});
