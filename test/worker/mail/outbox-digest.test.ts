import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { createDatabase } from "~/db/client.server";
import type { Score } from "~/exchange/rating/scale";
import { savePreferences } from "~/mailing/email-preferences.server";
import { unsubscribe, unsubscribeToken } from "~/mailing/unsubscribe.server";
import { readConfig } from "~/platform/env";
import { rowsOf } from "../../support/database/contents";
import { makeSong, makeUser } from "../../support/database/factories";
import { addressOf, consume, mailsTo } from "../../support/mails";
import { dueTimes, makeRatingMails, subjects, sweepAll, waitMs } from "../../support/rating-mails";

const db = createDatabase(env.DB);
const { sessionSecret: secret } = readConfig(env);
const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
/** A Wednesday; the Sunday after it is the 18th. */
const noon = Date.UTC(2026, 0, 14, 12);
const today = Date.UTC(2026, 0, 14, 17);
const sunday = Date.UTC(2026, 0, 18, 17);

let { mailQueue, rated, choose } = makeRatingMails();
beforeEach(() => {
  ({ mailQueue, rated, choose } = makeRatingMails());
});

describe.each([
  ["daily", today, day],
  ["weekly", sunday, 7 * day],
] as const)("a %s digest", (rhythm, first, period) => {
  test("gathers ratings until its hour, and then is one mail, which one sweep queues", async () => {
    const owner = await makeUser();
    const songs = [await makeSong(owner), await makeSong(owner)] as const;
    await choose(owner, rhythm, noon);
    await rated(songs[0], noon + minute);
    await rated(songs[1], noon + hour);
    await rated(songs[0], first - minute);
    expect(mailQueue.queued).toEqual([]);
    expect(await dueTimes(owner)).toEqual([first, first + period]);
    expect(await sweepAll(first - 6 * hour, first)).toEqual([]);
    expect(await sweepAll(first + minute, first + hour)).toHaveLength(1);
    expect(await subjects(owner)).toEqual(["3 new ratings for 2 of your songs"]);
    const [mail] = await mailsTo(addressOf(owner));
    expect(mail?.text).toContain(`once a ${rhythm === "daily" ? "day" : "week"}`);
    // What comes later waits for the next one; without anything new there is none.
    expect(await sweepAll(first + period, first + period + hour)).toEqual([]);
    await rated(songs[1], first + period + 2 * hour);
    expect(await dueTimes(owner)).toEqual([first + 2 * period]);
  });

  test("leaves a rating that can still change to the next one", async () => {
    const owner = await makeUser();
    const song = await makeSong(owner);
    await choose(owner, rhythm, noon);
    await rated(song, noon);
    const sentAt = first + 20 * minute;
    await rated(song, sentAt - 2 * minute);
    await rated(song, sentAt - 2 * minute - 1);
    expect(await sweepAll(sentAt, sentAt)).toHaveLength(1);
    expect(await subjects(owner)).toEqual([expect.stringContaining("2 new ratings")]);
    expect(await dueTimes(owner)).toEqual([first + period]);
  });

  test("leaves a rating of the minutes before it to the next one, if no other waits", async () => {
    const owner = await makeUser();
    const song = await makeSong(owner);
    await choose(owner, rhythm, noon);
    await rated(song, first - 10_000);
    // A message of its own would come while the rating can still change.
    expect(mailQueue.queued).toEqual([]);
    expect(await sweepAll(first, first + hour)).toEqual([]);
    expect(await dueTimes(owner)).toEqual([first + period]);
  });

  test("is one mail too where several consumers are at it", async () => {
    const owner = await makeUser();
    const song = await makeSong(owner);
    await choose(owner, rhythm, noon);
    for (let n = 0; n < 4; n += 1) await rated(song, noon + n * minute);
    const rows = await rowsOf("SELECT id FROM outbox WHERE user_id = ?", owner.id);
    const ids = rows.map((row) => (row as { id: string }).id);
    await Promise.all(ids.map((id) => consume([id], { now: () => first + hour })));
    expect(await subjects(owner)).toEqual([expect.stringContaining("4 new ratings")]);
  });

  test("ends with its owner's wish for an e-mail after each rating, which is due at once", async () => {
    const owner = await makeUser();
    const song = await makeSong(owner);
    await choose(owner, rhythm, noon);
    await rated(song, noon + minute);
    await rated(song, noon + 2 * minute);
    await choose(owner, "each", noon + hour);
    expect(await dueTimes(owner)).toEqual([noon + hour]);
    const [message, ...more] = mailQueue.queued;
    expect([message?.delayMs, more]).toEqual([0, []]);
    await consume([message?.outboxId], { now: () => noon + hour });
    expect(await subjects(owner)).toEqual([expect.stringContaining("2 new ratings")]);
    expect(await sweepAll(first + minute, first + hour)).toEqual([]);
  });

  test("is not sent to who unsubscribes meanwhile, nor to who switches such mails off", async () => {
    const [gone, off] = [await makeUser(), await makeUser()];
    for (const owner of [gone, off]) {
      await choose(owner, rhythm, noon);
      await rated(await makeSong(owner), noon + minute);
    }
    const token = await unsubscribeToken(secret, { topic: "rating", address: addressOf(gone) });
    await unsubscribe(db, token, secret);
    const services = { db, mailQueue, secret, now: noon + hour };
    const viewer = { userId: off.id, address: addressOf(off) };
    await savePreferences(services, viewer, { receiveRatingEmails: false });
    await sweepAll(first + minute, first + hour);
    expect([await subjects(gone), await subjects(off)]).toEqual([[], []]);
    expect(
      await rowsOf("SELECT DISTINCT state, fault FROM outbox WHERE kind = 'rating' ORDER BY fault"),
    ).toEqual([
      { state: "skipped", fault: "unsubscribed" },
      { state: "skipped", fault: "unwanted" },
    ]);
  });
});

describe("another rhythm", () => {
  test("counts for what is gathering already, and is no way to put off for ever what is due", async () => {
    const owner = await makeUser();
    const song = await makeSong(owner);
    await rated(song, noon);
    await choose(owner, "weekly", noon + minute);
    expect(await dueTimes(owner)).toEqual([sunday]);
    // The message that is in the queue since the rating has nothing left to do.
    const [message] = mailQueue.queued;
    expect(await consume([message?.outboxId], { now: () => noon + waitMs })).toEqual(["done"]);
    await choose(owner, "daily", noon + hour);
    expect(await dueTimes(owner)).toEqual([today]);
    await choose(owner, "weekly", today + minute);
    expect(await dueTimes(owner)).toEqual([today]);
    await sweepAll(today + 2 * minute, today + hour);
    expect(await subjects(owner)).toEqual([expect.stringContaining("New rating")]);
  });

  test("waits for a rating that can still change", async () => {
    const owner = await makeUser();
    const song = await makeSong(owner);
    await choose(owner, "daily", noon);
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
    await choose(other, "daily", noon);
    await rated(await makeSong(other), noon);
    await rated(await makeSong(owner), noon);
    await env.DB.prepare("UPDATE outbox SET mail_id = id WHERE user_id = ?").bind(owner.id).run();
    await choose(owner, "weekly", noon + minute);
    expect(await dueTimes(owner)).toEqual([noon + waitMs]);
    expect(await dueTimes(other)).toEqual([today]);
  });
});

test("a week of hundreds of ratings is one readable mail, of which a sweep queues one message", async () => {
  const owner = await makeUser({ tier: "free" });
  const songs = await Promise.all(Array.from({ length: 12 }, () => makeSong(owner)));
  await choose(owner, "weekly", noon);
  for (let n = 0; n < 60; n += 1) {
    const song = songs[n % songs.length];
    if (song) await rated(song, noon + n * minute, ((n % 4) + 1) as Score);
  }
  expect(await sweepAll(sunday + minute, sunday + hour)).toHaveLength(1);
  const [mail, ...more] = await mailsTo(addressOf(owner));
  expect(more).toEqual([]);
  expect(mail?.subject).toBe("60 new ratings for 12 of your songs");
  expect(mail?.text).toContain("And 2 more songs with new ratings.");
  expect(mail?.text).toContain("You have 36 more ratings");
  expect(mail?.text.match(/Two are shown here\./g)).toHaveLength(10);
});
