import { expect, test } from "vitest";
import type { Score } from "~/exchange/rating/scale";
import { baseTime, makeRating, makeSong, makeUser } from "../../support/database/factories";
import { row, rows } from "../../support/database/rows";
import { hides, shows } from "../../support/expectations";
import {
  addressOf,
  consume,
  deliver,
  delivers,
  failMails,
  letTimePass,
  mailsTo,
  mailTo,
  owe,
  oweRating,
  oweSubmission,
} from "../../support/mails";
import { control } from "../../support/sandbox";

const minute = 60_000;

/** The mails that some rows are part of. */
async function mailOf(...ids: string[]): Promise<unknown[]> {
  return Promise.all(ids.map(async (id) => (await row("outbox", { id })).mailId));
}

/** Ratings of these songs, which are owed to their owner. */
async function oweEach(songs: Awaited<ReturnType<typeof makeSong>>[]): Promise<string[]> {
  const ids: string[] = [];
  for (const song of songs) ids.push(await oweRating(song));
  return ids;
}

test("several ratings in a short time become one mail if they are of different songs", async () => {
  const owner = await makeUser();
  const songs = [await makeSong(owner), await makeSong(owner), await makeSong(owner)];
  const ids = await oweEach(songs);
  await delivers(...ids);
  const mail = await mailTo(addressOf(owner));
  expect(mail.subject).toBe("3 new ratings for 3 of your songs");
  for (const { title } of songs) shows(mail.text, title);
  const sent = { state: "sent", mailId: ids[0], sentAt: expect.any(Number) };
  const attempts = [1, 0, 0];
  expect(await rows("outbox")).toMatchObject(
    attempts.map((tried) => ({ ...sent, attempts: tried })),
  );
});

test("several ratings in a short time become one mail including those that are not due yet", async () => {
  const owner = await makeUser();
  const song = await makeSong(owner);
  const ids: string[] = [];
  for (const n of [0, 1, 2, 3]) {
    ids.push(await oweRating(song, { notBefore: baseTime + n * minute }));
  }
  const [first, ...others] = ids;
  const early = { now: () => baseTime + 3 * minute };
  expect(await consume([first], early)).toEqual(["done"]);
  shows((await mailTo(addressOf(owner))).subject, "4 new ratings (4 of 5)");
  // The messages of the other rows have nothing left to do, early or late.
  for (const at of [early, { now: () => baseTime + 60 * minute }]) {
    expect(await consume(others, at)).toEqual(["done", "done", "done"]);
  }
  await mailTo(addressOf(owner));
});

test("several ratings in a short time become one mail even if several consumers take one of them each at the same time", async () => {
  const owner = await makeUser();
  const ids = await oweEach(Array(5).fill(await makeSong(owner)));
  await Promise.all(ids.map((id) => deliver([id])));
  await mailTo(addressOf(owner));
  expect(new Set(await mailOf(...ids)).size).toBe(1);
});

const labels = ["Not for me", "Mediocore", "Great Song", "Added to my playlist!"];

test.each([
  { tier: "free", shown: [false, false, true, true] },
  { tier: "premium", shown: [true, true, true, true] },
  { tier: "past_due", shown: [true, true, true, true] },
] as const)(
  "the mail about four new ratings shows a $tier user the newest two, or all",
  async ({ tier, shown }) => {
    const owner = await makeUser({ tier });
    const song = await makeSong(owner);
    for (const score of [1, 2, 3, 4] satisfies Score[]) {
      await oweRating(song, { score, at: baseTime + (score + 1) * minute });
    }
    await deliver([(await rows("outbox"))[0]?.id]);
    const { subject, text, html } = await mailTo(addressOf(owner));
    shows(subject, "4 new ratings");
    for (const body of [text, html]) {
      expect(labels.map((label) => body.includes(label))).toEqual(shown);
      expect(body.includes("2 more ratings")).toBe(tier === "free");
      expect(body.includes("more rating")).toBe(tier === "free");
    }
  },
);

test("a mail does not show a free user ratings that newer ones hide on the ratings page", async () => {
  const owner = await makeUser();
  const song = await makeSong(owner);
  const id = await oweRating(song, { score: 1, at: baseTime + 1000 });
  for (const at of [2000, 3000]) {
    await makeRating(await makeUser(), song, { score: 3, at: baseTime + at });
  }
  await deliver([id]);
  const { text } = await mailTo(addressOf(owner));
  hides(text, "Not for me");
  shows(text, "You have 1 more rating");
});

test("a mail that is tried again takes in no more ratings; they become the next mail", async () => {
  const owner = await makeUser();
  const [early, late] = [await makeSong(owner), await makeSong(owner)];
  const to = addressOf(owner);
  const first = await oweRating(early);
  await failMails(to, { status: 500 });
  await deliver([first]);
  const [second, third] = [await oweRating(late), await oweRating(early)];
  await delivers(second);
  await letTimePass();
  await delivers(first, third);
  expect(await mailsTo(to)).toMatchObject([
    { subject: "2 new ratings for 2 of your songs" },
    { subject: expect.stringMatching(/^New rating/) },
  ]);
  expect(await mailOf(first, second, third)).toEqual([first, second, second]);
});

test("a mail fails for good together with all ratings in it", async () => {
  const owner = await makeUser();
  const song = await makeSong(owner);
  await control("mailRefuse", { to: addressOf(owner) });
  await deliver(await oweEach([song, song]));
  const failed = { state: "failed", fault: "422 validation_error" };
  expect(await rows("outbox")).toMatchObject([failed, failed]);
});

test("the ratings of two users' songs never share a mail", async () => {
  const [one, other] = [await makeUser(), await makeUser()];
  const songs = [];
  for (const owner of [one, other, one, other]) songs.push(await makeSong(owner));
  const ids = await oweEach(songs);
  await delivers(...ids);
  for (const [n, owner] of [one, other].entries()) {
    const { text } = await mailTo(addressOf(owner));
    for (const { title, ownerId } of songs) expect(text.includes(title)).toBe(ownerId === owner.id);
    expect(await mailOf(ids[n] ?? "", ids[n + 2] ?? "")).toEqual([ids[n], ids[n]]);
  }
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
  await delivers(...ids);
  expect(await mailsTo(addressOf(owner))).toHaveLength(4);
  expect(await mailOf(...ids)).toEqual(ids);
});
