/** A new mix of an own recording: its upload, the question, and the two fives beside each other. */
import { env } from "cloudflare:workers";
import { afterEach, expect, test } from "vitest";
import type { Score } from "~/exchange/rating/scale";
import { counts, gives, hides, holds, led, shows } from "../../support/answers";
import { passTime } from "../../support/clock";
import { giveRatings, makeRating } from "../../support/database/factories";
import { change, row, rows } from "../../support/database/rows";
import { ownSong, someone, song } from "../../support/people";
import { living, uploader } from "../../support/people/uploader";
import { makeWav } from "../../support/recordings/sound-files";
import { emptyBucket } from "../../support/recordings/uploads";
import { everyTenMinutes, runJobs } from "../../support/worker";

afterEach(emptyBucket);

/** A page's words. */
async function words(who: { reads(path: string): Promise<string> }, path: string) {
  const page = (await who.reads(path)).replaceAll(/<script.*?<\/script>/gs, "");
  return page.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ");
}

async function rate(it: Parameters<typeof makeRating>[1], scores: Score[]): Promise<void> {
  for (const score of scores) await makeRating(await someone(), it, { score, at: Date.now() });
}

/** A premium member with an uploaded song that has so many ratings, who uploads a new mix of it and hears it. */
async function atSong(scores: Score[]) {
  const who = await uploader({ tier: "premium" });
  const recording = await who.drafts({ title: "Night Bus", artist: "Ada" });
  await who.hearsAndHandsIn(recording);
  const { id } = await row("songs");
  const it = { id, ownerId: who.id, recording };
  await rate(it, scores);
  await giveRatings(who, 12);
  return { who, recording, path: `/ratings-of-my-songs/${id}`, it, mix: () => mixed(who, id) };
}

/** Uploads a file as a mix of a song, and hears it. */
async function mixed(who: Awaited<ReturnType<typeof uploader>>, song: string, seconds = 7) {
  const names = { title: "Night Bus (louder)", artist: "Ada" };
  const answer = await who.uploads({ ...names, file: makeWav(seconds), song });
  const to = led(answer)[1] ?? "";
  const mix = to.replace("/recordings/", "");
  if (mix) await who.hears(mix);
  const submits = async () => (await who.handsIn(mix, { song })).status;
  return { to, status: answer.status, text: await answer.text(), submits };
}

test("the song's page leads to the upload, that to the question, and the two fives stand one under the other", async () => {
  const { who, it, path, mix } = await atSong([1, 1, 1, 1, 2]);
  await shows(who, path, `href="/?menu=addownsong&amp;mix=${it.id}"`);
  const field = `<input type="hidden" name="song" value="${it.id}"/>`;
  await shows(
    ...([who, `/?menu=addownsong&mix=${it.id}`, field, 'value="Night Bus"'] as const),
    "A new mix of “<bdi>Night Bus</bdi>”",
  );
  const { to, submits } = await mix();
  await shows(who, to, `name="recording" value="${to.replace("/recordings/", "")}"`, field);
  const question = await words(who, to);
  expect(question).toContain("A new mix of Night Bus");
  expect(question).toContain(
    "This is a new mix of “Night Bus”: it gets 5 more ratings from people who have not rated it before, kept apart from the first 5, so that you can compare the two.",
  );
  expect(question).toContain("It costs nothing today.");
  expect(await submits()).toBe(303);
  const now = { title: "Night Bus (louder)", entitled: 10, owed: 5 };
  await holds("songs", now);
  const waiting = await words(who, path);
  expect(waiting).toMatch(/First mix, .* Second mix, /);
  expect(waiting).not.toContain("Submit a new mix");
  await rate(it, [4, 4, 4, 4, 3]);
  expect(await words(who, path)).toContain("It is liked more than the mix before.");
});

test("a mix without a clear change is said to have none", async () => {
  const { who, it, path, mix } = await atSong([1, 1, 3, 3, 2]);
  await (await mix()).submits();
  await rate(it, [1, 3, 3, 3, 2]);
  expect(await words(who, path)).toContain(
    "Too early to tell whether it is liked more than the mix before.",
  );
});

test("mixes that sounded unlike, or of which that is not known, are said to be no fair comparison", async () => {
  const { who, it, path, recording, mix } = await atSong([1, 1, 1, 1, 2]);
  await (await mix()).submits();
  await rate(it, [4, 4, 4, 4, 3]);
  expect(await words(who, path)).toContain("We do not know which of the two mixes sounded louder");
  await change("recordings", {}, { loudness: -90 });
  expect(await words(who, path)).not.toMatch(/sounded|fair/);
  await change("recordings", { id: recording }, { loudness: -200 });
  expect(await words(who, path)).toContain("This mix sounded louder than the one before");
});

test("while ratings are missing, upload and question say so, and nothing is submitted", async () => {
  const { who, it, mix } = await atSong([3, 3]);
  const waits = "A new mix can follow once this one has all its ratings";
  const screen = await shows(who, `/?menu=addownsong&mix=${it.id}`, waits);
  expect(screen).not.toContain('type="file"');
  const { to, submits } = await mix();
  const page = await words(who, to);
  expect(page).toContain(waits);
  expect(page).not.toContain("Submit this mix");
  expect([await submits(), (await rows("submissions")).length]).toEqual([409, 1]);
});

/** Members who are here, and have rated the song. */
async function heardByAll(it: Parameters<typeof makeRating>[1], others: number) {
  for (let n = 0; n < others; n += 1) {
    const rater = await someone();
    await rater.viewer();
    await makeRating(rater, it, { score: 3, at: Date.now() });
  }
}

test("where all have heard a song, a mix is neither offered nor taken, and its owner is told once others are here", async () => {
  const { who, it, path, mix } = await atSong([]);
  await heardByAll(it, 5);
  expect(await words(who, path)).toContain(
    "All listeners here have heard this song; a new mix needs five.",
  );
  await shows(who, path, "Tell me when there are five");
  const screen = await shows(
    who,
    `/?menu=addownsong&mix=${it.id}`,
    "too few are left to rate this song",
  );
  expect(screen).not.toContain('type="file"');
  expect(await mix()).toMatchObject({
    status: 409,
    text: expect.stringContaining("too few are left"),
  });
  expect(await rows("recordings", { fileEndedAt: null })).toHaveLength(1);
  await who.posts(`/songs/${it.id}/mix-wish`, { wanted: "true" });
  await shows(who, path, "Do not tell me");
  await runJobs(everyTenMinutes);
  await counts("outbox", 0, { kind: "new_mix" });
  for (let n = 0; n < 5; n += 1) await (await someone()).viewer();
  await runJobs(everyTenMinutes);
  await runJobs(everyTenMinutes);
  await counts("outbox", 1, { kind: "new_mix" });
  await shows(who, path, "Submit a new mix");
});

test("a mix that was taken in while there were listeners is submitted, whoever has left since", async () => {
  const { who, it, mix } = await atSong([3, 3, 3, 3, 3]);
  const others = [];
  for (let n = 0; n < 6; n += 1) {
    const other = await someone();
    await other.viewer();
    others.push(other);
  }
  const { to, submits } = await mix();
  for (const other of others) await makeRating(other, it, { score: 3, at: Date.now() });
  expect(await words(who, to)).toContain("Submit this mix");
  expect(await submits()).toBe(303);
});

test("a free owner sees the newest two of each mix, and shares the first while the second waits", async () => {
  const { who, it, path, mix } = await atSong([1, 1, 1, 4, 4]);
  await (await mix()).submits();
  await rate(it, [2, 2, 2]);
  await change("subscriptions", { userId: who.id }, { tier: "free" });
  const page = await who.reads(path);
  expect(page).toContain('aria-label="2 × Added to my playlist!, 3 not shown"');
  expect(page).toContain('aria-label="2 × Mediocore, 1 not shown, 2 to come"');
  const hidden = "You have 4 more ratings";
  expect(await words(who, path)).toContain(hidden);
  expect(await words(who, "/ratings-of-my-songs")).toContain(hidden);
  passTime(60 * 60 * 1000);
  expect(await who.reads(`${path}.csv`)).toContain("4 more ratings, which only Premium shows");
  const { songs } = await (await who.sends("/account/export")).json<{
    songs: { ratingsShown: { score: number }[] }[];
  }>();
  const shown = songs[0]?.ratingsShown.map(({ score }) => score);
  expect(shown).toEqual([2, 2, 4, 4]);
});

test("a wall names the mix that waits behind it", async () => {
  const who = await uploader();
  await who.hearsAndHandsIn(await who.drafts({ title: "Night Bus" }));
  const { id } = await row("songs");
  for (let n = 0; n < 8; n += 1) await song({ owner: await someone() });
  const screen = await words(who, `/?menu=addownsong&mix=${id}`);
  expect(screen).toMatch(/Rate \d more songs.*Your new mix of “ Night Bus ” waits until then/);
});

test("the file of another song of theirs is no mix, and the question says so", async () => {
  const { who, it } = await atSong([3, 3, 3, 3, 3]);
  await who.hearsAndHandsIn(await who.drafts({ title: "Other", file: makeWav(9) }));
  await giveRatings(who, 12);
  const { to } = await mixed(who, it.id, 9);
  expect(await words(who, to)).toContain("This file belongs to another song of yours.");
});

test.each(["somebody else's song", "a track", "no song"])(
  "a mix of %s is refused, and no file stays",
  async (what) => {
    const who = await uploader();
    const songs = {
      "a track": () => song({ owner: who }),
      "somebody else's song": () => ownSong(),
    };
    const { id } = (await songs[what as keyof typeof songs]?.()) ?? { id: "nowhere" };
    expect(await mixed(who, id)).toMatchObject({
      ...{ status: 404, text: expect.stringContaining("not one of your own recordings") },
    });
    expect((await env.RECORDINGS.list()).objects).toEqual([]);
    await hides(who, `/?menu=addownsong&mix=${id}`, "A new mix of");
  },
);

test("the same bytes once more are the same song, which the question says, and its file is kept once", async () => {
  const { who, it, path, recording } = await atSong([3, 3, 3, 3, 3]);
  const said = "You have uploaded this file before: it is your song “Night Bus”";
  expect(await words(who, `/recordings/${recording}`)).not.toContain(said);
  const title = "Night Bus (final)";
  const again = await who.drafts({ title, artist: "Ada" });
  expect(await words(who, `/recordings/${again}`)).toContain(said);
  await who.hears(again);
  const key = crypto.randomUUID();
  const presses = [1, 2].map(() => who.handsIn(again, { key }));
  for (const { status } of await Promise.all(presses)) expect(status).toBe(303);
  const now = { id: it.id, title, entitled: 10, ownRecordingId: again };
  await holds("songs", now);
  expect(await living()).toMatchObject([{ id: again }]);
  const gone = (await rows("fileDeletions")).map(({ key }) => key).sort();
  expect(gone).toEqual([`${recording}/audio`, `${recording}/cover`]);
  const account = await who.reads("/account");
  const [list = ""] = /id="recordings">.*?(?=<details class="panel")/s.exec(account) ?? [];
  expect(list.match(/<li>/g)).toHaveLength(1);
  expect(list).toContain("In the rotation.");
  expect((await words(who, path)).match(/First mix, /g)).toHaveLength(2);
});

test("the same file of another owner stays, as a song and as a draft, whoever uploads or submits it", async () => {
  const ids: string[] = [];
  for (const isSubmitted of [true, false, true]) {
    const who = await uploader();
    const id = await who.drafts();
    if (isSubmitted) await who.hearsAndHandsIn(id, { key: crypto.randomUUID() });
    ids.push(id);
  }
  const [theirs, waiting, own] = ids;
  const kept = (await living()).map(({ id, state }) => [id, state]);
  expect(Object.fromEntries(kept)).toEqual({
    ...{ [theirs ?? ""]: "submitted", [waiting ?? ""]: "draft", [own ?? ""]: "submitted" },
  });
  await counts("fileDeletions", 0);
});

test("a draft keeps what it is a mix of, for its owner alone", async () => {
  const { who, mix } = await atSong([3, 3, 3, 3, 3]);
  const { to } = await mix();
  expect(await words(who, to)).toContain("A new mix of Night Bus");
  await gives((await someone()).gets(to), 404);
});
