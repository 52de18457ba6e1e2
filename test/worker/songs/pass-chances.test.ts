/**
 * How much passing (rule 22) helps to get at one particular song: nobody picks whose song to rate. A
 * simulation over the real queries, with seeded random numbers.
 */
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { createDatabase } from "~/db/client.server";
import { loadCarousel } from "~/exchange/carousel/carousel.server";
import { passSong } from "~/exchange/pass/pass.server";
import { readConfig } from "~/platform/env";
import { isRejection } from "~/platform/rejection";
import { randomFrom } from "../../sandbox/catalogue";
import { baseTime, makeSong, makeUser } from "../../support/database/factories";
import { makeViewer, viewerOf } from "../../support/login";
import { servicesAt } from "../../support/services";

const db = createDatabase(env.DB);
const { sessionSecret: secret } = readConfig(env);
const songCount = 100;
const days = 3;
const people = 12;
const day = 86_400_000;

/** The songs that somebody is offered who rates none, each day, with or without every pass. */
async function offeredTo(passes: boolean, seed: string): Promise<Set<string>[]> {
  const random = randomFrom(seed);
  const { session } = await makeViewer(await makeUser());
  const seen = new Set<string>();
  const byDay: Set<string>[] = [];
  for (let n = 0; n < days; n += 1) {
    const now = Date.now() + n * (day + 1000);
    const services = { ...servicesAt(now), random };
    const look = async () => {
      const carousel = await loadCarousel(
        db,
        { sessionId: session.id, ratedSongId: null },
        { now, random, secret, isActivity: false, isSpotifyOpen: true },
      );
      const ids = carousel?.view.songs.map(({ songId }) => songId) ?? [];
      for (const id of ids) seen.add(id);
      return ids;
    };
    for (let ids = await look(), refused = false; passes && !refused; ids = await look()) {
      const asked = { songId: ids[0] ?? "", reason: "taste", words: "" } as const;
      refused = isRejection(await passSong(services, await viewerOf(session.id), asked));
    }
    await look();
    byDay.push(new Set(seen));
  }
  return byDay;
}

test("every pass every day raises the chance of getting a given song from 5 to 7 in a hundred a day", async () => {
  for (let n = 0; n < songCount; n += 1)
    await makeSong(await makeUser(), { submittedAt: [baseTime + n] });
  const drawn = { without: 0, with: 0 };
  const counts = new Map<string, number>();
  for (let n = 0; n < people; n += 1) {
    for (const kind of ["without", "with"] as const) {
      const [first, ...later] = await offeredTo(kind === "with", `${kind} ${n}`);
      drawn[kind] += first?.size ?? 0;
      for (const id of first ?? []) counts.set(id, (counts.get(id) ?? 0) + 1);
      // On each later day as many again at most, some of them known.
      const most = kind === "with" ? 7 : 5;
      expect(later.at(-1)?.size).toBeLessThanOrEqual(days * most);
    }
  }
  // The chance of a given song is that of the average one, because the draw knows no song from another.
  expect(drawn.without / people / songCount).toBe(0.05);
  expect(drawn.with / people / songCount).toBe(0.07);
  expect(Math.max(...counts.values())).toBeLessThan((people * 12) / 10);
});
