import { ratingsPerSubmission } from "~/db/rules";
import { ordinal } from "~/platform/text";

/** What is said where a song cannot get its five yet; null where enough others are here. `members`: the viewer too. */
export function circleText(members: number): string | null {
  if (members > ratingsPerSubmission) return null;
  return `A song needs five others. You are the ${ordinal(Math.max(1, members))} here this week.`;
}
