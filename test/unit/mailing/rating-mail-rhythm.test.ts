import fc from "fast-check";
import { expect, test } from "vitest";
import { digestHour, ratingMailTime } from "~/mailing/rating-mail-rhythm";

const hour = 60 * 60 * 1000;
const day = 24 * hour;
const waitMs = 5 * 60_000;
const times = fc.integer({ min: 0, max: Date.UTC(2100, 0) });

test.each(["each", "complete"] as const)(
  "%s: the mail waits for others that share it",
  (rhythm) => {
    fc.assert(
      fc.property(times, (now) => {
        expect(ratingMailTime(rhythm, { now, waitMs })).toBe(now + waitMs);
      }),
    );
  },
);

test.each([
  ["daily", day],
  ["weekly", 7 * day],
] as const)("a %s digest is the first one after that wait", (rhythm, period) => {
  fc.assert(
    fc.property(times, (now) => {
      const at = ratingMailTime(rhythm, { now, waitMs });
      expect(at).toBeGreaterThan(now + waitMs);
      expect(at - period).toBeLessThanOrEqual(now + waitMs);
      expect(new Date(at).toISOString()).toContain(`T${digestHour}:00:00.000Z`);
      if (rhythm === "weekly") expect(new Date(at).getUTCDay()).toBe(0);
    }),
  );
});

test("a rating never waits longer for a daily digest than for a weekly one", () => {
  fc.assert(
    fc.property(times, (now) => {
      expect(ratingMailTime("daily", { now, waitMs })).toBeLessThanOrEqual(
        ratingMailTime("weekly", { now, waitMs }),
      );
    }),
  );
});
