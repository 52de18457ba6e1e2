import fc from "fast-check";
import { expect, test } from "vitest";
import {
  markEnd,
  type Past,
  packageLifetimeMs,
  pastEnd,
  pastOf,
  stillRemembered,
} from "~/domain/departure/past";

const day = 24 * 60 * 60 * 1000;
const time = fc.integer({ min: 0, max: 4_000 * day });
const songId = fc.constantFrom("a", "b", "c", "d", "e", "f");
const drawn = fc.option(
  fc.record({ songIds: fc.uniqueArray(songId, { maxLength: 5 }), drawnAt: time }),
);
const passed = fc.array(fc.record({ songId, passedAt: time, drawnAt: fc.option(time) }), {
  maxLength: 5,
});
const before = fc.option(
  fc.record({
    rated: fc.uniqueArray(fc.record({ songId, endsAt: time }), { selector: (one) => one.songId }),
    drawn,
    passed,
  }),
);

test("a mark lasts thirty whole days, and ends at midnight UTC", () => {
  fc.assert(
    fc.property(time, (ratedAt) => {
      const end = markEnd(ratedAt);
      expect(end - ratedAt).toBeGreaterThanOrEqual(30 * day);
      expect(end - ratedAt).toBeLessThan(31 * day);
      expect(end % day).toBe(0);
    }),
  );
});

test("the past contains what still counts of this account and of earlier ones", () => {
  const rated = fc.array(fc.record({ songId, ratedAt: time }));
  fc.assert(
    fc.property(before, rated, drawn, passed, time, (earlier, ratings, last, passes, now) => {
      const leaving = { before: earlier, rated: ratings, drawn: last, passed: passes };
      const past = pastOf(leaving, now);
      const counts = (id: string) =>
        ratings.some((one) => one.songId === id && markEnd(one.ratedAt) > now);
      const counted = (id: string) =>
        !ratings.some((one) => one.songId === id) &&
        (earlier?.rated ?? []).some((one) => one.songId === id && one.endsAt > now);
      const remembered = new Set(past?.rated.map((one) => one.songId));
      expect(remembered.size).toBe(past?.rated.length ?? 0);
      for (const id of ["a", "b", "c", "d", "e", "f"]) {
        // Two ratings of one song cannot happen within thirty days; the later one in the list would count.
        if (ratings.filter((one) => one.songId === id).length > 1) continue;
        expect([id, remembered.has(id)]).toEqual([id, counts(id) || counted(id)]);
      }
      expect(past?.passed ?? []).toEqual(
        [...(earlier?.passed ?? []), ...passes].filter((one) => markEnd(one.passedAt) > now),
      );
      const draw = last ?? earlier?.drawn ?? null;
      const isOpen = draw && draw.songIds.length > 0 && now - draw.drawnAt < packageLifetimeMs;
      expect(past?.drawn ?? null).toEqual(isOpen ? draw : null);
    }),
  );
});

test("a past from before there were passes has none", () => {
  const old = { rated: [{ songId: "a", endsAt: day }], drawn: null };
  expect(stillRemembered(old, 0)).toEqual({ ...old, passed: [] });
});

test("a past ends at the first midnight UTC at which nothing of it counts any more", () => {
  fc.assert(
    fc.property(before, time, (earlier, now) => {
      const past = earlier && stillRemembered(earlier, now);
      if (!past) return;
      const whole: Past = {
        ...past,
        rated: past.rated.map((one) => ({ ...one, endsAt: markEnd(one.endsAt) })),
      };
      const end = pastEnd(whole);
      expect(end % day).toBe(0);
      expect(end).toBeGreaterThan(now);
      expect(stillRemembered(whole, end)).toBeNull();
    }),
  );
});
