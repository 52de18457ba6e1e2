import fc, { type Arbitrary } from "fast-check";
import { beforeEach, describe, expect, test, vi } from "vitest";
import {
  type HostileRequest,
  hostileRequest,
  oneHostileValue,
} from "../../support/bad-input/hostile";
import { strayPaths } from "../../support/bad-input/hostile-texts";
import { faultsOf, type Rights, watched } from "./bad-input-check";
import { makeWorld, moduleCount, names, routes } from "./bad-input-world";

const musician = "beatriz-almourol";
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

beforeEach(() => {
  // Each refusal would log a line.
  vi.spyOn(console, "log").mockImplementation(() => {});
  vi.spyOn(console, "warn").mockImplementation(() => {});
});

/** Sends some requests, the same in each run, and others with another seed. */
async function withstands(
  rights: Rights,
  hostile: Arbitrary<HostileRequest>,
  { seed, numRuns }: { seed: number; numRuns: number },
) {
  const check = await watched(rights);
  const property = fc.asyncProperty(hostile, async (sent) => {
    expect(await check(sent)).toEqual([]);
  });
  await fc.assert(property, { seed, numRuns });
}

test("the routes under test are all those of the build, with the names that they read", () => {
  expect(routes).toHaveLength(moduleCount);
  expect(routes).toContainEqual({ path: "songs/:songId/rating", names: ["score"] });
  expect(names).toEqual(expect.arrayContaining(["trackId", "token", "next", "q", "session_id"]));
});

// The routes get every kind of request many times between them.
describe.each(routes)("/$path withstands hostile requests", (route) => {
  test("without a login, and changes nothing", async () => {
    const { ids, valid, secrets } = await makeWorld(musician);
    const from = { ids, names, valid, cookie: "" };
    await withstands({ secrets }, hostileRequest(route.path, from), {
      seed: routes.indexOf(route),
      numRuns: 8,
    });
  });

  test("with a login, and changes nothing of other users", async () => {
    const { user, session, ids, valid, secrets } = await makeWorld(musician);
    const from = { ids, names, valid, cookie: session.cookie };
    const mayChange = { userId: user.id, tables: ownTables[route.path] ?? [] };
    await withstands({ secrets, mayChange }, hostileRequest(route.path, from), {
      seed: -1 - routes.indexOf(route),
      numRuns: 16,
    });
  });
});

test.each(routes.filter((route) => route.names.length > 0))(
  "/$path withstands any value for each of $names",
  async (route) => {
    const { user, session, ids, valid, secrets } = await makeWorld(musician);
    const from = { ids, names, valid, cookie: session.cookie };
    const mayChange = { userId: user.id, tables: ownTablesByFields[route.path] ?? [] };
    const hostile = oneHostileValue(route.path, route.names, from);
    const seed = routes.indexOf(route);
    await withstands({ secrets, mayChange }, hostile, { seed, numRuns: 6 * route.names.length });
  },
);

test("the confirmation of a submission withstands any value for its id", async () => {
  const { session, ids, secrets } = await makeWorld(musician);
  const from = { ids, names, valid: { menu: "songaddedtopool" }, cookie: session.cookie };
  await withstands({ secrets }, oneHostileValue("", ["submission"], from), {
    seed: 1,
    numRuns: 12,
  });
});

test.each(["nobody", "somebody"])(
  "addresses without a route withstand hostile requests by %s",
  async (who) => {
    const { session, secrets } = await makeWorld(musician);
    const headers = {
      Accept: "text/html",
      ...(who === "somebody" ? { Cookie: session.cookie } : {}),
    };
    const requests = strayPaths.flatMap((path) =>
      ["GET", "POST"].map((method) => ({
        ...{ method, path, headers },
        body: method === "GET" ? null : "score=3",
      })),
    );
    expect(await faultsOf(requests, { secrets })).toEqual([]);
  },
);
