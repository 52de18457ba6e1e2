/** Why somebody cannot rate a song (rule 22), in the order in which they are offered. */
export const passReasons = [
  { reason: "unplayable", label: "It does not play for me" },
  { reason: "known", label: "I know the artist" },
  { reason: "taste", label: "Not my language or kind of music" },
  { reason: "report", label: "Report this song: it is unlawful, hateful, or not music" },
] as const;

export type PassReason = (typeof passReasons)[number]["reason"];

/** Whether a posted field names a reason. */
export function isPassReason(value: string): value is PassReason {
  return passReasons.some(({ reason }) => reason === value);
}

/** The most characters that a report says. */
export const maxReportLength = 300;
