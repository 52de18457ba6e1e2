import { expect, test } from "vitest";
import { sessionLifetime } from "~/members/lifetime";

test("a login of 1 November ends on the 8th without activity, and on 1 December in any case", () => {
  const login = Date.UTC(2026, 10, 1);
  expect(login + sessionLifetime.idleMs).toBe(Date.UTC(2026, 10, 8));
  expect(login + sessionLifetime.absoluteMs).toBe(Date.UTC(2026, 11, 1));
});
