import { expect, test } from "vitest";
import { mailTimeoutMs } from "~/outbox/mailer";
import { leaseMs, maxAttempts, retryWaitSeconds } from "~/outbox/retry";

const hour = 3600;
const waits = Array.from({ length: maxAttempts - 1 }, (_, n) => retryWaitSeconds(n + 1));

test("the first wait is 30 seconds, each further one four times the one before, up to three hours", () => {
  expect(waits).toEqual([30, 120, 480, 1920, 7680, ...Array(4).fill(3 * hour)]);
});

test("all attempts fall within the day for which a provider honours a key", () => {
  const total = waits.reduce((sum, wait) => sum + wait, 0);
  expect(total).toBeGreaterThan(12 * hour);
  // Even if every claim has to expire.
  expect(total + (maxAttempts * leaseMs) / 1000).toBeLessThan(20 * hour);
});

test("a claim outlasts a batch of ten mails, four at a time, that all time out", () => {
  expect(leaseMs).toBeGreaterThan(2 * Math.ceil(10 / 4) * mailTimeoutMs);
});
