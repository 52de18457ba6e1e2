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
