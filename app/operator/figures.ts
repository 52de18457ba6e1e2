import { ratingsPerSubmission } from "~/db/rules";

export const daysShown = 30;

const figureNames = [
  "logins",
  "listens",
  "ratings",
  "passes",
  "submissions",
  "halfHours",
  "nineTenthsHours",
  "owed",
  "emptyVisits",
  "mailsSent",
  "mailsFailed",
  "mailsWaiting",
  "premiumMembers",
  "jobsFailed",
] as const;
export type FigureName = (typeof figureNames)[number];

/** The figures of a UTC day such as "2026-11-23". Null where unknown. */
export interface DailyFigures extends Record<FigureName, number | null> {
  day: string;
}

/** Below it, what is promised takes ever longer: premium members get five ratings for four. */
const leastKept = 1.05;

/** Ratings given and promised in the days shown. Null before anything was promised. */
export function balanceOf(days: DailyFigures[]) {
  const sum = (name: FigureName) => days.reduce((total, day) => total + (day[name] ?? 0), 0);
  const [given, promised] = [sum("ratings"), ratingsPerSubmission * sum("submissions")];
  return promised === 0 ? null : { given, promised, isBehind: given < leastKept * promised };
}

/** In the order of `days`; empty if none of them is known. */
export function fillDays(known: DailyFigures[], days: string[]): DailyFigures[] {
  const byDay = new Map(known.map((figures) => [figures.day, figures]));
  if (!days.some((day) => byDay.has(day))) return [];
  const unknown = Object.fromEntries(figureNames.map((name) => [name, null]));
  return days.map((day) => byDay.get(day) ?? ({ day, ...unknown } as DailyFigures));
}
