/** Songs whose ratings say something, and their owners who read it. */
import type { Score } from "~/exchange/rating/scale";
import {
  baseTime,
  makeRating,
  makeUser,
  type TestSong,
  type TestUser,
} from "../database/factories";
import { song } from "../people";

const day = 86_400_000;

type Said = NonNullable<Parameters<typeof makeRating>[2]>;

/** Rates a song once for each of these, a day apart, each time by somebody else. */
export async function giveEach(it: TestSong, all: Said[], from = 0): Promise<TestUser[]> {
  const raters: TestUser[] = [];
  for (const [n, said] of all.entries()) {
    const rater = await makeUser({ displayName: `Rita Rater ${n}` });
    await makeRating(rater, it, { at: baseTime + (from + n + 1) * day, ...said });
    raters.push(rater);
  }
  return raters;
}

export function scoreBy(it: TestSong, scores: Score[], from = 0): Promise<TestUser[]> {
  return giveEach(
    it,
    scores.map((score) => ({ score })),
    from,
  );
}

/** A song with these ratings, of an owner with Premium unless told otherwise. */
export async function scored(scores: Score[], options: Parameters<typeof song>[0] = {}) {
  const it = await song({ owner: { tier: "premium" }, ...options });
  const raters = await scoreBy(it, scores);
  const path = `/ratings-of-my-songs/${it.id}`;
  return { it, owner: it.owner, raters, path };
}
