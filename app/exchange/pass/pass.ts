import { maxPassesPerDay, maxPassesPerPackage, maxReportsPerDay } from "~/db/rules";
import { counted } from "~/platform/text";

/** In the order in which they are offered (rule 22, passes). */
export const passReasons = [
  { reason: "unplayable", label: "It does not play for me" },
  { reason: "known", label: "I know the artist" },
  { reason: "taste", label: "Not my language or kind of music" },
  { reason: "generated", label: "Sounds generated" },
  { reason: "report", label: "Report this song: it is unlawful, hateful, or not music" },
] as const;

export type PassReason = (typeof passReasons)[number]["reason"];

export function isPassReason(value: string): value is PassReason {
  return passReasons.some(({ reason }) => reason === value);
}

export const maxReportLength = 300;

export interface PassesUsed {
  inPackage: number;
  today: number;
  reportsToday: number;
}

/** Why somebody may not pass on or report another song now (rules 22 and 23); null if they may. */
export function passObstacle(used: PassesUsed, reason: PassReason): string | null {
  if (reason === "report") {
    return used.reportsToday >= maxReportsPerDay
      ? `You have reported ${counted(maxReportsPerDay, "song")} within 24 hours. Try again later.`
      : null;
  }
  if (used.inPackage >= maxPassesPerPackage) {
    return `You have passed on ${maxPassesPerPackage} of these songs already. You can pass again on the next ones.`;
  }
  return used.today >= maxPassesPerDay
    ? `You have passed on ${counted(maxPassesPerDay, "song")} within 24 hours. Try again later.`
    : null;
}

export function passesLeftText({ inPackage, today }: PassesUsed): string {
  const left = Math.min(maxPassesPerPackage - inPackage, maxPassesPerDay - today);
  return left > 1
    ? `You can pass on ${left} songs for now, this one included.`
    : "This is the last song that you can pass on for now.";
}
