import { expect, test } from "vitest";
import { isRejection, reject } from "~/platform/rejection";

test("a refusal has a status, a sentence, and what else the user should know", () => {
  expect(reject(404, "No such song.")).toEqual({
    rejected: true,
    status: 404,
    error: "No such song.",
  });
  expect(reject(403, "Rate more songs.", { remaining: 2 })).toEqual({
    rejected: true,
    status: 403,
    error: "Rate more songs.",
    remaining: 2,
  });
});

test("a refusal is distinguished from every other result", () => {
  expect(isRejection(reject(429, "Slow down.", { secondsLeft: 5 }))).toBe(true);
  const others = [null, undefined, true, 0, "refused", [], {}, { ok: true }, { error: "refused" }];
  expect(others.filter(isRejection)).toEqual([]);
});
