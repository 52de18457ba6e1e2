import fc from "fast-check";
import { expect, test } from "vitest";
import { scoreChangeWindowMs as slipMs } from "~/db/rules";
import { isSettled, settledOnly } from "~/db/settled";

const minute = 60_000;
const time = fc.integer({ min: 10 * minute, max: 1000 * minute });

test("a rating is settled at a whole minute, more than a minute after its last change", () => {
  fc.assert(
    fc.property(time, fc.nat(10 * minute), (ratedAt, later) => {
      const now = ratedAt + later;
      if (isSettled(ratedAt, now)) expect(now - (ratedAt + slipMs)).toBeGreaterThan(minute);
      expect(isSettled(ratedAt, now)).toBe(isSettled(ratedAt, now - (now % minute)));
      expect(isSettled(ratedAt, ratedAt + 3 * minute)).toBe(true);
    }),
  );
});

test("without those that are not settled, a song has as many ratings as have come before them", () => {
  const ratings = fc.array(time, { maxLength: 12 }).map((times) => times.toSorted((a, b) => a - b));
  fc.assert(
    fc.property(ratings, fc.nat(5), time, (times, hidden, now) => {
      const seen = times.map((at) => ({ at }));
      const look = settledOnly({ seen, received: times.length + hidden, now });
      expect(look.seen).toEqual(seen.filter(({ at }) => isSettled(at, now)));
      expect(look.received - look.seen.length).toBe(hidden);
    }),
  );
});
