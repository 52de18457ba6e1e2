import fc from "fast-check";
import { expect, test } from "vitest";
import { periodText } from "~/platform/dates";
import { monthAfter } from "../../sandbox/stripe/time.ts";

const dayMs = 24 * 60 * 60 * 1000;

test("a period is named as it was agreed, from whatever day of whatever month", () => {
  const anchors = fc.date({
    min: new Date("2026-01-01"),
    max: new Date("2031-01-01"),
    noInvalidDate: true,
  });
  fc.assert(
    fc.property(anchors, fc.nat(24), fc.integer({ min: 1, max: 24 }), (anchor, passed, months) => {
      const first = Math.floor(anchor.getTime() / 1000);
      // The day of the month is that of the first period, as far as a month has it.
      const [start, end] = [passed, passed + months].map((after) =>
        monthAfter(first, first, after),
      );
      const years = months / 12;
      const wanted = Number.isInteger(years)
        ? [years === 1 ? "a year" : `${years} years`]
        : [months === 1 ? "a month" : `${months} months`];
      expect(wanted).toContain(periodText(Number(start) * 1000, Number(end) * 1000));
    }),
  );
});

test.each([
  [1, "a day"],
  [7, "a week"],
  [14, "2 weeks"],
  [10, "10 days"],
])("%s days are %s", (days, text) => {
  const start = Date.UTC(2026, 10, 23, 12);
  expect(periodText(start, start + days * dayMs)).toBe(text);
});
