/** The Worker's requests to Spotify are such as Spotify knows. */
import { expect, it } from "vitest";
import { apiRequests } from "../../../../support/spotify/requests.ts";
import { requestProblems } from "../../../../support/spotify/web-api.ts";

it.each(apiRequests)("$method $path", (request) => {
  expect(requestProblems(request)).toEqual([]);
});

it("notices what Spotify does not know, and the lack of what it needs", () => {
  const save = { method: "PUT", path: "/v1/me/tracks" };
  expect(requestProblems({ ...save, query: { ids: "1" }, body: null })).toEqual([
    'query: Unrecognized key: "ids"',
    "body: Invalid input: expected object, received null",
  ]);
  expect(requestProblems({ ...save, query: {}, body: {} })).toEqual(["body.ids: missing"]);
  expect(requestProblems({ ...save, query: {}, body: { ids: ["1"] } })).toEqual([]);
  expect(requestProblems({ method: "GET", path: "/v1/v1/me", query: {}, body: null })).toEqual([
    "no route GET /v1/v1/me",
  ]);
});
