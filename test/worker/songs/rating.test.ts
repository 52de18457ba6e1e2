import { expect, test } from "vitest";
import { toTheMinute } from "~/db/minute";
import { scoreChangeWindowMs as slipMs } from "~/db/rules";
import type { Score } from "~/exchange/rating/scale";
import { baseTime, insert } from "../../support/database/factories";
import { change, row, rows, untouched } from "../../support/database/rows";
import { type Cast, mailWait, someone, song, unlock } from "../../support/people";
import { playing } from "../../support/spotify/stub";

test("a rating is written with its count, credit, listen, log line and mail", async () => {
  const it = await song();
  const rater = await someone({ listensTo: it });
  expect(await rater.rates(it, 2)).toEqual({ ok: true });
  const rating = await row("ratings");
  expect(rating).toMatchObject({
    ...{ songId: it.id, ownerId: it.ownerId, raterId: rater.id },
    ...{ score: 2, owesMail: true, createdAt: unlock },
  });
  expect(await it.now()).toMatchObject({ entitled: 5, received: 1, owedSince: baseTime });
  expect(await rater.now()).toMatchObject({ credits: 1, ratedCount: 1 });
  expect(await row("listens")).toMatchObject({
    ...{ finishedAt: unlock, evidence: "spotify", closedAt: unlock },
  });
  expect(await row("outbox")).toMatchObject({
    ...{ userId: it.ownerId, kind: "rating", state: "pending", dedupeKey: `rating:${rating.id}` },
  });
});

test.each([
  { of: 1, owedSince: null },
  { of: 2, owedSince: baseTime + 7 },
])("the last rating of $of submissions leaves owed since $owedSince", async ({ of, owedSince }) => {
  await song({ submittedAt: [baseTime, baseTime + 3] });
  const submittedAt = [baseTime, baseTime + 7].slice(0, of);
  const it = await song({ submittedAt, received: 4 });
  await (await someone({ listensTo: it })).rates(it);
  expect(await it.now()).toMatchObject({ entitled: 5 * of, received: 5, owedSince });
});

test("ratings beyond the promised ones count for whoever was listening, also at once", async () => {
  const it = await song({ received: 4 });
  const raters = [await someone({ listensTo: it }), await someone({ listensTo: it })];
  const answers = await Promise.all(raters.map((rater) => rater.rates(it)));
  expect(answers).toEqual([{ ok: true }, { ok: true }]);
  expect(await it.now()).toMatchObject({ entitled: 5, received: 6, owedSince: null });
  for (const rater of raters) expect(await rater.now()).toMatchObject({ credits: 1 });
});

test("what is new about a song begins with the first rating that its owner has not seen", async () => {
  const it = await song();
  for (const minutes of [0, 2]) {
    const rater = await someone({ listensTo: it });
    await rater.at(unlock + minutes * 60_000).rates(it);
  }
  expect(await it.now()).toMatchObject({ received: 2, newsSince: toTheMinute(unlock) });
});

test.each(["listensTo", "heard"])(
  "five clicks at once of who %s it are one rating",
  async (did) => {
    const it = await song();
    const rater = await someone({ [did]: it });
    const clicks = [1, 2, 3, 4, 1] as Score[];
    const answers = await Promise.all(clicks.map((score) => rater.rates(it, score)));
    expect(answers.filter((answer) => "ok" in answer)).toHaveLength(1);
    expect(answers.filter((answer) => "rejected" in answer && answer.status === 409)).toHaveLength(
      4,
    );
    expect(await it.now()).toMatchObject({ received: 1 });
    expect(await rater.now()).toMatchObject({ credits: 1 });
    expect(await rows("outbox")).toHaveLength(1);
  },
);

test("a rating sent again within a minute changes its score and nothing else; afterwards nothing", async () => {
  const it = await song();
  const rater = await someone({ listensTo: it });
  await rater.rates(it, 4);
  await change("ratings", {}, { inPlaylist: true });
  rater.at(unlock + slipMs - 1);
  await untouched(() => rater.rates(it, 4));
  expect(await rater.rates(it, 2)).toEqual({ ok: true });
  expect(await row("ratings")).toMatchObject({ score: 2, inPlaylist: false, createdAt: unlock });
  await insert("playlist_adds", {
    ...{ user_id: rater.id, song_id: it.id, added_at: unlock },
    ...{ playlist_id: "p".repeat(22), playlist_name: "Mine" },
  }).run();
  await rater.rates(it, 4);
  expect(await row("ratings")).toMatchObject({ score: 4, inPlaylist: true });
  rater.waits(1);
  await untouched(async () => expect(await rater.rates(it, 1)).toMatchObject({ status: 409 }));
  expect(await rater.now()).toMatchObject({ credits: 1, ratedCount: 1 });
  expect([await it.now(), await rows("outbox")]).toMatchObject([{ received: 1 }, [{}]]);
});

test("a song confirmed as heard can be rated while another one plays, and Spotify is not asked", async () => {
  const [heard, current] = [await song(), await song()];
  const rater = await someone({ heard, listensTo: current });
  expect(await rater.rates(heard, 3, {})).toEqual({ ok: true });
  const closed = { [heard.id]: unlock, [current.id]: null };
  for (const listen of await rows("listens")) expect(listen.closedAt).toBe(closed[listen.songId]);
});

test("a rating counts though a spot check is recorded while it asks Spotify", async () => {
  const it = await song();
  const rater = await someone({ listensTo: it });
  const seen = { observedAt: unlock - 1000, heardMs: 55_000, positionMs: 55_000 };
  const spotify = {
    async playback() {
      await change("listens", { finishedAt: null }, seen);
      return playing(it).playback();
    },
  };
  expect(await rater.rates(it, 3, spotify)).toEqual({ ok: true });
  expect(await rows("ratings")).toMatchObject([{ score: 3 }]);
  expect(await rater.now()).toMatchObject({ credits: 1 });
});

/** What a rater may have heard without being allowed to rate the song. */
const unheard: [string, (it: Cast<typeof song>, other: Cast<typeof song>) => object][] = [
  ["nothing at all", () => ({})],
  ["the song, but not long enough", (it) => ({ listensTo: it, late: 1 })],
  ["another song", (_it, other) => ({ heard: other })],
  ["the song, left for another one", (it, other) => ({ left: it, listensTo: other })],
];
test.each(unheard)("somebody who heard %s cannot rate the song", async (_heard, did) => {
  const it = await song();
  const rater = await someone(did(it, await song()));
  // Somebody else's finished listen of the song does not count.
  await someone({ heard: it });
  await untouched(async () => expect(await rater.rates(it)).toMatchObject({ status: 409 }));
});

test("a refusal of an early rating says how many seconds are left", async () => {
  const it = await song();
  const rater = await someone({ listensTo: it });
  for (const [before, secondsLeft] of [
    [1, 1],
    [20_001, 21],
  ] as const) {
    const early = await rater.at(unlock - before).rates(it);
    expect(early).toMatchObject({ status: 409, secondsLeft });
  }
  expect(await rater.at(unlock).rates(it)).toEqual({ ok: true });
});

test("nobody can rate an own song, nor one that does not exist", async () => {
  const it = await song();
  const rater = await someone({ listensTo: it });
  await untouched(async () => {
    expect(await it.owner.rates(it)).toMatchObject({ status: 403 });
    expect(await rater.rates({ ...it, id: "elsewhere" })).toMatchObject({ status: 404 });
  });
});

test.each([true, false])(
  "an owner who wants rating mails (%s) is mailed, or not",
  async (wanted) => {
    const it = await song({ owner: { receiveRatingEmails: wanted } });
    // The rater's preference only concerns mails to the rater.
    const rater = await someone({ listensTo: it, receiveRatingEmails: !wanted });
    expect(await rater.rates(it)).toEqual({ ok: true });
    expect(await row("ratings")).toMatchObject({ owesMail: wanted });
    const mails = (await rows("outbox")).map(({ id }) => ({ outboxId: id, delayMs: mailWait }));
    expect(mails).toHaveLength(wanted ? 1 : 0);
    expect(rater.queued).toEqual(mails);
  },
);
