/** What a day came to. What is null is not known, and so are all of a day that has no row. */
export interface DailyFigures {
  /** In UTC: "2026-11-23". */
  day: string;
  logins: number | null;
  listens: number | null;
  ratings: number | null;
  passes: number | null;
  submissions: number | null;
  /** How long half and nine of ten of the promises kept that day took at most; null if none was kept. */
  halfHours: number | null;
  nineTenthsHours: number | null;
  owed: number | null;
  emptyVisits: number | null;
  mailsSent: number | null;
  mailsFailed: number | null;
  mailsWaiting: number | null;
  premiumMembers: number | null;
  jobsFailed: number | null;
}

export type FigureName = Exclude<keyof DailyFigures, "day">;

/** How many days the operator's page shows. */
export const daysShown = 30;

const unknown: Record<FigureName, null> = {
  ...{ logins: null, listens: null, ratings: null, passes: null, submissions: null },
  ...{ halfHours: null, nineTenthsHours: null, owed: null, emptyVisits: null },
  ...{ mailsSent: null, mailsFailed: null, mailsWaiting: null },
  ...{ premiumMembers: null, jobsFailed: null },
};

/** The figures of these days, in their order; none at all if not one of them is known. */
export function fillDays(known: DailyFigures[], days: string[]): DailyFigures[] {
  const byDay = new Map(known.map((figures) => [figures.day, figures]));
  if (!days.some((day) => byDay.has(day))) return [];
  return days.map((day) => byDay.get(day) ?? { day, ...unknown });
}
