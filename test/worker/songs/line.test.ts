/**
 * Each owner has two songs in line at a time, so that nobody with many songs blocks the others, and
 * every song still gets its promised ratings.
 */
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import * as index from "~/routes/_index/route";
import { baseTime, makeRating } from "../../support/database/factories";
import { putInRotation, putOwnersSongs } from "../../support/database/rotation";
import { rows } from "../../support/database/rows";
import { measure } from "../../support/measure";
import { type Cast, fill, idsOf, type Someone, someone, song } from "../../support/people";

type Song = Cast<typeof song>;

/** Songs of one owner, submitted one after the other. */
async function inTurn(owner: Someone, count: number) {
  const made: Song[] = [];
  for (let n = 0; n < count; n += 1) {
    made.push(await song({ owner, submittedAt: [baseTime + n] }));
  }
  return made as [Song, Song, Song];
}

const lineSince = async (it: Song) => (await it.now()).lineSince;

test.each([170, 5000])(
  "%i songs of one owner before all others do not keep a newcomer from everybody else's",
  async (count) => {
    await putOwnersSongs(await someone(), count);
    await putInRotation(1, 60);
    const { eligible } = await (await someone()).pool();
    expect(eligible).toHaveLength(62);
    expect(new Set(eligible.map(({ ownerId }) => ownerId)).size).toBe(61);
  },
);

test("a carousel reads as many rows with 5,000 songs of one owner before all others as with 170", async () => {
  const owner = await someone();
  const read: number[][] = [];
  for (const count of [170, 5000]) {
    await env.DB.prepare("DELETE FROM songs").run();
    await putOwnersSongs(owner, count);
    await putInRotation(1, 60);
    const cookie = await (await someone({ musician: "indira-pallavan" })).login();
    const found: number[] = [];
    for (const path of ["/", "/", "/?menu=addownsong"]) {
      found.push((await measure(index.loader, { path, cookie })).rowsRead());
    }
    read.push(found);
  }
  const [few = [], many = []] = read;
  for (const [n, found] of many.entries()) {
    // A new package has another id, so a few other index entries may be read next to it.
    expect(Math.abs(found - (few[n] ?? 0))).toBeLessThanOrEqual(5);
    expect(found).toBeLessThan(1000);
  }
});

test("whoever has rated an owner's two songs in line is offered the owner's next ones", async () => {
  const made = await inTurn(await someone(), 4);
  const [viewer, other] = [await someone(), await someone()];
  const ids = idsOf(made);
  expect(await viewer.pooled()).toEqual(ids.slice(0, 2));
  for (const one of made.slice(0, 2)) await makeRating(viewer, one);
  expect(await viewer.pooled()).toEqual(ids.slice(2));
  expect(await other.pooled()).toEqual(ids.slice(0, 2));
});

test("a song that has all its ratings makes room for the owner's next, behind everybody in line", async () => {
  const [first, second, third] = await inTurn(await someone(), 3);
  const other = await song({ submittedAt: [baseTime + 1000] });
  expect(await lineSince(third)).toBeNull();
  await fill(first);
  expect([await lineSince(first), await lineSince(third)]).toEqual([null, baseTime + 1000]);
  const [next, ...found] = await (await someone()).pooled();
  expect(next).toBe(second.id);
  expect(found.sort()).toEqual([other.id, third.id].sort());
});

test("a song that is promised ratings a second time makes room for an older one of its owner", async () => {
  const owner = await someone();
  const twice = await song({ owner, submittedAt: [baseTime, baseTime + 100] });
  const [, last] = await inTurn(owner, 2);
  expect(await lineSince(last)).toBeNull();
  await fill(twice);
  expect([await lineSince(twice), await lineSince(last)]).toEqual([null, baseTime + 1]);
});

test("an owner of many songs gets all promised ratings, even with as few raters as possible", async () => {
  const made = await inTurn(await someone(), 9);
  for (let n = 0; n < 5; n += 1) {
    const rater = await someone();
    for (let next = await rater.pooled(); next.length > 0; next = await rater.pooled()) {
      for (const one of made) if (next.includes(one.id)) await makeRating(rater, one);
    }
  }
  expect((await rows("songs")).filter(({ owed }) => owed > 0)).toEqual([]);
});
