import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { daysUntil } from "~/operator/counting";
import { balanceOf, type DailyFigures, fillDays } from "~/operator/figures";
import { drawBars, Figures, highest } from "~/routes/operator/figures";

const now = Date.UTC(2026, 2, 1, 12);
const days = daysUntil(now, 30);

/** A day on which each figure was this. */
function figures(day: string, value: number, given: Partial<DailyFigures> = {}): DailyFigures {
  return {
    ...{ day, logins: value, listens: value, ratings: value, passes: value, submissions: value },
    ...{ halfHours: value, nineTenthsHours: value, owed: value, emptyVisits: value },
    ...{ mailsSent: value, mailsFailed: value, mailsWaiting: value },
    ...{ premiumMembers: value, jobsFailed: value, ...given },
  };
}

/** The heights of the bars of a path. */
function heights(path: string): number[] {
  return [...path.matchAll(/v-([\d.]+)/g)].map(([, high]) => Number(high));
}

test("a chart draws each value as high as its share of the highest, and today apart", () => {
  const { before, last } = drawBars([10, 20, 5], 20);
  expect([heights(before), heights(last)]).toEqual([[30, 60], [15]]);
  expect(before).toMatch(/^M1 60.*M11 60/);
  expect(last).toMatch(/^M21 60/);
});

test.each([
  [105, 20, false],
  [104, 20, true],
  [50, 0, null],
])(
  "of %i ratings given for %i songs promised it is %s that more is promised than given",
  (ratings, submissions, isBehind) => {
    const known = days
      .map((day) => figures(day, 0))
      .toSpliced(3, 1, figures(days[3] ?? "", 0, { ratings, submissions }));
    const balance = balanceOf(known);
    expect(balance?.isBehind ?? null).toBe(isBehind);
  },
);

test("a chart tells nothing from little, and both from what is not known", () => {
  expect(heights(drawBars([0, 1, null, 100_000, 0], 100_000).before)).toEqual([1, 4, 60]);
});

test("a chart of zeros, of one day and of no day has no bar that is not there", () => {
  const zeros = [0, 0, null];
  expect(highest(zeros)).toBe(0);
  expect(drawBars(zeros, 0)).toEqual({ before: "M1 60v-1h8v1zM11 60v-1h8v1z", last: "" });
  expect(drawBars([7], 7)).toEqual({ before: "", last: "M1 60v-60h8v60z" });
  expect(drawBars([], highest([]))).toEqual({ before: "", last: "" });
});

test("days without a row are there, with nothing known", () => {
  const filled = fillDays([figures("2026-02-27", 3), figures("2026-03-01", 5)], days);
  expect(filled.map(({ day }) => day)).toEqual(days);
  expect(filled.slice(-3).map(({ logins }) => logins)).toEqual([3, null, 5]);
});

test("days without a row make no thirty days if there is no other", () => {
  expect(fillDays([figures("2025-01-01", 3)], days)).toEqual([]);
});

test("thirty days end with that of the moment, over the end of a month", () => {
  expect([days[0], days.at(-2), days.at(-1)]).toEqual(["2026-01-31", "2026-02-28", "2026-03-01"]);
});

const shown = (known: DailyFigures[]) =>
  renderToStaticMarkup(createElement(Figures, { days: fillDays(known, days) }));

test("the figures say so before a day was counted", () => {
  expect(shown([])).toContain("No day has been counted yet.");
  expect(shown([])).not.toContain("<svg");
});

test("the figures show each figure's number of today and of a week ago, and a chart that is told in words", () => {
  const page = shown([figures("2026-02-22", 1234), figures("2026-03-01", 5)]);
  expect(page.split("<svg")).toHaveLength(14);
  expect(page).toContain("<b>5</b> today</span><span>1,234 a week ago");
  expect(page).toContain('aria-label="Logins, 2 days: from 5 on 1 March to 1,234 on 22 February"');
  expect(page).toContain("<b>5 / 5 h</b> today");
});

test("the figures show a single day, and nothing where nothing is known", () => {
  const page = shown([figures("2026-02-28", 7, { halfHours: null, nineTenthsHours: null })]);
  expect(page).toContain("<b>–</b> today</span><span>– a week ago");
  expect(page).toContain('aria-label="Logins: 7 on 28 February"');
  expect(page).toContain('aria-label="Wait until five: not known of any day"');
});

test("the figures have all numbers in a table, the newest day first", () => {
  const known = days.map((day, place) => figures(day, place));
  const [, table = ""] = shown(known).split("<tbody>");
  const rows = table.split("<tr>").slice(1);
  expect(rows).toHaveLength(30);
  expect(rows[0]).toMatch(/^<th scope="row">2026-03-01<\/th>(<td>29<\/td>){14}/);
});
