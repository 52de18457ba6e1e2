/** Ratings that open once all five are in, because few members are here. */
import { expect, test } from "vitest";
import type { Score } from "~/exchange/rating/scale";
import { trackOf } from "../../support/catalogue";
import { baseTime, freePrice } from "../../support/database/factories";
import { change, row, rows } from "../../support/database/rows";
import { answers, hides, shows } from "../../support/expectations";
import { makeSession } from "../../support/login";
import { type Cast, someone, song, songs } from "../../support/people";
import { makeRatedOwner, sweep, waitMs } from "../../support/rating-mails";
import { dataOf } from "../../support/request";

type Song = Cast<typeof song>;

const list = "/ratings-of-my-songs";
const noon = Date.UTC(2026, 0, 14, 12);
const hour = 3_600_000;
const track = trackOf("mara-lind", 3);

async function seal({ id }: { id: string }, number = 1): Promise<void> {
  await change("submissions", { songId: id, number }, { sealed: true });
}

async function sealedSong(options: Parameters<typeof song>[0] = {}) {
  const it = await song({ owner: { tier: "premium" }, ...options });
  await seal(it, options.submittedAt?.length);
  return it;
}

async function rate(it: Song, ...scores: Score[]): Promise<void> {
  for (const score of scores) await (await someone({ heard: it })).rates(it, score);
}

/** Whatever an owner can read of their song. */
async function readAll({ owner, id }: Song): Promise<string[]> {
  const pages = [list, dataOf(list), `${list}/${id}`, dataOf(`${list}/${id}`), `${list}/${id}.csv`];
  const texts = [];
  for (const page of ["/", ...pages]) texts.push(await owner.reads(page));
  texts.push(await (await owner.posts("/account/export")).text());
  return texts.map((text) =>
    text.replace(/[0-9a-f-]{32,36}|"now":\d+|"exportedAt": "[^"]*"|\d+ms/g, ""),
  );
}

test.each([
  ["eleven", 10, true],
  ["twelve", 11, false],
])("a song submitted while %s are here is sealed: %s", async (_many, others, sealed) => {
  for (let n = 0; n < others; n += 1) await makeSession(await someone());
  const owner = await someone({ sealedBelow: 12, credits: freePrice });
  await owner.at(Date.now()).submits(track);
  expect(await row("submissions")).toMatchObject({ sealed });
});

test("sealed ratings are counted, and say nothing else: two owners read the same of other marks", async () => {
  const it = await sealedSong();
  await rate(it, 1, 1, 4, 2);
  // The first look has seen the news.
  await readAll(it);
  const before = await readAll(it);
  const scores: Score[] = [4, 3, 1, 1];
  for (const [n, { id }] of (await rows("ratings")).entries()) {
    const score = scores[n] ?? 1;
    await change("ratings", { id }, { score, reasons: 1, inPlaylist: score === 4 });
  }
  expect(await readAll(it)).toEqual(before);
  const [, page, , ofSong] = before;
  shows(
    page,
    "Four of five are in",
    'aria-label="4 sealed, 1 to come"',
    "It already received 4 ratings",
  );
  shows(ofSong, "They open once all five are in.", "So few musicians are here");
  await answers(it.owner.posts(`/songs/${it.id}/share`), 409);
});

test("with the fifth all of them open, also if the circle has grown since", async () => {
  const it = await sealedSong();
  await rate(it, 1, 4, 4);
  for (let n = 0; n < 15; n += 1) await makeSession(await someone());
  hides(await it.owner.reads(`${list}/${it.id}`), "Not for me</span>");
  await rate(it, 4, 3);
  const text = await it.owner.reads(`${list}/${it.id}`);
  shows(text, "4 of 5 liked it.", "1 × Not for me, 1 × Great Song, 3 × Added to my playlist!");
  hides(text, /\d sealed/, "So few musicians");
});

test("of a song with an earlier five, these stay open while the next ones are sealed", async () => {
  const it = await sealedSong({ submittedAt: [baseTime, baseTime + 5] });
  await rate(it, 3, 3, 3, 3, 1, 2, 2);
  const text = await it.owner.reads(`${list}/${it.id}`);
  shows(text, "4 of 5 liked it.", "Two more open once all five are in.", "2 sealed, 3 to come");
  shows(await it.owner.reads(list), "4 of 5 liked it");
});

test("a free owner sees the newest two once all are open, and before that none", async () => {
  const it = await sealedSong({ owner: {} });
  await rate(it, 1, 1, 1, 4);
  hides(await it.owner.reads(list), "more ratings", "Only premium users");
  await rate(it, 4);
  shows(await it.owner.reads(list), "You have 3 more ratings", "Added to my playlist!");
});

test("one mail tells of all five, whatever its owner has chosen, or chooses meanwhile", async () => {
  const owner = await makeRatedOwner({ tier: "premium" });
  const it = await owner.song();
  await seal(it);
  await owner.chooses("complete", noon);
  const fourth = await owner.ratedTimes(it, 4, noon);
  await owner.chooses("each", fourth + 1);
  expect(owner.queued).toEqual([]);
  expect(await sweep(fourth + 8 * 24 * hour)).toEqual([]);
  await owner.rated(it, fourth + hour, 4);
  await owner.consumes(fourth + hour + waitMs);
  await owner.got(expect.stringContaining("All five ratings are in"));
  shows((await owner.mails())[0]?.text, "4 × Great Song, 1 × Added to my playlist!");
});

test("a mail about an earlier five tells nothing of what is sealed", async () => {
  const owner = await makeRatedOwner({ tier: "premium" });
  const it = await owner.song({ submittedAt: [noon - hour, noon - 1] });
  await seal(it, 2);
  await owner.chooses("complete", noon - 1);
  const fifth = await owner.ratedTimes(it, 5, noon, 1000);
  await owner.rated(it, fifth + 1000, 1);
  await owner.consumes(fifth + waitMs);
  const [mail, ...more] = await owner.mails();
  expect(more).toEqual([]);
  shows(mail?.text, "5 × Great Song");
  hides(mail?.text, "Not for me");
});

test("a mail about ratings, and the page of the song, end with how many songs by others wait", async () => {
  const owner = await makeRatedOwner();
  const it = await owner.song();
  await songs(4);
  await owner.rated(it, noon);
  await owner.consumes(noon + waitMs);
  const waits = "Four songs by others wait for you.";
  shows((await owner.mails())[0]?.text, waits);
  const reader = await someone({ user: owner });
  shows(await reader.reads(`${list}/${it.id}`), waits);
  await songs(9);
  shows(await reader.reads(`${list}/${it.id}`), "More than ten songs by others wait for you.");
});

test("where fewer than five others are here, an empty carousel and a confirmation say so", async () => {
  const first = await someone({ credits: freePrice });
  const alone = "A song needs five others. You are the first here this week.";
  shows(await first.reads("/"), alone, /Pass it on: <\/span><a href="\/">127\.0\.0\.1/);
  const { submissionId } = (await first.at(Date.now()).submits(track)) as { submissionId: string };
  const confirmation = `/?menu=songaddedtopool&submission=${submissionId}&stay`;
  shows(await first.reads(confirmation), alone);
  for (let n = 0; n < 2; n += 1) await makeSession(await someone());
  shows(await first.reads(confirmation), "You are the third here this week.");
  for (let n = 0; n < 3; n += 1) await makeSession(await someone());
  hides(await first.reads(confirmation), "needs five others");
});
