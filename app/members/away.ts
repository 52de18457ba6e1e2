import { dateAndTime, dayMs, minuteMs } from "~/platform/dates";

/** The user gets no songs and submits none for so long after deleting an account. */
export const cooldownMs = dayMs;

/** End of the cooldown of a user who has deleted an account and come back (rule 37, coming back). Null outside it. */
export function cooldownUntil(leftAt: number | null, now: number): number | null {
  return leftAt !== null && leftAt + cooldownMs > now ? leftAt + cooldownMs : null;
}

export function cooldownText(until: number): string {
  const time = dateAndTime(Math.ceil(until / minuteMs) * minuteMs);
  return `You deleted your account less than a day ago. From ${time} on, there are songs for you to rate, and you can submit your own again.`;
}
