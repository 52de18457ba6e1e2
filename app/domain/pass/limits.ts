import { maxPassesPerDay, maxPassesPerPackage } from "~/db/rules";
import { counted } from "~/platform/text";

/** The passes that count towards the two limits. */
export interface PassesUsed {
  /** Of the package. */
  inPackage: number;
  /** Within the last 24 hours. */
  today: number;
}

/** What people read who have no pass left; null where they have one. */
export function passObstacle({ inPackage, today }: PassesUsed): string | null {
  if (inPackage >= maxPassesPerPackage) {
    return `You have passed on ${counted(maxPassesPerPackage, "song")} of this package already. More are possible with the next songs.`;
  }
  return today >= maxPassesPerDay
    ? `You have passed on ${counted(maxPassesPerDay, "song")} within 24 hours. Please try again later.`
    : null;
}

/** How many passes are left, for people. */
export function passesLeftText({ inPackage, today }: PassesUsed): string {
  const day = Math.max(0, maxPassesPerDay - today);
  const here = Math.max(0, Math.min(maxPassesPerPackage - inPackage, day));
  return `You can pass on ${counted(here, "song")} of this package, and on ${day} within 24 hours, this one included.`;
}
