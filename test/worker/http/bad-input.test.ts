import { beforeEach, expect, test, vi } from "vitest";
import { randomFrom } from "../../sandbox/catalogue.ts";
import { hostileRequests, oneByOne } from "../../support/bad-input/hostile";
import { strayPaths } from "../../support/bad-input/hostile-texts";
import { faultsOf } from "./bad-input-check";
import { makeWorld, moduleCount, names, routes } from "./bad-input-world";

const musician = "beatriz-almourol";
const seed = "bad input of nobody";

// Hundreds of requests a test.
vi.setConfig({ testTimeout: 60_000 });

beforeEach(() => {
  // Each refusal is a line of the log.
  vi.spyOn(console, "log").mockImplementation(() => {});
  vi.spyOn(console, "warn").mockImplementation(() => {});
});

test("the routes are those of the build, all of them, with what they ask for", () => {
  expect(routes).toHaveLength(moduleCount);
  expect(routes).toContainEqual({ path: "songs/:songId/rating", names: ["score"] });
  expect(names).toEqual(expect.arrayContaining(["trackId", "token", "next", "q", "session_id"]));
});

test.each(routes)("/$path stands it from nobody, and changes nothing", async (route) => {
  const { ids, right, secrets } = await makeWorld(musician);
  const random = randomFrom(`${seed} ${route.path}`);
  const from = { random, ids, names, right, cookie: "" };
  const requests = [
    ...hostileRequests(route.path, from),
    ...oneByOne(route.path, route.names, from),
    // Hardly any of it gets far without a login: more than half, by chance, will do.
  ].filter(() => random() < 0.6);
  expect(await faultsOf(requests, { secrets })).toEqual([]);
});

test.each(["nobody", "somebody"])("addresses without a route stand it from %s", async (who) => {
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
});
