import { env } from "cloudflare:workers";
import { beforeEach, expect, test } from "vitest";
import { submitSong } from "~/exchange/submission/submit.server";
import { tierConfigs } from "~/members/tiers";
import type { Viewer } from "~/members/viewer.server";
import { SpotifyError } from "~/sources/spotify/client/spotify";
import type { Spotify } from "~/sources/spotify/client/web-api.server";
import { trackOf } from "../../support/catalogue";
import { contents, rowsOf, whileWritesFail } from "../../support/database/contents";
import {
  baseTime,
  freePrice,
  giveRatings,
  insert,
  makeRating,
  makeSong,
  makeUser,
  unique,
} from "../../support/database/factories";
import { makeViewer, viewerOf } from "../../support/login";
import { noteQueued } from "../../support/mail-queue";
import { servicesAt } from "../../support/services";
import { catalogue, stubSpotify } from "../../support/spotify/stub";

/** The time of these tests' submissions: more than a day after those of the factories. */
const now = baseTime + 2 * 86_400_000;
const track = trackOf("mara-lind", 3);
const otherTrack = trackOf("mara-lind", 4);
const tables = ["users", "songs", "submissions", "sessions", "activity_log", "outbox"];

let mailQueue = noteQueued();
beforeEach(() => {
  mailQueue = noteQueued();
});

interface Sent {
  trackId?: string;
  key?: string;
  spotify?: Spotify;
}

function submit(viewer: Viewer, sent: Sent = {}) {
  const { trackId = track.trackId, key = unique("form") } = sent;
  const { spotify = catalogue(track, otherTrack) } = sent;
  const services = servicesAt(now, { spotify, mailQueue });
  return submitSong(services, viewer, { trackId, requestKey: key });
}

/** Adds songs to rate, each of a different musician. */
async function fillPool(count: number): Promise<void> {
  for (let n = 0; n < count; n += 1) await makeSong(await makeUser());
}

function standing(viewer: Viewer) {
  return rowsOf("SELECT credits, submitted_count FROM users WHERE id = ?", viewer.userId);
}

function visitAndSlide(viewer: Viewer) {
  return rowsOf("SELECT visit, slide FROM users WHERE id = ?", viewer.userId);
}

function submissionsOf(viewer: Viewer) {
  return rowsOf(
    "SELECT number, spent, limited FROM submissions WHERE owner_id = ? ORDER BY number",
    viewer.userId,
  );
}

test("a submission is written with its song, credit, counters, log line and mail", async () => {
  const viewer = await makeViewer(await makeUser({ credits: freePrice + 1 }));
  const submitted = await submit(viewer, { key: "this-form" });
  expect(submitted).toEqual({
    submissionId: expect.any(String),
    title: track.title,
    limited: false,
  });
  expect(mailQueue.queued).toEqual([{ outboxId: expect.any(String), delayMs: 0 }]);
  expect(
    await rowsOf(
      `SELECT track_id, title, artists, album, duration_ms, isrc, entitled, received, owed_since
       FROM songs WHERE owner_id = ?`,
      viewer.userId,
    ),
  ).toEqual([
    {
      track_id: track.trackId,
      title: track.title,
      artists: JSON.stringify(track.artists),
      album: track.album,
      duration_ms: track.durationMs,
      isrc: track.isrc,
      entitled: 5,
      received: 0,
      owed_since: now,
    },
  ]);
  expect(
    await rowsOf(
      "SELECT number, allotment, spent, limited, request_key FROM submissions WHERE owner_id = ?",
      viewer.userId,
    ),
  ).toEqual([{ number: 1, allotment: 5, spent: freePrice, limited: 0, request_key: "this-form" }]);
  expect(await standing(viewer)).toEqual([{ credits: 1, submitted_count: 1 }]);
  expect(await visitAndSlide(viewer)).toEqual([{ visit: 2, slide: 2 }]);
  expect(
    await rowsOf(
      "SELECT kind, user_id, song_id IN (SELECT id FROM songs) AS song FROM activity_log",
    ),
  ).toEqual([{ kind: "submission", user_id: viewer.userId, song: 1 }]);
  expect(await rowsOf("SELECT user_id, kind, state FROM outbox")).toEqual([
    { user_id: viewer.userId, kind: "submission", state: "pending" },
  ]);
});

test.each([
  ["free", freePrice],
  ["premium", tierConfigs.premium.ratingsToSubmit],
  ["past_due", tierConfigs.premium.ratingsToSubmit],
] as const)("a %s user pays %i credits", async (tier, cost) => {
  await fillPool(1);
  const poor = await makeViewer(await makeUser({ tier, credits: cost - 1 }));
  const rich = await makeViewer(await makeUser({ tier, credits: cost }));
  expect(await submit(poor)).toMatchObject({ rejected: true, status: 409, remaining: 1 });
  expect(await submit(rich)).toMatchObject({ limited: false });
  expect(await standing(rich)).toEqual([{ credits: 0, submitted_count: 1 }]);
});

test("without the credits nothing changes, and Spotify is not asked", async () => {
  await fillPool(freePrice);
  const viewer = await makeViewer(await makeUser({ credits: freePrice - 4 }));
  const before = await contents(...tables);
  expect(await submit(viewer, { spotify: stubSpotify() })).toEqual({
    rejected: true,
    status: 409,
    error: "Please rate 4 more songs before you submit one of yours.",
    remaining: 4,
  });
  expect(await contents(...tables)).toEqual(before);
});

test("two submissions at once spend the credits once", async () => {
  await fillPool(2 * freePrice);
  const viewer = await makeViewer(await makeUser({ credits: freePrice }));
  const answers = await Promise.all([
    submit(viewer),
    submit(viewer, { trackId: otherTrack.trackId }),
  ]);
  const refused = answers.filter((answer) => "rejected" in answer);
  expect(refused).toHaveLength(1);
  expect(refused[0]).toMatchObject({ status: 409, remaining: freePrice });
  expect(await standing(viewer)).toEqual([{ credits: 0, submitted_count: 1 }]);
  expect(await submissionsOf(viewer)).toHaveLength(1);
});

test("a price that was calculated before another submission is no longer accepted", async () => {
  await fillPool(2);
  const user = await makeUser({ credits: 2 * freePrice });
  const [first, second] = [await makeViewer(user), await makeViewer(user)];
  expect(await submit(first)).toMatchObject({ limited: false });
  // The first submission costs the full price; the next one costs the number of songs to rate, which is two.
  const stale = await submit(second, { trackId: otherTrack.trackId });
  expect(stale).toMatchObject({ rejected: true, status: 409 });
  expect(await standing(second)).toEqual([{ credits: freePrice, submitted_count: 1 }]);
  expect(await visitAndSlide(second)).toEqual([{ visit: 2, slide: 2 }]);
  const again = await submit(await viewerOf(second.session.id), { trackId: otherTrack.trackId });
  expect(again).toMatchObject({ limited: true });
  expect(await standing(second)).toEqual([{ credits: freePrice - 2, submitted_count: 2 }]);
});

test("a submission is refused if the credits have been spent since they were read", async () => {
  await fillPool(1);
  const viewer = await makeViewer(await makeUser({ credits: freePrice - 1 }));
  const before = await contents(...tables);
  expect(await submit({ ...viewer, credits: freePrice })).toMatchObject({
    rejected: true,
    status: 409,
  });
  expect(await contents(...tables)).toEqual(before);
});

test("a form sent again returns the first submission", async () => {
  const viewer = await makeViewer(await makeUser({ credits: freePrice }));
  const first = await submit(viewer, { key: "form" });
  const before = await contents(...tables);
  const again = await submit(await viewerOf(viewer.session.id), {
    key: "form",
    trackId: otherTrack.trackId,
    spotify: stubSpotify(),
  });
  expect(again).toEqual(first);
  expect(mailQueue.queued).toHaveLength(1);
  expect(await contents(...tables)).toEqual(before);
});

test("a form sent five times at once makes one submission, which all five return", async () => {
  const viewer = await makeViewer(await makeUser({ credits: 2 * freePrice }));
  const answers = await Promise.all([1, 2, 3, 4, 5].map(() => submit(viewer, { key: "form" })));
  const ids = new Set(answers.map((answer) => "submissionId" in answer && answer.submissionId));
  expect([...ids]).toEqual([expect.any(String)]);
  expect(mailQueue.queued).toHaveLength(1);
  expect(await standing(viewer)).toEqual([{ credits: freePrice, submitted_count: 1 }]);
  expect(await rowsOf("SELECT count(*) AS mails FROM outbox")).toEqual([{ mails: 1 }]);
});

test("a press that is on its way while the first one of its form is answered adds nothing", async () => {
  const viewer = await makeViewer(await makeUser({ credits: 2 * freePrice }));
  const spotify = catalogue(track);
  let first: unknown;
  let before: unknown;
  const late = await submit(viewer, {
    key: "form",
    spotify: {
      ...spotify,
      async track(trackId) {
        first = await submit(viewer, { key: "form" });
        before = await contents(...tables);
        return spotify.track(trackId);
      },
    },
  });
  expect(late).toEqual(first);
  expect(await contents(...tables)).toEqual(before);
});

test("forms of two users may have the same key", async () => {
  const users = [await makeUser({ credits: freePrice }), await makeUser({ credits: freePrice })];
  for (const user of users) {
    expect(await submit(await makeViewer(user), { key: "form" })).toMatchObject({ limited: false });
  }
  expect(await rowsOf("SELECT id FROM submissions WHERE request_key = 'form'")).toHaveLength(2);
});

test("a song submitted again is entitled to ten ratings and keeps its place", async () => {
  await fillPool(freePrice);
  const user = await makeUser({ credits: 2 * freePrice });
  const song = await makeSong(user, { ...track, title: "An old title", received: 2 });
  const viewer = await makeViewer(user);
  expect(await submit(viewer)).toMatchObject({ title: track.title, limited: false });
  expect(
    await rowsOf(
      "SELECT id, title, entitled, received, owed_since FROM songs WHERE owner_id = ?",
      user.id,
    ),
  ).toEqual([{ id: song.id, title: track.title, entitled: 10, received: 2, owed_since: baseTime }]);
  expect(await submissionsOf(viewer)).toEqual([
    { number: 1, spent: 0, limited: 1 },
    { number: 2, spent: freePrice, limited: 0 },
  ]);
});

test.each([5, 7, 10])(
  "a song with %i ratings submitted again is owed five more from now",
  async (received) => {
    const user = await makeUser();
    const song = await makeSong(user, { ...track, received });
    await submit(await makeViewer(user));
    expect(
      await rowsOf("SELECT entitled, owed, owed_since FROM songs WHERE id = ?", song.id),
    ).toEqual([{ entitled: 10, owed: 5, owed_since: now }]);
  },
);

test("somebody who has submitted before pays the number of songs to rate, if that is less", async () => {
  await fillPool(3);
  const user = await makeUser({ credits: 2 });
  await makeSong(user);
  const viewer = await makeViewer(user, { visit: 3, slide: 3 });
  expect(await submit(viewer)).toMatchObject({ status: 409, remaining: 1 });
  await giveRatings(user, 1);
  const now3 = await viewerOf(viewer.session.id);
  expect(await submit(now3)).toMatchObject({ limited: true });
  expect(await submissionsOf(viewer)).toContainEqual({ number: 1, spent: 3, limited: 1 });
  // The slide only moves after a normal submission.
  expect(await visitAndSlide(viewer)).toEqual([{ visit: 1, slide: 3 }]);
});

test("somebody who has submitted before and has nothing left to rate submits for free", async () => {
  const user = await makeUser({ credits: 2 });
  await makeSong(user);
  const viewer = await makeViewer(user);
  expect(await submit(viewer)).toMatchObject({ limited: true });
  expect(await standing(viewer)).toEqual([{ credits: 2, submitted_count: 2 }]);
});

test("a first-time user with an empty pool submits for free", async () => {
  const viewer = await makeViewer(await makeUser());
  expect(await submit(viewer)).toMatchObject({ limited: true });
  expect(await submissionsOf(viewer)).toEqual([{ number: 1, spent: 0, limited: 1 }]);
});

test("a first-time user with something left to rate rates that first", async () => {
  await fillPool(1);
  const viewer = await makeViewer(await makeUser({ credits: 1 }));
  expect(await submit(viewer)).toMatchObject({ status: 409, remaining: 1 });
});

test("visit and slide start again after the third", async () => {
  const viewer = await makeViewer(await makeUser({ credits: freePrice }), { visit: 3, slide: 3 });
  await submit(viewer);
  expect(await visitAndSlide(viewer)).toEqual([{ visit: 1, slide: 1 }]);
});

test("a session that ends while a song is submitted does not keep it from being submitted", async () => {
  const viewer = await makeViewer(await makeUser({ credits: freePrice }));
  await env.DB.prepare("DELETE FROM sessions").run();
  expect(await submit(viewer)).toMatchObject({ title: track.title });
});

test("with the preference off a submission owes no mail", async () => {
  // Another user's preference does not matter.
  await makeUser({ receiveRatingEmails: true });
  const user = await makeUser({ credits: freePrice, receiveRatingEmails: false });
  expect(await submit(await makeViewer(user))).toMatchObject({ limited: false });
  expect(mailQueue.queued).toEqual([]);
  expect(await rowsOf("SELECT id FROM outbox")).toEqual([]);
});

test("submissions owe five mails an hour, and no more", async () => {
  const user = await makeUser({ credits: 48 });
  const { session } = await makeViewer(user);
  for (let n = 0; n < 7; n += 1) {
    expect(await submit(await viewerOf(session.id))).toHaveProperty("submissionId");
  }
  expect(await rowsOf("SELECT kind FROM outbox")).toEqual(Array(5).fill({ kind: "submission" }));
  await submit(await makeViewer(await makeUser({ credits: freePrice })));
  expect(mailQueue.queued).toHaveLength(6);
  // Where there is somebody, a song is not promised more ratings than they can give.
  await env.DB.prepare("DELETE FROM sessions WHERE id <> ?").bind(session.id).run();
  await env.DB.prepare("UPDATE outbox SET created_at = ?")
    .bind(now - 3_600_000)
    .run();
  await submit(await viewerOf(session.id));
  expect(mailQueue.queued).toHaveLength(7);
});

test("mails of other kinds do not count towards the five an hour", async () => {
  const user = await makeUser({ credits: freePrice });
  for (let n = 0; n < 5; n += 1) {
    const mail = { id: unique("mail"), user_id: user.id, kind: "past_due", subject_id: "cus_1" };
    const times = { created_at: now, not_before: now };
    await insert("outbox", { ...mail, ...times, dedupe_key: unique("past_due") }).run();
  }
  await submit(await makeViewer(user));
  expect(mailQueue.queued).toHaveLength(1);
});

test("a track that Spotify does not have is a 404 that changes nothing", async () => {
  const viewer = await makeViewer(await makeUser({ credits: freePrice }));
  const before = await contents(...tables);
  expect(await submit(viewer, { trackId: "0".repeat(22) })).toMatchObject({ status: 404 });
  expect(await contents(...tables)).toEqual(before);
});

test.each([
  [0, 503],
  [429, 503],
  [500, 503],
  [401, 401],
])(
  "if Spotify responds with %i, the response is a %i, and nothing changes",
  async (status, answered) => {
    const viewer = await makeViewer(await makeUser({ credits: freePrice }));
    const before = await contents(...tables);
    const spotify = stubSpotify({ track: () => Promise.reject(new SpotifyError(status, "no")) });
    expect(await submit(viewer, { spotify })).toMatchObject({ rejected: true, status: answered });
    expect(await contents(...tables)).toEqual(before);
  },
);

test.each([
  ["INSERT", "activity_log"],
  ["INSERT", "songs"],
  ["INSERT", "submissions"],
  ["UPDATE", "users"],
  ["INSERT", "outbox"],
] as const)("if the %s of %s fails, nothing of the submission is written", async (write, table) => {
  const viewer = await makeViewer(await makeUser({ credits: freePrice }));
  const before = await contents(...tables);
  await whileWritesFail(write, table, async () => {
    await expect(submit(viewer)).rejects.toThrow();
  });
  expect(await contents(...tables)).toEqual(before);
  expect(await submit(viewer)).toMatchObject({ limited: false });
});

test("credits earned meanwhile in another tab are not lost by a submission", async () => {
  const user = await makeUser({ credits: freePrice });
  const viewer = await makeViewer(user);
  await makeRating(user, await makeSong(await makeUser()));
  await submit(viewer);
  expect(await standing(viewer)).toEqual([{ credits: 1, submitted_count: 1 }]);
});
