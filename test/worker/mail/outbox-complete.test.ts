import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { createDatabase } from "~/db/client.server";
import { savePreferences } from "~/mailing/email-preferences.server";
import { readConfig } from "~/platform/env";
import { rowsOf } from "../../support/database/contents";
import { makeSong, makeUser, type TestSong } from "../../support/database/factories";
import { addressOf, consume, mailsTo } from "../../support/mails";
import { dueTimes, makeRatingMails, subjects, sweepAll, waitMs } from "../../support/rating-mails";

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const noon = Date.UTC(2026, 0, 14, 12);
const never = Date.UTC(9999, 0, 1);

let { mailQueue, rated, choose } = makeRatingMails();
beforeEach(() => {
  ({ mailQueue, rated, choose } = makeRatingMails());
});

/** Owes some ratings, each some time after the last one. @returns the time of the last one. */
async function ratedTimes(song: TestSong, count: number, from: number, step = hour) {
  for (let n = 0; n < count; n += 1) await rated(song, from + n * step);
  return from + (count - 1) * step;
}

async function consumeQueued(now: number): Promise<void> {
  await consume(
    mailQueue.queued.map(({ outboxId }) => outboxId),
    { now: () => now },
  );
}

describe("an owner who wants a mail when all five are in", () => {
  test("gets none before, and one of all five minutes after the fifth", async () => {
    const owner = await makeUser({ tier: "premium" });
    const song = await makeSong(owner);
    await choose(owner, "complete", noon);
    const last = await ratedTimes(song, 4, noon);
    expect(mailQueue.queued).toEqual([]);
    expect(await dueTimes(owner)).toEqual([never]);
    expect(await sweepAll(last + 8 * day, last + 8 * day)).toEqual([]);

    const fifth = last + 30 * day;
    await rated(song, fifth, 4);
    expect(mailQueue.queued).toMatchObject([{ delayMs: waitMs }]);
    expect(await dueTimes(owner)).toEqual([fifth + waitMs]);
    await consumeQueued(fifth + waitMs);
    expect(await subjects(owner)).toEqual([`All five ratings are in: “${song.title}”`]);
    const [mail] = await mailsTo(addressOf(owner));
    expect(mail?.text).toContain("4 × Great Song, 1 × Added to my playlist!");
    expect(mail?.text).toContain("You chose to get them once all five ratings of a song are in.");
    expect(await sweepAll(fifth + day, fifth + day)).toEqual([]);
  });

  test("does not hear of another song that still waits for its own", async () => {
    const owner = await makeUser();
    const [full, waiting] = [await makeSong(owner), await makeSong(owner)];
    await choose(owner, "complete", noon);
    await ratedTimes(waiting, 3, noon);
    const fifth = await ratedTimes(full, 5, noon);
    await consumeQueued(fifth + waitMs);
    const [mail] = await mailsTo(addressOf(owner));
    expect(mail?.text).not.toContain(waiting.title);
    expect(await dueTimes(owner)).toEqual([never]);
  });

  test("gets one more for each further submission", async () => {
    const owner = await makeUser();
    const song = await makeSong(owner, { submittedAt: [noon - day, noon - hour] });
    await choose(owner, "complete", noon);
    const fifth = await ratedTimes(song, 5, noon);
    await consumeQueued(fifth + waitMs);
    const ninth = await ratedTimes(song, 4, fifth + hour);
    expect([await subjects(owner), await dueTimes(owner)]).toEqual([
      [expect.stringContaining("Five ratings are in")],
      [never],
    ]);
    await rated(song, ninth + hour);
    await consumeQueued(ninth + hour + waitMs);
    expect(await subjects(owner)).toEqual([
      expect.stringContaining("Five ratings are in"),
      expect.stringContaining("All ten ratings are in"),
    ]);
  });

  test("gets one of all, if the last two come at once and several consumers are at it", async () => {
    const owner = await makeUser();
    const song = await makeSong(owner);
    await choose(owner, "complete", noon);
    const third = await ratedTimes(song, 3, noon);
    await Promise.all([1, 2].map(() => rated(song, third + hour)));
    expect(mailQueue.queued).toHaveLength(1);
    expect(await dueTimes(owner)).toEqual([third + hour + waitMs]);
    const rows = await rowsOf("SELECT id FROM outbox WHERE user_id = ?", owner.id);
    const ids = rows.map((row) => (row as { id: string }).id);
    await Promise.all(ids.map((id) => consume([id], { now: () => third + 2 * hour })));
    expect(await subjects(owner)).toEqual([expect.stringContaining("All five ratings are in")]);
  });

  test("gets none after switching such mails off", async () => {
    const owner = await makeUser();
    const song = await makeSong(owner);
    await choose(owner, "complete", noon);
    const fifth = await ratedTimes(song, 5, noon);
    const services = { db: createDatabase(env.DB), mailQueue, now: fifth + 1 };
    await savePreferences(
      { ...services, secret: readConfig(env).sessionSecret },
      { userId: owner.id, address: addressOf(owner) },
      { receiveRatingEmails: false },
    );
    await consumeQueued(fifth + waitMs);
    expect(await subjects(owner)).toEqual([]);
    expect(await rowsOf("SELECT DISTINCT state, fault FROM outbox")).toEqual([
      { state: "skipped", fault: "unwanted" },
    ]);
  });
});

describe("the choice of that", () => {
  test("holds what is gathering, and gives all of it back with another choice", async () => {
    const owner = await makeUser();
    const song = await makeSong(owner);
    const third = await ratedTimes(song, 3, noon, minute);
    await choose(owner, "complete", third + minute);
    expect(await dueTimes(owner)).toEqual([never]);
    // The messages that are in the queue since the ratings have nothing left to do.
    await consumeQueued(third + waitMs);
    expect(await subjects(owner)).toEqual([]);
    await choose(owner, "each", third + hour);
    expect(await dueTimes(owner)).toEqual([third + hour]);
    expect(mailQueue.queued.slice(3)).toMatchObject([{ delayMs: 0 }]);
    await consumeQueued(third + hour);
    expect(await subjects(owner)).toEqual([expect.stringContaining("3 new ratings")]);
  });

  test("makes what is complete already due at once", async () => {
    const owner = await makeUser();
    const [full, waiting] = [await makeSong(owner), await makeSong(owner)];
    await rated(waiting, noon);
    await ratedTimes(full, 5, noon, 0);
    await choose(owner, "complete", noon + 4 * minute);
    expect(await dueTimes(owner)).toEqual([noon + 4 * minute, never]);
    expect(mailQueue.queued.slice(6)).toMatchObject([{ delayMs: 0 }]);
    await consumeQueued(noon + 4 * minute);
    expect(await subjects(owner)).toEqual([`All five ratings are in: “${full.title}”`]);
  });

  test("loses no rating while the fifth one comes", async () => {
    const owner = await makeUser();
    const song = await makeSong(owner);
    const fourth = await ratedTimes(song, 4, noon, minute);
    await Promise.all([
      rated(song, fourth + minute),
      choose(owner, "complete", fourth + minute),
      choose(owner, "complete", fourth + minute),
    ]);
    const times = (await dueTimes(owner)) as number[];
    for (const at of times) expect(at).toBeLessThanOrEqual(fourth + hour);
    await sweepAll(fourth + hour, fourth + hour);
    expect(await subjects(owner)).toEqual([expect.stringContaining("All five ratings are in")]);
  });

  test("holds nothing that is due, so that nobody can put a mail off for ever", async () => {
    const owner = await makeUser();
    await rated(await makeSong(owner), noon);
    await choose(owner, "complete", noon + waitMs);
    expect(await dueTimes(owner)).toEqual([noon + waitMs]);
    await consumeQueued(noon + waitMs);
    expect(await subjects(owner)).toEqual([expect.stringContaining("New rating")]);
  });

  test("waits for a rating that can still change, when it is taken back", async () => {
    const owner = await makeUser();
    const song = await makeSong(owner);
    await choose(owner, "complete", noon);
    await rated(song, noon + 2 * minute - 1);
    await rated(song, noon);
    await choose(owner, "each", noon + 2 * minute);
    const messages = mailQueue.queued.toSorted((a, b) => a.delayMs - b.delayMs);
    expect(messages.map(({ delayMs }) => delayMs)).toEqual([minute, 2 * minute]);
    for (const { outboxId, delayMs } of messages) {
      await consume([outboxId], { now: () => noon + 2 * minute + delayMs });
    }
    expect(await subjects(owner)).toEqual([
      expect.stringContaining("New rating"),
      expect.stringContaining("New rating"),
    ]);
  });

  test("leaves a mail alone that is on its way, and other people's", async () => {
    const [owner, other] = [await makeUser(), await makeUser()];
    await rated(await makeSong(other), noon);
    await rated(await makeSong(owner), noon);
    await env.DB.prepare("UPDATE outbox SET mail_id = id WHERE user_id = ?").bind(owner.id).run();
    await choose(owner, "complete", noon + minute);
    expect(await dueTimes(owner)).toEqual([noon + waitMs]);
    expect(await dueTimes(other)).toEqual([noon + waitMs]);
  });
});
