/** The operator's figures of a year that never was: few people at first, more at week-ends, and bad days. */
import { daysUntil } from "../../app/operator/counting.ts";
import { randomFrom } from "./catalogue.ts";
import type { Row } from "./rows.ts";

const minute = 60_000;
const dayMs = 24 * 60 * minute;
const days = 365;

/** Days before today on which something was wrong. */
const badDays = { pool: [22, 21, 160], mail: [12, 11, 200], database: [5, 90] };

/** Rows of `daily_stats` for a year. The job counts today again and leaves the days before as they are. */
export function figureRows(now: number): Row[] {
  const random = randomFrom("fivefold figures");
  const about = (mean: number) => Math.round(mean * (0.75 + random() * 0.5));
  return daysUntil(now, days).map((day, place) => {
    const age = days - 1 - place;
    const begun = Date.parse(day);
    const share = Math.min(1, (now - begun) / dayMs);
    const weekend = [0, 6].includes(new Date(begun).getUTCDay()) ? 1.4 : 1;
    const crowd = (6 + 28 * (place / days)) * weekend;
    const [poor, mute] = [badDays.pool.includes(age), badDays.mail.includes(age)];
    const listens = about(crowd * 5.5 * share * (poor ? 0.4 : 1));
    const ratings = Math.round(listens * (0.8 + random() * 0.12));
    const half = about(poor ? 30 : 9);
    const mails = Math.round(ratings * 0.6);
    return {
      ...{ day, logins: about(crowd * share), listens, ratings, passes: about(listens * 0.06) },
      submissions: Math.round(ratings / (5 + random())),
      half_hours: ratings > 4 ? half : null,
      nine_tenths_hours: ratings > 4 ? half + about(26) : null,
      owed: Math.round(700 + 350 * (place / days) + 60 * Math.sin(place / 4) + 20 * random()),
      empty_visits: poor ? about(crowd) : Math.round(random() * 1.2),
      mails_sent: mute ? Math.round(mails / 4) : mails,
      mails_failed: mute ? about(5) : Math.round(random() * 0.6),
      mails_waiting: mute ? Math.round(mails / 2) : Math.round(random() * 2),
      premium_members: Math.floor((2.1 * place) / days),
      jobs_failed: badDays.database.includes(age) ? 6 : 0,
      written_at: Math.min(now, begun + dayMs + 10 * minute),
    };
  });
}
