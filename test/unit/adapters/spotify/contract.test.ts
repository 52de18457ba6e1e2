/** The Worker's requests to Spotify match the description of the Web API. */
import { describe, expect, it } from "vitest";
import {
  type Contract,
  describedNames,
  loadContract,
  titleWith,
  validateRequest,
} from "../../../support/spotify/contract.ts";
import { factProblems, requestFacts } from "../../../support/spotify/request-facts.ts";
import { apiRequests } from "../../../support/spotify/requests.ts";

const contract = loadContract();

it.each(apiRequests)("$method $path has the names that Spotify knows", (request) => {
  expect(factProblems(request)).toEqual([]);
});

it("notices names that Spotify does not know, and the lack of those it needs", () => {
  const save = { method: "PUT", path: "/v1/me/tracks" };
  expect(factProblems({ ...save, query: { ids: "1" }, body: null })).toEqual([
    "query ids: unknown",
    "body ids: missing",
  ]);
  expect(factProblems({ ...save, query: {}, body: { ids: ["1"] } })).toEqual([]);
  expect(factProblems({ method: "GET", path: "/v1/v1/me", query: {}, body: null })).toEqual([
    "no facts about GET /v1/v1/me",
  ]);
});

describe.skipIf(!contract)(titleWith(contract, "against the description"), () => {
  const description = contract as Contract;

  it.each(apiRequests)("$method $path", (request) => {
    expect(validateRequest(description, request)).toEqual([]);
  });

  it.each(Object.entries(requestFacts))("knows the facts about %s", (route, facts) => {
    const described = describedNames(description, route);
    for (const part of ["query", "body"] as const) {
      const known = facts[part] ?? [];
      const names = described?.[part] ?? [];
      expect(known.filter((name) => !names.includes(name))).toEqual([]);
      expect(names.filter((name) => name.endsWith("!") && !known.includes(name))).toEqual([]);
    }
  });
});
