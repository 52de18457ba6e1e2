import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { eligibility } from "~/domain/submission/eligibility";

const free = 6;
const premium = 4;

describe("somebody who has not submitted before", () => {
  test.each([
    { threshold: free, credits: 0, remaining: 6 },
    { threshold: free, credits: 5, remaining: 1 },
    { threshold: free, credits: 6, remaining: 0 },
    { threshold: free, credits: 9, remaining: 0 },
    { threshold: premium, credits: 3, remaining: 1 },
    { threshold: premium, credits: 4, remaining: 0 },
  ])("with $credits of $threshold has $remaining to go", ({ threshold, credits, remaining }) => {
    const standing = { credits, submittedCount: 0, available: 30 };
    expect(eligibility(standing, threshold)).toEqual({
      eligible: remaining === 0,
      remaining,
      cost: threshold,
      limited: false,
    });
  });

  test("pays the whole threshold even if fewer songs are left to rate", () => {
    const standing = { credits: 2, submittedCount: 0, available: 3 };
    expect(eligibility(standing, free)).toEqual({
      eligible: false,
      remaining: 4,
      cost: 6,
      limited: false,
    });
  });

  test("may submit for free if the pool is empty", () => {
    const standing = { credits: 2, submittedCount: 0, available: 0 };
    expect(eligibility(standing, free)).toEqual({
      eligible: true,
      remaining: 0,
      cost: 0,
      limited: true,
    });
  });

  test("pays the threshold if they have it, even if the pool is empty", () => {
    const standing = { credits: 6, submittedCount: 0, available: 0 };
    expect(eligibility(standing, free)).toEqual({
      eligible: true,
      remaining: 0,
      cost: 6,
      limited: false,
    });
  });
});

describe("somebody who has submitted before", () => {
  test.each([
    { threshold: free, available: 6, cost: 6, limited: false },
    { threshold: free, available: 5, cost: 5, limited: true },
    { threshold: free, available: 1, cost: 1, limited: true },
    { threshold: free, available: 0, cost: 0, limited: true },
    { threshold: premium, available: 4, cost: 4, limited: false },
    { threshold: premium, available: 3, cost: 3, limited: true },
    { threshold: premium, available: 1, cost: 1, limited: true },
    { threshold: premium, available: 0, cost: 0, limited: true },
  ])(
    "pays $cost of $threshold if $available songs are left to rate",
    ({ threshold, available, cost, limited }) => {
      const standing = { credits: 0, submittedCount: 1, available };
      expect(eligibility(standing, threshold)).toEqual({
        eligible: cost === 0,
        remaining: cost,
        cost,
        limited,
      });
      const paid = eligibility({ ...standing, credits: cost }, threshold);
      expect(paid).toMatchObject({ eligible: true, remaining: 0, cost });
    },
  );
});

describe("somebody with nothing to rate who has used today's free submission", () => {
  test.each([
    { submittedCount: 1, credits: 0, remaining: 6 },
    { submittedCount: 1, credits: 6, remaining: 0 },
    { submittedCount: 0, credits: 2, remaining: 4 },
  ])("pays the whole threshold: $credits credits, $remaining to go", ({ remaining, ...user }) => {
    const terms = eligibility({ ...user, available: 0, freeUsed: true }, free);
    expect(terms).toMatchObject({ eligible: remaining === 0, cost: 6, remaining });
  });

  test("still pays the number of songs to rate if there are any", () => {
    const user = { submittedCount: 1, credits: 0, available: 2, freeUsed: true };
    expect(eligibility(user, free)).toMatchObject({ cost: 2, limited: true });
  });
});

const standing = fc.record({
  credits: fc.nat(20),
  submittedCount: fc.nat(3),
  available: fc.nat(20),
});

test("a submission never costs more than the threshold or than the user has", () => {
  fc.assert(
    fc.property(standing, fc.constantFrom(free, premium), (user, threshold) => {
      const { eligible, remaining, cost } = eligibility(user, threshold);
      expect(cost).toBeLessThanOrEqual(threshold);
      expect(eligible).toBe(user.credits >= cost);
      expect(remaining).toBe(Math.max(0, cost - user.credits));
    }),
  );
});

test("one more rating never makes it harder to submit", () => {
  fc.assert(
    fc.property(standing, fc.constantFrom(free, premium), (user, threshold) => {
      const before = eligibility(user, threshold);
      // A rating gives a credit and leaves one song fewer to rate.
      const available = Math.max(0, user.available - 1);
      const after = eligibility({ ...user, credits: user.credits + 1, available }, threshold);
      expect(after.remaining).toBeLessThanOrEqual(before.remaining);
    }),
  );
});
