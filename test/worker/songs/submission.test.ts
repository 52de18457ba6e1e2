import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { submitSong } from "~/exchange/submission/submit.server";
import { tierConfigs } from "~/members/tiers";
import type { Viewer } from "~/members/viewer.server";
import { dayMs, hourMs } from "~/platform/dates";
import { SpotifyError } from "~/sources/spotify/client/spotify";
import type { Spotify } from "~/sources/spotify/client/web-api.server";
import { trackOf } from "../../support/catalogue";
import {
  baseTime,
  freePrice,
  giveRatings,
  insert,
  makeRating,
  unique,
} from "../../support/database/factories";
import { change, row, rows, untouched } from "../../support/database/rows";
import { type Someone, someone, song, songs } from "../../support/people";
import { catalogue } from "../../support/spotify/stub";

/** The time of these tests' submissions: more than a day after those of the factories. */
const now = baseTime + 2 * dayMs;
const track = trackOf("mara-lind", 3);
const otherTrack = trackOf("mara-lind", 4);
const submitted = { submissionId: expect.any(String) };

async function member(options: Parameters<typeof someone>[0] = {}) {
  return (await someone(options)).at(now);
}

/** Submits by what was read of somebody before. */
function submitAs(by: Someone, viewer: Viewer, { trackId } = track) {
  const asked = { trackId, made: "people", requestKey: unique("form") } as const;
  return submitSong(by.services(catalogue(track, otherTrack)), viewer, asked);
}

async function submissionsOf({ id: ownerId }: Someone) {
  const found = await rows("submissions", { ownerId });
  const inOrder = found.toSorted((one, other) => one.number - other.number);
  return inOrder.map(({ number, spent, limited }) => ({ number, spent, limited }));
}

test("a submission is written with its song, credit, counters, log line and mail", async () => {
  const user = await member({ credits: freePrice + 1 });
  const answer = await user.submits(track, { key: "this-form" });
  expect(answer).toEqual({ ...submitted, title: track.title, limited: false });
  expect(user.queued).toEqual([{ outboxId: expect.any(String), delayMs: 0 }]);
  const { trackId, title, artists, album, durationMs, isrc } = track;
  const made = await row("songs");
  expect(made).toMatchObject({
    ...{ ownerId: user.id, trackId, title, artists, album, durationMs, isrc },
    ...{ entitled: 5, received: 0, owedSince: now },
  });
  expect(await row("submissions")).toMatchObject({
    ...{ ownerId: user.id, number: 1, allotment: 5, spent: freePrice, limited: false },
    requestKey: "this-form",
  });
  const counters = { credits: 1, submittedCount: 1, visit: 2, slide: 2 };
  expect(await user.now()).toMatchObject(counters);
  const logged = { kind: "submission", userId: user.id, songId: made.id };
  expect(await row("activityLog")).toMatchObject(logged);
  const mail = { userId: user.id, kind: "submission", state: "pending" };
  expect(await row("outbox")).toMatchObject(mail);
});

test.each([
  ["free", freePrice],
  ["premium", tierConfigs.premium.ratingsToSubmit],
  ["past_due", tierConfigs.premium.ratingsToSubmit],
] as const)("a %s user pays %i credits", async (tier, cost) => {
  await song();
  const poor = await member({ tier, credits: cost - 1 });
  const rich = await member({ tier, credits: cost });
  const refused = { rejected: true, status: 409, remaining: 1 };
  expect(await poor.submits(track)).toMatchObject(refused);
  expect(await rich.submits(track)).toMatchObject({ limited: false });
  expect(await rich.now()).toMatchObject({ credits: 0, submittedCount: 1 });
});

test("without the credits nothing changes, and Spotify is not asked", async () => {
  await songs(freePrice);
  const user = await member({ credits: freePrice - 4 });
  const error = "Rate 4 more songs before you submit one of yours.";
  await untouched(async () => {
    const refused = { rejected: true, status: 409, error, remaining: 4 };
    expect(await user.submits(track, { spotify: {} })).toEqual(refused);
  });
});

test("two submissions at once spend the credits once", async () => {
  await songs(2 * freePrice);
  const user = await member({ credits: freePrice });
  await user.viewer();
  const answers = await Promise.all([user.submits(track), user.submits(otherTrack)]);
  const refused = answers.filter((answer) => "rejected" in answer);
  expect(refused).toMatchObject([{ status: 409, remaining: freePrice }]);
  expect(await user.now()).toMatchObject({ credits: 0, submittedCount: 1 });
  expect(await submissionsOf(user)).toHaveLength(1);
});

test("a price that was calculated before another submission is no longer accepted", async () => {
  await songs(2);
  const user = await member({ credits: 2 * freePrice });
  const before = await user.viewer();
  expect(await user.submits(track)).toMatchObject({ limited: false });
  // The first submission costs the full price; the next one costs the number of songs to rate, which is two.
  const stale = await submitAs(user, before, otherTrack);
  expect(stale).toMatchObject({ rejected: true, status: 409 });
  const counters = { visit: 2, slide: 2, credits: freePrice, submittedCount: 1 };
  expect(await user.now()).toMatchObject(counters);
  expect(await user.submits(otherTrack)).toMatchObject({ limited: true });
  expect(await user.now()).toMatchObject({ credits: freePrice - 2, submittedCount: 2 });
});

test("a submission is refused if the credits have been spent since they were read", async () => {
  await song();
  const user = await member({ credits: freePrice - 1 });
  const viewer = { ...(await user.viewer()), credits: freePrice };
  await untouched(async () => {
    expect(await submitAs(user, viewer)).toMatchObject({ rejected: true, status: 409 });
  });
});

test("a form sent again returns the first submission", async () => {
  const user = await member({ credits: freePrice });
  const made = await user.submits(track, { key: "form" });
  await untouched(async () => {
    expect(await user.submits(otherTrack, { key: "form", spotify: {} })).toEqual(made);
  });
  expect(user.queued).toHaveLength(1);
});

test("a form sent five times at once makes one submission, which all five return", async () => {
  const user = await member({ credits: 2 * freePrice });
  await user.viewer();
  const presses = [1, 2, 3, 4, 5].map(() => user.submits(track, { key: "form" }));
  const ids = (await Promise.all(presses)).map((answer) => "submissionId" in answer && answer);
  const { id: submissionId } = await row("submissions");
  expect(ids).toMatchObject(Array(5).fill({ submissionId }));
  expect([user.queued.length, (await rows("outbox")).length]).toEqual([1, 1]);
  expect(await user.now()).toMatchObject({ credits: freePrice, submittedCount: 1 });
});

test("a press that is on its way while the first one of its form is answered adds nothing", async () => {
  const user = await member({ credits: 2 * freePrice });
  await user.viewer();
  const spotify = catalogue(track);
  let made: unknown;
  const late = await user.submits(track, {
    key: "form",
    spotify: {
      async track(trackId) {
        made = await user.submits(track, { key: "form" });
        return spotify.track(trackId);
      },
    },
  });
  expect(late).toEqual(made);
  expect([await rows("submissions"), await rows("outbox")]).toMatchObject([[{}], [{}]]);
  expect(await user.now()).toMatchObject({ credits: freePrice, submittedCount: 1 });
});

test("forms of two users may have the same key", async () => {
  for (const credits of [freePrice, freePrice]) {
    const user = await member({ credits });
    expect(await user.submits(track, { key: "form" })).toMatchObject({ limited: false });
  }
  expect(await rows("submissions", { requestKey: "form" })).toHaveLength(2);
});

test("a song submitted again is entitled to ten ratings and keeps its place", async () => {
  await songs(freePrice);
  const user = await member({ credits: 2 * freePrice });
  const it = await song({ ...track, title: "An old title", received: 2, owner: user });
  const { title } = track;
  expect(await user.submits(track)).toMatchObject({ title, limited: false });
  const now = { id: it.id, title, entitled: 10, received: 2, owedSince: baseTime };
  expect(await row("songs", { ownerId: user.id })).toMatchObject(now);
  expect(await submissionsOf(user)).toEqual([
    { number: 1, spent: 0, limited: true },
    { number: 2, spent: freePrice, limited: false },
  ]);
});

test.each([5, 7, 10])(
  "a song with %i ratings submitted again is owed five more from now",
  async (received) => {
    const it = await song({ ...track, received });
    await it.owner.at(now).submits(track);
    expect(await it.now()).toMatchObject({ entitled: 10, owed: 5, owedSince: now });
  },
);

test("somebody who has submitted before pays the number of songs to rate, if that is less", async () => {
  await songs(3);
  const user = await member({ credits: 2, visit: 3, slide: 3 });
  await song({ owner: user });
  expect(await user.submits(track)).toMatchObject({ status: 409, remaining: 1 });
  await giveRatings(user, 1);
  expect(await user.submits(track)).toMatchObject({ limited: true });
  expect(await submissionsOf(user)).toContainEqual({ number: 1, spent: 3, limited: true });
  // The slide only moves after a normal submission.
  expect(await user.now()).toMatchObject({ visit: 1, slide: 3 });
});

test.each(["for the first time", "once more"])(
  "somebody who submits %s and has nothing left to rate does so for free",
  async (time) => {
    const user = await member({ credits: 2 });
    if (time === "once more") await song({ owner: user });
    expect(await user.submits(track)).toMatchObject({ limited: true });
    expect(await user.now()).toMatchObject({ credits: 2 });
    expect(await submissionsOf(user)).toContainEqual({ number: 1, spent: 0, limited: true });
  },
);

test("a first-time user with something left to rate rates that first", async () => {
  await song();
  const user = await member({ credits: 1 });
  expect(await user.submits(track)).toMatchObject({ status: 409, remaining: 1 });
});

test("visit and slide start again after the third", async () => {
  const user = await member({ credits: freePrice, visit: 3, slide: 3 });
  await user.submits(track);
  expect(await user.now()).toMatchObject({ visit: 1, slide: 1 });
});

test("a session that ends while a song is submitted does not keep it from being submitted", async () => {
  const user = await member({ credits: freePrice });
  const viewer = await user.viewer();
  await env.DB.prepare("DELETE FROM sessions").run();
  expect(await submitAs(user, viewer)).toMatchObject({ title: track.title });
});

test("with the preference off a submission owes no mail", async () => {
  // Another user's preference does not matter.
  await someone({ receiveRatingEmails: true });
  const user = await member({ credits: freePrice, receiveRatingEmails: false });
  expect(await user.submits(track)).toMatchObject({ limited: false });
  expect([user.queued, await rows("outbox")]).toEqual([[], []]);
});

test("submissions owe five mails an hour, and no more", async () => {
  const user = await member({ credits: 48 });
  for (let n = 0; n < 7; n += 1) expect(await user.submits(track)).toMatchObject(submitted);
  expect((await rows("outbox")).map(({ kind }) => kind)).toEqual(Array(5).fill("submission"));
  const other = await member({ credits: freePrice });
  await other.submits(track);
  expect([user.queued.length, other.queued.length]).toEqual([5, 1]);
  // Where there is somebody, a song is not promised more ratings than they can give.
  await change("sessions", { userId: other.id }, { expiresAt: baseTime });
  await change("outbox", {}, { createdAt: now - hourMs });
  await user.submits(track);
  expect(user.queued).toHaveLength(6);
});

test("mails of other kinds do not count towards the five an hour", async () => {
  const user = await member({ credits: freePrice });
  for (let n = 0; n < 5; n += 1) {
    const mail = { id: unique("mail"), user_id: user.id, kind: "past_due", subject_id: "cus_1" };
    const times = { created_at: now, not_before: now };
    await insert("outbox", { ...mail, ...times, dedupe_key: unique("past_due") }).run();
  }
  await user.submits(track);
  expect(user.queued).toHaveLength(1);
});

const failing = (status: number) => ({ track: () => Promise.reject(new SpotifyError(status, "")) });

test.each<[string, Partial<Spotify>, number]>([
  ["does not have the track", { track: async () => null }, 404],
  ["cannot be reached", failing(0), 503],
  ["is asked too often", failing(429), 503],
  ["is down", failing(500), 503],
  ["refuses the token", failing(401), 401],
])("if Spotify %s, nothing changes", async (_, spotify, status) => {
  const user = await member({ credits: freePrice });
  await untouched(async () => {
    expect(await user.submits(track, { spotify })).toMatchObject({ rejected: true, status });
  });
});

test("credits earned meanwhile in another tab are not lost by a submission", async () => {
  const user = await member({ credits: freePrice });
  const viewer = await user.viewer();
  await makeRating(user, await song());
  await submitAs(user, viewer);
  expect(await user.now()).toMatchObject({ credits: 1, submittedCount: 1 });
});
