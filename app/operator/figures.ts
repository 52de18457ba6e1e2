/** A day's figures; null where unknown, as all are for a day without a row. */
export interface DailyFigures {
  /** A UTC day: "2026-11-23". */
  day: string;
  logins: number | null;
  listens: number | null;
  ratings: number | null;
  passes: number | null;
  submissions: number | null;
  /** Hours within which half and nine tenths of the day's kept promises were kept; null if none was. */
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

/** Days that the operator's page shows. */
export const daysShown = 30;

const unknown: Record<FigureName, null> = {
  ...{ logins: null, listens: null, ratings: null, passes: null, submissions: null },
  ...{ halfHours: null, nineTenthsHours: null, owed: null, emptyVisits: null },
  ...{ mailsSent: null, mailsFailed: null, mailsWaiting: null },
  ...{ premiumMembers: null, jobsFailed: null },
};

/** The figures of these days, in their order; empty if none of them is known. */
export function fillDays(known: DailyFigures[], days: string[]): DailyFigures[] {
  const byDay = new Map(known.map((figures) => [figures.day, figures]));
  if (!days.some((day) => byDay.has(day))) return [];
  return days.map((day) => byDay.get(day) ?? { day, ...unknown });
}
