/** The mails of owners who want one when all five ratings are in. */
import { expect, test } from "vitest";
import { change, rows } from "../../support/database/rows";
import { shows } from "../../support/expectations";
import { consume } from "../../support/mails";
import { makeRatedOwner, sweep, waitMs } from "../../support/rating-mails";

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const noon = Date.UTC(2026, 0, 14, 12);
const never = Date.UTC(9999, 0, 1);
const five = expect.stringContaining("All five ratings are in");
const single = expect.stringContaining("New rating");

test("an owner who wants a mail when all five are in gets none before, and one of all five minutes after the fifth", async () => {
  const owner = await makeRatedOwner({ tier: "premium" });
  const song = await owner.song();
  await owner.chooses("complete", noon);
  const last = await owner.ratedTimes(song, 4, noon);
  expect(owner.queued).toEqual([]);
  await owner.isDue(never);
  expect(await sweep(last + 8 * day)).toEqual([]);

  const fifth = last + 30 * day;
  await owner.rated(song, fifth, 4);
  expect(owner.queued).toMatchObject([{ delayMs: waitMs }]);
  await owner.isDue(fifth + waitMs);
  await owner.consumes(fifth + waitMs);
  const [mail, ...more] = await owner.mails();
  expect([mail?.subject, more]).toEqual([`All five ratings are in: “${song.title}”`, []]);
  shows(
    mail?.text,
    "4 × Great Song, 1 × Added to my playlist!",
    "You chose to get them once all five ratings of a song are in.",
  );
  expect(await sweep(fifth + day)).toEqual([]);
});

test("an owner who wants a mail when all five are in does not hear of another song that still waits for its own", async () => {
  const owner = await makeRatedOwner();
  const [full, waiting] = [await owner.song(), await owner.song()];
  await owner.chooses("complete", noon);
  await owner.ratedTimes(waiting, 3, noon);
  const fifth = await owner.ratedTimes(full, 5, noon);
  await owner.consumes(fifth + waitMs);
  expect((await owner.mails())[0]?.text).not.toContain(waiting.title);
  await owner.isDue(never);
});

test("an owner who wants a mail when all five are in gets one more for each further submission", async () => {
  const owner = await makeRatedOwner();
  const song = await owner.song({ submittedAt: [noon - day, noon - hour] });
  await owner.chooses("complete", noon);
  const fifth = await owner.ratedTimes(song, 5, noon);
  await owner.consumes(fifth + waitMs);
  const ninth = await owner.ratedTimes(song, 4, fifth + hour);
  const first = expect.stringContaining("Five ratings are in");
  await owner.got(first);
  await owner.isDue(never);
  await owner.rated(song, ninth + hour);
  await owner.consumes(ninth + hour + waitMs);
  const ten = expect.stringContaining("All ten ratings are in");
  await owner.got(first, ten);
});

test("an owner who wants a mail when all five are in gets one of all, if the last two come at once and several consumers are at it", async () => {
  const owner = await makeRatedOwner();
  const song = await owner.song();
  await owner.chooses("complete", noon);
  const third = await owner.ratedTimes(song, 3, noon);
  await Promise.all([1, 2].map(() => owner.rated(song, third + hour)));
  expect(owner.queued).toHaveLength(1);
  await owner.isDue(third + hour + waitMs);
  const owed = await rows("outbox");
  await Promise.all(owed.map(({ id }) => consume([id], { now: () => third + 2 * hour })));
  await owner.got(five);
});

test("an owner who wants a mail when all five are in gets none after switching such mails off", async () => {
  const owner = await makeRatedOwner();
  await owner.chooses("complete", noon);
  const fifth = await owner.ratedTimes(await owner.song(), 5, noon);
  await owner.prefers({ receiveRatingEmails: false }, fifth + 1);
  await owner.consumes(fifth + waitMs);
  await owner.got();
  expect(await rows("outbox", { state: "skipped", fault: "unwanted" })).toHaveLength(5);
});

test("the choice of one mail holds what is gathering, and gives all of it back with another choice", async () => {
  const owner = await makeRatedOwner();
  const third = await owner.ratedTimes(await owner.song(), 3, noon, minute);
  await owner.chooses("complete", third + minute);
  await owner.isDue(never);
  // The messages that are in the queue since the ratings have nothing left to do.
  await owner.consumes(third + waitMs);
  await owner.got();
  await owner.chooses("each", third + hour);
  await owner.isDue(third + hour);
  expect(owner.queued.slice(3)).toMatchObject([{ delayMs: 0 }]);
  await owner.consumes(third + hour);
  await owner.got(expect.stringContaining("3 new ratings"));
});

test("the choice of one mail makes what is complete already due at once", async () => {
  const owner = await makeRatedOwner();
  const [full, waiting] = [await owner.song(), await owner.song()];
  const chosenAt = noon + 4 * minute;
  await owner.rated(waiting, noon);
  await owner.ratedTimes(full, 5, noon, 0);
  await owner.chooses("complete", chosenAt);
  await owner.isDue(chosenAt, never);
  expect(owner.queued.slice(6)).toMatchObject([{ delayMs: 0 }]);
  await owner.consumes(chosenAt);
  await owner.got(`All five ratings are in: “${full.title}”`);
});

test("the choice of one mail loses no rating while the fifth one comes", async () => {
  const owner = await makeRatedOwner();
  const song = await owner.song();
  const fourth = await owner.ratedTimes(song, 4, noon, minute);
  await Promise.all([
    owner.rated(song, fourth + minute),
    owner.chooses("complete", fourth + minute),
    owner.chooses("complete", fourth + minute),
  ]);
  for (const at of await owner.dueTimes()) expect(at).toBeLessThanOrEqual(fourth + hour);
  await sweep(fourth + hour);
  await owner.got(five);
});

test("the choice of one mail holds nothing that is due, so that nobody can put a mail off for ever", async () => {
  const owner = await makeRatedOwner();
  await owner.rated(await owner.song(), noon);
  await owner.chooses("complete", noon + waitMs);
  await owner.isDue(noon + waitMs);
  await owner.consumes(noon + waitMs);
  await owner.got(single);
});

test("the choice of one mail, when it is taken back, waits for a rating that can still change", async () => {
  const owner = await makeRatedOwner();
  const song = await owner.song();
  await owner.chooses("complete", noon);
  await owner.rated(song, noon + 2 * minute - 1);
  await owner.rated(song, noon);
  await owner.chooses("each", noon + 2 * minute);
  const messages = owner.queued.toSorted((a, b) => a.delayMs - b.delayMs);
  expect(messages.map(({ delayMs }) => delayMs)).toEqual([minute, 2 * minute]);
  for (const { outboxId, delayMs } of messages) {
    await consume([outboxId], { now: () => noon + 2 * minute + delayMs });
  }
  await owner.got(single, single);
});

test("the choice of one mail leaves a mail alone that is on its way, and other people's", async () => {
  const [owner, other] = [await makeRatedOwner(), await makeRatedOwner()];
  for (const one of [other, owner]) await one.rated(await one.song(), noon);
  const [lead] = await rows("outbox", { userId: owner.id });
  await change("outbox", { userId: owner.id }, { mailId: lead?.id ?? "" });
  await owner.chooses("complete", noon + minute);
  for (const one of [owner, other]) await one.isDue(noon + waitMs);
});
