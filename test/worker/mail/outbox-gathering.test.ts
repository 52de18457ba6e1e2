import { describe, expect, test } from "vitest";
import { rowsOf } from "../../support/database/contents";
import { baseTime, makeRating, makeSong, makeUser } from "../../support/database/factories";
import {
  addressOf,
  consume,
  deliver,
  failMails,
  letTimePass,
  mailRow,
  mailsTo,
  owe,
  oweRating,
  oweSubmission,
} from "../../support/mails";
import { control } from "../../support/sandbox";

const minute = 60_000;
const later = baseTime + 60 * minute;

/** The mails that some rows are part of. */
async function mailOf(...ids: string[]): Promise<unknown[]> {
  return Promise.all(ids.map(async (id) => (await mailRow(id)).mail_id));
}

describe("several ratings in a short time become one mail", () => {
  test("if they are of different songs", async () => {
    const owner = await makeUser();
    const songs = [await makeSong(owner), await makeSong(owner), await makeSong(owner)];
    const ids = [];
    for (const song of songs) ids.push(await oweRating(song));
    expect(await deliver(ids)).toEqual(["done", "done", "done"]);
    const [mail, ...more] = await mailsTo(addressOf(owner));
    expect(more).toEqual([]);
    expect(mail?.subject).toBe("3 new ratings for 3 of your songs");
    for (const { title } of songs) expect(mail?.text).toContain(title);
    expect(await mailOf(...ids)).toEqual([ids[0], ids[0], ids[0]]);
    expect(
      await rowsOf("SELECT DISTINCT state, attempts, sent_at IS NULL AS u FROM outbox ORDER BY 2"),
    ).toEqual([
      { state: "sent", attempts: 0, u: 0 },
      { state: "sent", attempts: 1, u: 0 },
    ]);
  });

  test("including those that are not due yet", async () => {
    const owner = await makeUser();
    const song = await makeSong(owner);
    const ids = [];
    for (let n = 0; n < 4; n += 1)
      ids.push(await oweRating(song, { notBefore: baseTime + n * minute }));
    const [first = "", ...others] = ids;
    const early = baseTime + 3 * minute;
    expect(await consume([first], { now: () => early })).toEqual(["done"]);
    const [mail] = await mailsTo(addressOf(owner));
    expect(mail?.subject).toContain("4 new ratings (4 of 5)");
    // The messages of the other rows have nothing left to do, early or late.
    expect(await consume(others, { now: () => early })).toEqual(Array(3).fill("done"));
    expect(await consume(others, { now: () => later })).toEqual(Array(3).fill("done"));
    expect(await mailsTo(addressOf(owner))).toHaveLength(1);
  });

  test("even if several consumers take one of them each at the same time", async () => {
    const owner = await makeUser();
    const song = await makeSong(owner);
    const ids = [];
    for (let n = 0; n < 5; n += 1) ids.push(await oweRating(song));
    await Promise.all(ids.map((id) => deliver([id])));
    expect(await mailsTo(addressOf(owner))).toHaveLength(1);
    expect(new Set(await mailOf(...ids)).size).toBe(1);
  });
});

describe("the mail about a song's new ratings", () => {
  const scores = [1, 2, 3, 4] as const;

  async function fourRatings(tier: "free" | "premium" | "past_due") {
    const owner = await makeUser({ tier });
    const song = await makeSong(owner);
    for (const [n, score] of scores.entries()) {
      await oweRating(song, { score, at: baseTime + (n + 2) * minute });
    }
    const [row] = (await rowsOf("SELECT id FROM outbox")) as { id: string }[];
    await deliver([row?.id]);
    const [mail] = await mailsTo(addressOf(owner));
    return mail;
  }

  const labels = ["Not for me", "Mediocore", "Great Song", "Added to my playlist!"];

  test("shows a free user the newest two, and how many more there are", async () => {
    const mail = await fourRatings("free");
    for (const shown of [mail?.text, mail?.html]) {
      expect(labels.map((label) => shown?.includes(label))).toEqual([false, false, true, true]);
      expect(shown).toContain("2 more ratings");
    }
    expect(mail?.subject).toContain("4 new ratings");
  });

  test("does not show a free user ratings that newer ones hide on the ratings page", async () => {
    const owner = await makeUser();
    const song = await makeSong(owner);
    const id = await oweRating(song, { score: 1, at: baseTime + 1000 });
    for (const second of [2, 3]) {
      await makeRating(await makeUser(), song, { score: 3, at: baseTime + second * 1000 });
    }
    await deliver([id]);
    const [mail] = await mailsTo(addressOf(owner));
    expect(mail?.text).not.toContain("Not for me");
    expect(mail?.text).toContain("You have 1 more rating");
  });

  test.each(["premium", "past_due"] as const)("shows a %s user all of them", async (tier) => {
    const mail = await fourRatings(tier);
    for (const shown of [mail?.text, mail?.html]) {
      expect(labels.map((label) => shown?.includes(label))).toEqual([true, true, true, true]);
      expect(shown).not.toContain("more rating");
    }
  });
});

describe("a mail that is tried again", () => {
  test("takes in no more ratings; they become the next mail", async () => {
    const owner = await makeUser();
    const [early, late] = [await makeSong(owner), await makeSong(owner)];
    const to = addressOf(owner);
    const first = await oweRating(early);
    await failMails(to, { status: 500 });
    await deliver([first]);
    const [second, third] = [await oweRating(late), await oweRating(early)];
    expect(await deliver([second])).toEqual(["done"]);
    await letTimePass();
    expect(await deliver([first, third])).toEqual(["done", "done"]);
    const mails = await mailsTo(to);
    expect(mails.map(({ subject }) => subject)).toEqual([
      "2 new ratings for 2 of your songs",
      expect.stringMatching(/^New rating/),
    ]);
    expect(await mailOf(first, second, third)).toEqual([first, second, second]);
  });

  test("fails for good together with all ratings in it", async () => {
    const owner = await makeUser();
    const song = await makeSong(owner);
    const ids = [await oweRating(song), await oweRating(song)];
    await control("mailRefuse", { to: addressOf(owner) });
    await deliver(ids);
    expect(await rowsOf("SELECT DISTINCT state, fault FROM outbox")).toEqual([
      { state: "failed", fault: "422 validation_error" },
    ]);
  });
});

test("the ratings of two users' songs never share a mail", async () => {
  const owners = [await makeUser(), await makeUser()];
  const ids: string[] = [];
  const songs = [];
  for (let n = 0; n < 4; n += 1) {
    const song = await makeSong(owners[n % 2] ?? { id: "", displayName: "" });
    songs.push(song);
    ids.push(await oweRating(song));
  }
  expect(await deliver(ids)).toEqual(Array(4).fill("done"));
  for (const [n, owner] of owners.entries()) {
    const [mail, ...more] = await mailsTo(addressOf(owner));
    expect(more).toEqual([]);
    expect(songs.map(({ title }) => mail?.text.includes(title))).toEqual(
      [0, 1, 2, 3].map((at) => at % 2 === n),
    );
  }
  expect(await mailOf(...ids)).toEqual([ids[0], ids[1], ids[0], ids[1]]);
});

test("only ratings share a mail", async () => {
  const owner = await makeUser();
  const song = await makeSong(owner);
  const ids = [
    await oweSubmission(song),
    await oweRating(song),
    await owe(owner.id, "premium_ended"),
    await owe(owner.id, "premium_ended"),
  ];
  expect(await deliver(ids)).toEqual(Array(4).fill("done"));
  expect(await mailsTo(addressOf(owner))).toHaveLength(4);
  expect(await mailOf(...ids)).toEqual(ids);
});
