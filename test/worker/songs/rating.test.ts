import { env } from "cloudflare:workers";
import { beforeEach, expect, test } from "vitest";
import { scoreChangeWindowMs as slipMs } from "~/db/rules";
import { rateSong } from "~/exchange/rating/rate.server";
import type { Score } from "~/exchange/rating/scale";
import type { Viewer } from "~/members/viewer.server";
import { contents, rowsOf, whileWritesFail } from "../../support/database/contents";
import {
  baseTime,
  insert,
  makeListen,
  makeRating,
  makeSong,
  makeUser,
  type TestSong,
  type TestUser,
} from "../../support/database/factories";
import { makeViewer } from "../../support/login";
import { noteQueued } from "../../support/mail-queue";
import { servicesAt } from "../../support/services";
import { playing } from "../../support/spotify/stub";

/** When a free user's listen that began at `baseTime` unlocks: after 55 seconds and one more. */
const unlock = baseTime + 56_000;
/** How long a mail waits for more ratings. */
const wait = 300_000;
const written = ["users", "songs", "listens", "ratings", "activity_log", "outbox"];

let mailQueue = noteQueued();
beforeEach(() => {
  mailQueue = noteQueued();
});

/** Rates a song as the route does; Spotify says that it plays. */
function rate(viewer: Viewer, song: TestSong, score: Score = 4, at = unlock) {
  const services = servicesAt(at, { spotify: playing(song), mailQueue, mailWaitMs: wait });
  return rateSong(services, viewer, { songId: song.id, score });
}

/** A new rater whose open listen of the song can be confirmed at the unlock. */
async function listener(song: TestSong): Promise<Viewer> {
  const user = await makeUser();
  await makeListen(user, song);
  return makeViewer(user);
}

function songRow(song: TestSong) {
  return rowsOf("SELECT entitled, received, owed_since FROM songs WHERE id = ?", song.id);
}

test("a rating is written with its count, credit, listen, log line and mail", async () => {
  const owner = await makeUser();
  const song = await makeSong(owner);
  const viewer = await listener(song);
  const rated = await rate(viewer, song, 2);
  expect(rated).toEqual({ ok: true });
  expect(
    await rowsOf("SELECT song_id, owner_id, rater_id, score, owes_mail, created_at FROM ratings"),
  ).toEqual([
    {
      song_id: song.id,
      owner_id: owner.id,
      rater_id: viewer.userId,
      score: 2,
      owes_mail: 1,
      created_at: unlock,
    },
  ]);
  expect(await songRow(song)).toEqual([{ entitled: 5, received: 1, owed_since: baseTime }]);
  expect(
    await rowsOf("SELECT credits, rated_count FROM users WHERE id = ?", viewer.userId),
  ).toEqual([{ credits: 1, rated_count: 1 }]);
  expect(await rowsOf("SELECT finished_at, evidence, closed_at FROM listens")).toEqual([
    { finished_at: unlock, evidence: "spotify", closed_at: unlock },
  ]);
  expect(await rowsOf("SELECT kind, user_id, song_id, score FROM activity_log")).toEqual([
    { kind: "rating", user_id: viewer.userId, song_id: song.id, score: 2 },
  ]);
  expect(
    await rowsOf(
      `SELECT user_id, kind, state, dedupe_key = 'rating:' || ratings.id AS keyed
       FROM outbox JOIN ratings ON ratings.id = subject_id`,
    ),
  ).toEqual([{ user_id: owner.id, kind: "rating", state: "pending", keyed: 1 }]);
});

test("the last rating owed for one submission makes those for the next one due", async () => {
  await makeSong(await makeUser(), { submittedAt: [baseTime, baseTime + 3] });
  const song = await makeSong(await makeUser(), {
    submittedAt: [baseTime, baseTime + 7],
    received: 4,
  });
  await rate(await listener(song), song);
  expect(await songRow(song)).toEqual([{ entitled: 10, received: 5, owed_since: baseTime + 7 }]);
});

test("the last promised rating takes the song out of rotation", async () => {
  const song = await makeSong(await makeUser(), { received: 4 });
  await rate(await listener(song), song);
  expect(await songRow(song)).toEqual([{ entitled: 5, received: 5, owed_since: null }]);
});

test("a rating beyond the promised ones counts if its rater was already listening", async () => {
  const song = await makeSong(await makeUser(), { received: 4 });
  const late = await listener(song);
  await makeRating(await makeUser(), song);
  expect(await rate(late, song)).toEqual({ ok: true });
  expect(await songRow(song)).toEqual([{ entitled: 5, received: 6, owed_since: null }]);
  expect(await rowsOf("SELECT credits FROM users WHERE id = ?", late.userId)).toEqual([
    { credits: 1 },
  ]);
});

test("five clicks at once give one rating", async () => {
  const song = await makeSong(await makeUser());
  const viewer = await listener(song);
  const answers = await Promise.all(
    [1, 2, 3, 4, 1].map((score) => rate(viewer, song, score as Score)),
  );
  expect(answers.filter((answer) => !("rejected" in answer))).toHaveLength(1);
  expect(answers.filter((answer) => "rejected" in answer && answer.status === 409)).toHaveLength(4);
  expect(await songRow(song)).toEqual([{ entitled: 5, received: 1, owed_since: baseTime }]);
  expect(await rowsOf("SELECT count(*) AS mails FROM outbox")).toEqual([{ mails: 1 }]);
  expect(await rowsOf("SELECT count(*) AS lines FROM activity_log")).toEqual([{ lines: 1 }]);
});

test("two tabs at once give one rating, even if the listen was confirmed before", async () => {
  const song = await makeSong(await makeUser());
  const user = await makeUser();
  await makeListen(user, song, { finishedAt: unlock });
  const tabs = [await makeViewer(user), await makeViewer(user)];
  const answers = await Promise.all(tabs.map((tab, index) => rate(tab, song, index === 0 ? 1 : 4)));
  expect(answers.filter((answer) => "rejected" in answer)).toHaveLength(1);
  expect(await rowsOf("SELECT credits FROM users WHERE id = ?", user.id)).toEqual([{ credits: 1 }]);
});

test("if two raters give the last promised rating at once, both count", async () => {
  const song = await makeSong(await makeUser(), { received: 4 });
  const raters = [await listener(song), await listener(song)];
  const answers = await Promise.all(raters.map((rater) => rate(rater, song)));
  expect(answers.filter((answer) => "rejected" in answer)).toEqual([]);
  expect(await songRow(song)).toEqual([{ entitled: 5, received: 6, owed_since: null }]);
});

test("a rating sent again within a minute changes its score and nothing else; afterwards nothing", async () => {
  const song = await makeSong(await makeUser());
  const viewer = await listener(song);
  await rate(viewer, song, 4);
  await rowsOf("UPDATE ratings SET in_playlist = 1 RETURNING id");
  const before = await contents(...written);
  expect(await rate(viewer, song, 4, unlock + slipMs - 1)).toEqual({ ok: true });
  expect(await contents(...written)).toEqual(before);
  expect(await rate(viewer, song, 2, unlock + slipMs - 1)).toEqual({ ok: true });
  const after = await contents(...written);
  expect(await rowsOf("SELECT score, in_playlist FROM ratings")).toEqual([
    { score: 2, in_playlist: 0 },
  ]);
  expect(await rowsOf("SELECT kind, score FROM activity_log")).toEqual([
    { kind: "rating", score: 2 },
  ]);
  await insert("playlist_adds", {
    ...{ user_id: viewer.userId, song_id: song.id, added_at: unlock },
    ...{ playlist_id: "p".repeat(22), playlist_name: "Mine" },
  }).run();
  expect(await rate(viewer, song, 4, unlock + slipMs - 1)).toEqual({ ok: true });
  expect(await contents(...written)).toEqual(before);
  await env.DB.batch([
    env.DB.prepare("UPDATE ratings SET score = 2, in_playlist = 0"),
    env.DB.prepare("UPDATE activity_log SET score = 2"),
  ]);
  expect(await rate(viewer, song, 1, unlock + slipMs)).toMatchObject({ status: 409 });
  expect(await contents(...written)).toEqual(after);
});

test("a song confirmed as heard can be rated while another one plays", async () => {
  const owner = await makeUser();
  const [heard, current] = [await makeSong(owner), await makeSong(owner)];
  const rater = await makeUser();
  await makeListen(rater, heard, { finishedAt: unlock, closedAt: unlock });
  await makeListen(rater, current, { startedAt: unlock });
  const viewer = await makeViewer(rater);
  const answer = await rateSong(
    // The listen is recorded already, so Spotify is not asked.
    servicesAt(unlock + 1000, { mailQueue, mailWaitMs: wait }),
    viewer,
    { songId: heard.id, score: 3 },
  );
  expect(answer).toEqual({ ok: true });
  expect(await rowsOf("SELECT song_id, closed_at FROM listens ORDER BY started_at")).toEqual([
    { song_id: heard.id, closed_at: unlock },
    { song_id: current.id, closed_at: null },
  ]);
});

/** What a rater may have heard without being allowed to rate the song. */
const unheard: Record<string, (rater: TestUser, song: TestSong) => Promise<unknown>> = {
  "nothing at all": async () => undefined,
  "the song, but not long enough": (rater, song) =>
    makeListen(rater, song, { startedAt: baseTime + 1 }),
  "another song": async (rater) =>
    makeListen(rater, await makeSong(await makeUser()), { finishedAt: unlock }),
  "the song, left for another one before the unlock": async (rater, song) => {
    await makeListen(rater, song, { closedAt: baseTime + 10_000 });
    await makeListen(rater, await makeSong(await makeUser()), { startedAt: baseTime + 10_000 });
  },
};

test.each(Object.keys(unheard))("somebody who heard %s cannot rate the song", async (heard) => {
  const song = await makeSong(await makeUser());
  const rater = await makeUser();
  await unheard[heard]?.(rater, song);
  // Somebody else's finished listen of the song does not count.
  await makeListen(await makeUser(), song, { finishedAt: unlock });
  const viewer = await makeViewer(rater);
  const before = await contents(...written);
  expect(await rate(viewer, song)).toMatchObject({ rejected: true, status: 409 });
  expect(await contents(...written)).toEqual(before);
});

test("a refusal of an early rating says how many seconds are left", async () => {
  const song = await makeSong(await makeUser());
  const viewer = await listener(song);
  expect(await rate(viewer, song, 4, unlock - 1)).toMatchObject({ status: 409, secondsLeft: 1 });
  expect(await rate(viewer, song, 4, unlock - 20_001)).toMatchObject({ secondsLeft: 21 });
  expect(await rate(viewer, song, 4, unlock)).toEqual({ ok: true });
});

test("nobody can rate their own song", async () => {
  const owner = await makeUser();
  const song = await makeSong(owner);
  const answer = await rate(await makeViewer(owner), song);
  expect(answer).toMatchObject({ rejected: true, status: 403 });
  expect(await rowsOf("SELECT id FROM ratings")).toEqual([]);
});

test("a song that does not exist cannot be rated", async () => {
  const song = await makeSong(await makeUser());
  const viewer = await listener(song);
  expect(await rate(viewer, { ...song, id: "elsewhere" })).toMatchObject({ status: 404 });
});

test.each([
  [true, 1],
  [false, 0],
])("if the owner's preference is %s, a rating owes %i mails", async (wanted, mails) => {
  const song = await makeSong(await makeUser({ receiveRatingEmails: wanted }));
  // The rater's preference only concerns mails to the rater.
  const rater = await makeUser({ receiveRatingEmails: !wanted });
  await makeListen(rater, song);
  const answer = await rate(await makeViewer(rater), song);
  expect(answer).toEqual({ ok: true });
  expect(mailQueue.queued).toEqual(wanted ? [{ outboxId: expect.any(String), delayMs: wait }] : []);
  expect(await rowsOf("SELECT owes_mail FROM ratings")).toEqual([{ owes_mail: mails }]);
  expect(await rowsOf("SELECT count(*) AS mails FROM outbox")).toEqual([{ mails }]);
});

test.each([
  ["INSERT", "ratings"],
  ["UPDATE", "songs"],
  ["UPDATE", "users"],
  ["UPDATE", "listens"],
  ["INSERT", "activity_log"],
  ["INSERT", "outbox"],
] as const)("if the %s of %s fails, nothing of the rating is written", async (write, table) => {
  const song = await makeSong(await makeUser());
  const viewer = await listener(song);
  const before = await contents(...written);
  await whileWritesFail(write, table, async () => {
    await expect(rate(viewer, song)).rejects.toThrow();
  });
  expect(await contents(...written)).toEqual(before);
  // The next attempt succeeds.
  expect(await rate(viewer, song)).toEqual({ ok: true });
});
