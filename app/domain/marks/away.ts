import { dayMs } from "~/db/rules";

/** Who has deleted their account gets no songs and submits none for this long, in milliseconds. */
export const awayMs = dayMs;

/**
 * Until when somebody gets no songs and submits none who has deleted their account and come back; null
 * if they may. All times are epoch milliseconds.
 * @param leftAt when they deleted it; null if they did not.
 */
export function awayUntil(leftAt: number | null, now: number): number | null {
  return leftAt !== null && leftAt + awayMs > now ? leftAt + awayMs : null;
}

const minuteMs = 60_000;

/** What they read meanwhile. */
export function awayText(until: number): string {
  const time = new Date(Math.ceil(until / minuteMs) * minuteMs).toUTCString();
  // "Tue, 24 Nov 2026 14:05:00 GMT"
  const [, day, month, year, clock = ""] = time.split(" ");
  return `You deleted your account less than a day ago. From ${day} ${month} ${year}, ${clock.slice(0, 5)} UTC on, there are songs for you to rate, and you can submit your own again.`;
}
