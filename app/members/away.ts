import { dateAndTime, dayMs, minuteMs } from "~/platform/dates";

/** Time after deleting an account in which its user gets no songs and submits none, in milliseconds. */
export const cooldownMs = dayMs;

/**
 * End of the time in which a user who has deleted an account and come back is away (rule 37); null if they
 * are not. All times are epoch milliseconds.
 * @param leftAt when they deleted it; null if they did not.
 */
export function cooldownUntil(leftAt: number | null, now: number): number | null {
  return leftAt !== null && leftAt + cooldownMs > now ? leftAt + cooldownMs : null;
}

/** The text for a user who is away. */
export function cooldownText(until: number): string {
  const time = dateAndTime(Math.ceil(until / minuteMs) * minuteMs);
  return `You deleted your account less than a day ago. From ${time} on, there are songs for you to rate, and you can submit your own again.`;
}
