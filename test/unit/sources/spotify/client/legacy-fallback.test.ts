import { expect, test } from "vitest";
import { type LegacyCalls, withLegacyFallback } from "~/sources/spotify/client/legacy-fallback";
import { SpotifyError } from "~/sources/spotify/client/spotify";
import { outcome } from "./support.ts";

/** Makes "call", whose routes answer with these statuses. */
async function callWith(legacyCalls: LegacyCalls, statuses: { current: number; legacy: number }) {
  const tried: string[] = [];
  const route = (name: "current" | "legacy") => async () => {
    tried.push(name);
    if (statuses[name] === 200) return name;
    throw new SpotifyError(statuses[name], name);
  };
  const routes = { current: route("current"), legacy: route("legacy") };
  const result = await outcome(withLegacyFallback(legacyCalls, "call", routes));
  return { tried, result: result instanceof Error ? result.message : result };
}

const both = ["current", "legacy"];

test.each([
  { current: 200, legacy: 200, tried: ["current"], result: "current", remembered: [] },
  { current: 403, legacy: 200, tried: both, result: "legacy", remembered: [["call", 1]] },
  { current: 404, legacy: 200, tried: both, result: "legacy", remembered: [["call", 3]] },
  { current: 410, legacy: 200, tried: both, result: "legacy", remembered: [["call", 3]] },
  { current: 404, legacy: 403, tried: both, result: "HTTP 404: current", remembered: [] },
  { current: 404, legacy: 503, tried: both, result: "HTTP 503: legacy", remembered: [] },
  { current: 400, legacy: 200, tried: ["current"], result: "HTTP 400: current", remembered: [] },
  { current: 429, legacy: 200, tried: ["current"], result: "HTTP 429: current", remembered: [] },
  { current: 500, legacy: 200, tried: ["current"], result: "HTTP 500: current", remembered: [] },
  { current: 0, legacy: 200, tried: ["current"], result: "HTTP 0: current", remembered: [] },
])("current $current, legacy $legacy: $result", async (row) => {
  const { tried, result, remembered, ...statuses } = row;
  const legacyCalls: LegacyCalls = new Map();
  expect(await callWith(legacyCalls, statuses)).toEqual({ tried, result });
  expect([...legacyCalls]).toEqual(remembered);
});

const legacyFirst = ["legacy", "current"];

test.each([
  { current: 404, legacy: 200, tried: ["legacy"], result: "legacy", remembered: [["call", 3]] },
  { current: 200, legacy: 410, tried: legacyFirst, result: "current", remembered: [] },
  {
    current: 403,
    legacy: 404,
    tried: legacyFirst,
    result: "HTTP 403: current",
    remembered: [["call", 3]],
  },
  {
    current: 200,
    legacy: 500,
    tried: ["legacy"],
    result: "HTTP 500: legacy",
    remembered: [["call", 3]],
  },
])(
  "after the current route refused three times, current $current, legacy $legacy: $result",
  async (row) => {
    const { tried, result, remembered, ...statuses } = row;
    const legacyCalls: LegacyCalls = new Map([["call", 3]]);
    expect(await callWith(legacyCalls, statuses)).toEqual({ tried, result });
    expect([...legacyCalls]).toEqual(remembered);
  },
);

test.each([
  { refusals: 1, next: 200, remembered: [] },
  { refusals: 1, next: 403, remembered: [["call", 2]] },
  { refusals: 2, next: 403, remembered: [["call", 3]] },
  { refusals: 2, next: 200, remembered: [] },
])("refused $refusals times, the current route is tried again: $next", async (row) => {
  const legacyCalls: LegacyCalls = new Map([["call", row.refusals]]);
  const { tried } = await callWith(legacyCalls, { current: row.next, legacy: 200 });
  expect(tried[0]).toBe("current");
  expect([...legacyCalls]).toEqual(row.remembered);
});

test("one call's choice of route does not affect another's", async () => {
  const legacyCalls: LegacyCalls = new Map([["another", 3]]);
  expect(await callWith(legacyCalls, { current: 200, legacy: 200 })).toMatchObject({
    tried: ["current"],
  });
});
