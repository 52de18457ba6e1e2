import { expect, test } from "vitest";
import { mailTimeoutMs } from "~/adapters/mail/mailer";
import { leaseMs, maxAttempts, retryWaitSeconds } from "~/domain/outbox/retry";

const hour = 3600;
const waits = Array.from({ length: maxAttempts - 1 }, (_, n) => retryWaitSeconds(n + 1));

test("the first wait is half a minute, each further one four times that, up to three hours", () => {
  expect(waits).toEqual([30, 120, 480, 1920, 7680, ...Array(4).fill(3 * hour)]);
});

test("all attempts fall within the day in which a provider honours a key", () => {
  const total = waits.reduce((sum, wait) => sum + wait, 0);
  expect(total).toBeGreaterThan(12 * hour);
  // With a claim that lapsed after each, and the sweep that comes for it.
  expect(total + (maxAttempts * leaseMs) / 1000).toBeLessThan(20 * hour);
});

test("a claim outlasts a batch of ten mails, four at a time, that all run into the time limit", () => {
  expect(leaseMs).toBeGreaterThan(2 * Math.ceil(10 / 4) * mailTimeoutMs);
});
