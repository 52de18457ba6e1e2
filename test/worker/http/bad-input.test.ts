import { beforeEach, expect, test, vi } from "vitest";
import { randomFrom } from "../../sandbox/catalogue.ts";
import { hostileRequests, oneByOne } from "../../support/bad-input/hostile";
import { strayPaths } from "../../support/bad-input/hostile-texts";
import { faultsOf } from "./bad-input-check";
import { makeWorld, moduleCount, names, routes } from "./bad-input-world";

const musician = "beatriz-almourol";
const seed = "bad input of nobody";

// Each test sends hundreds of requests.
vi.setConfig({ testTimeout: 60_000 });

beforeEach(() => {
  // Each refusal would log a line.
  vi.spyOn(console, "log").mockImplementation(() => {});
  vi.spyOn(console, "warn").mockImplementation(() => {});
});

test("the routes under test are all those of the build, with the names that they read", () => {
  expect(routes).toHaveLength(moduleCount);
  expect(routes).toContainEqual({ path: "songs/:songId/rating", names: ["score"] });
  expect(names).toEqual(expect.arrayContaining(["trackId", "token", "next", "q", "session_id"]));
});

test.each(routes)(
  "/$path withstands hostile requests without a login, and changes nothing",
  async (route) => {
    const { ids, valid, secrets } = await makeWorld(musician);
    const random = randomFrom(`${seed} ${route.path}`);
    const from = { random, ids, names, valid, cookie: "" };
    const requests = [
      ...hostileRequests(route.path, from),
      ...oneByOne(route.path, route.names, from),
      // Few requests get far without a login, and the routes get every kind many times between them.
    ].filter(() => random() < 0.3);
    expect(await faultsOf(requests, { secrets })).toEqual([]);
  },
);

test.each(["nobody", "somebody"])(
  "addresses without a route withstand hostile requests by %s",
  async (who) => {
    const { session, secrets } = await makeWorld(musician);
    const headers = {
      Accept: "text/html",
      ...(who === "somebody" ? { Cookie: session.cookie } : {}),
    };
    const requests = strayPaths.flatMap((path) =>
      ["GET", "HEAD", "POST", "PROPFIND"].map((method) => ({
        ...{ fault: "no such address", method, path, headers },
        body: method === "GET" || method === "HEAD" ? null : "score=3",
      })),
    );
    expect(await faultsOf(requests, { secrets })).toEqual([]);
  },
);
