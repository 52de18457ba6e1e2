import { maxPassesPerDay, maxPassesPerPackage, maxReportsPerDay } from "~/db/rules";
import { counted } from "~/platform/text";

/** Passes and reports that count towards the limits. */
export interface PassesUsed {
  /** Passes on songs of the current package. */
  inPackage: number;
  /** Passes within the last 24 hours. */
  today: number;
  /** Reports within the last 24 hours. */
  reportsToday: number;
}

/** The text for somebody who has used up their passes or reports; null if some are left. */
export function passObstacle(used: PassesUsed, reason: PassReason): string | null {
  if (reason === "report") {
    return used.reportsToday >= maxReportsPerDay
      ? `You have reported ${counted(maxReportsPerDay, "song")} within 24 hours. Please try again later.`
      : null;
  }
  if (used.inPackage >= maxPassesPerPackage) {
    return `You have passed on ${maxPassesPerPackage} of these songs already. You can pass again on the next ones.`;
  }
  return used.today >= maxPassesPerDay
    ? `You have passed on ${counted(maxPassesPerDay, "song")} within 24 hours. Please try again later.`
    : null;
}

/** The text about the passes left. */
export function passesLeftText({ inPackage, today }: PassesUsed): string {
  const left = Math.min(maxPassesPerPackage - inPackage, maxPassesPerDay - today);
  return left > 1
    ? `You can pass on ${left} songs for now, this one included.`
    : "This is the last song that you can pass on for now.";
}

/** Reasons for not rating a song (rule 22), in the order in which they are offered. */
export const passReasons = [
  { reason: "unplayable", label: "It does not play for me" },
  { reason: "known", label: "I know the artist" },
  { reason: "taste", label: "Not my language or kind of music" },
  { reason: "report", label: "Report this song: it is unlawful, hateful, or not music" },
] as const;

export type PassReason = (typeof passReasons)[number]["reason"];

/** Checks whether a posted field is one of the reasons. */
export function isPassReason(value: string): value is PassReason {
  return passReasons.some(({ reason }) => reason === value);
}

/** The longest report, in characters. */
export const maxReportLength = 300;
