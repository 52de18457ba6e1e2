/**
 * How much passing (rule 22, passes) helps to get at one particular song: nobody picks whose song to rate. A
 * simulation over the real queries, with seeded random numbers.
 */
import { expect, test } from "vitest";
import { dayMs } from "~/platform/dates";
import { isRejection } from "~/platform/rejection";
import { randomFrom } from "../../sandbox/catalogue";
import { someone, songs } from "../../support/people";

const songCount = 100;
const days = 3;
const people = 12;

/** The songs that somebody is offered who rates none, each day, with or without every pass. */
async function offeredTo(passes: boolean, seed: string): Promise<Set<string>[]> {
  const user = (await someone({ random: randomFrom(seed) })).at(Date.now());
  const seen = new Set<string>();
  const byDay: Set<string>[] = [];
  const look = async () => {
    const ids = await user.offered();
    for (const id of ids) seen.add(id);
    return ids;
  };
  for (let n = 0; n < days; n += 1) {
    for (let ids = await look(), refused = false; passes && !refused; ids = await look()) {
      refused = isRejection(await user.passes({ id: ids[0] ?? "" }));
    }
    await look();
    byDay.push(new Set(seen));
    user.waits(dayMs + 1000);
  }
  return byDay;
}

test("every pass every day raises the chance of getting a given song from 5 to 7 in a hundred a day", async () => {
  await songs(songCount);
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
