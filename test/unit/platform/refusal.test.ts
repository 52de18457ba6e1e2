import { expect, test } from "vitest";
import { isRefusal, refuse } from "~/platform/refusal";

test("a refusal has a status, a sentence, and what else the user should know", () => {
  expect(refuse(404, "No such song.")).toEqual({
    refused: true,
    status: 404,
    error: "No such song.",
  });
  expect(refuse(403, "Please rate more songs.", { remaining: 2 })).toEqual({
    refused: true,
    status: 403,
    error: "Please rate more songs.",
    remaining: 2,
  });
});

test("a refusal is distinguished from every other result", () => {
  expect(isRefusal(refuse(429, "Slow down.", { secondsLeft: 5 }))).toBe(true);
  const others = [null, undefined, true, 0, "refused", [], {}, { ok: true }, { error: "refused" }];
  expect(others.filter(isRefusal)).toEqual([]);
});
