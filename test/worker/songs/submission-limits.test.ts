/** The limits of submissions: ten songs in rotation, one free submission a day, playable songs only. */
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { submitSong } from "~/exchange/submission/submit.server";
import type { Viewer } from "~/members/viewer.server";
import type { Spotify } from "~/sources/spotify/client/web-api.server";
import { trackOf } from "../../support/catalogue";
import { contents, rowsOf } from "../../support/database/contents";
import {
  baseTime,
  insert,
  makeRating,
  makeSong,
  makeUser,
  unique,
} from "../../support/database/factories";
import { exemptFromInvariants } from "../../support/database/invariant-check";
import { makeSession, makeViewer, viewerOf } from "../../support/login";
import { request } from "../../support/request";
import { servicesAt } from "../../support/services";
import { catalogue, stubSpotify } from "../../support/spotify/stub";

const day = 86_400_000;
/** The time of these tests' submissions: more than a day after those of the factories. */
const now = baseTime + 2 * day;
const track = trackOf("mara-lind", 3);
const otherTrack = trackOf("mara-lind", 4);
const tables = ["users", "songs", "submissions", "sessions", "activity_log", "outbox"];

interface Sent {
  trackId?: string;
  spotify?: Spotify;
  at?: number;
}

function submit(viewer: Viewer, sent: Sent = {}) {
  const { trackId = track.trackId, at = now } = sent;
  const { spotify = catalogue(track, otherTrack) } = sent;
  const services = servicesAt(at, { spotify });
  return submitSong(services, viewer, { trackId, requestKey: unique("form") });
}

function standing(viewer: Viewer) {
  return rowsOf("SELECT credits, submitted_count FROM users WHERE id = ?", viewer.userId);
}

test("a free submission is possible once a day, and a refusal says when the next one is", async () => {
  const { session } = await makeViewer(await makeUser());
  expect(await submit(await viewerOf(session.id))).toHaveProperty("submissionId");
  const viewer = await viewerOf(session.id);
  const before = await contents(...tables);
  const sent = { trackId: otherTrack.trackId, spotify: stubSpotify() };
  expect(await submit(viewer, { ...sent, at: now + day / 2 })).toMatchObject({
    status: 409,
    error: expect.stringContaining("the next one in 12 hours"),
  });
  expect(await submit(viewer, { ...sent, at: now + day - 1 })).toMatchObject({ status: 409 });
  expect(await contents(...tables)).toEqual(before);
  const next = { trackId: otherTrack.trackId, at: now + day };
  expect(await submit(viewer, next)).toMatchObject({ limited: true });
});

test("two free submissions from two tabs become one", async () => {
  const { session } = await makeViewer(await makeUser());
  const viewer = await viewerOf(session.id);
  await submit(viewer);
  // As if this tab had read its data before the first submission was written.
  await env.DB.prepare("UPDATE submissions SET spent = 1").run();
  exemptFromInvariants("credits are the ratings given minus those spent, and not negative");
  const later = await viewerOf(session.id);
  const racing: Spotify = stubSpotify({
    async track(trackId) {
      await env.DB.prepare("UPDATE submissions SET spent = 0").run();
      return catalogue(otherTrack).track(trackId);
    },
  });
  const answer = await submit(later, { trackId: otherTrack.trackId, spotify: racing });
  expect(answer).toMatchObject({ rejected: true, status: 409 });
  expect(await rowsOf("SELECT id FROM submissions")).toHaveLength(1);
});

test("if there are no songs to rate, somebody with credits pays for the second song of a day", async () => {
  const user = await makeUser({ credits: 7 });
  await makeSong(user, { submittedAt: [now - day / 2] });
  const viewer = await makeViewer(user);
  expect(await submit(viewer)).toMatchObject({ limited: true });
  expect(await standing(viewer)).toEqual([{ credits: 1, submitted_count: 2 }]);
});

test("a musician has at most ten songs in rotation, and is told what to do about it", async () => {
  const user = await makeUser({ credits: 6 });
  const song = await makeSong(user);
  for (let n = 1; n < 10; n += 1) await makeSong(user);
  const full = await makeViewer(user);
  const before = await contents(...tables);
  expect(await submit(full, { spotify: stubSpotify() })).toMatchObject({
    status: 409,
    error: expect.stringContaining("as soon as one of them has all of its ratings"),
  });
  expect(await contents(...tables)).toEqual(before);
  const { cookie } = await makeSession(user);
  const screen = await (await request("/?menu=addownsong&q=a", { cookie })).text();
  expect(screen).toContain("10 of your songs are waiting for ratings");
  expect(screen).not.toContain("Enter A Song or Artist");
  // A song that has all its ratings makes room.
  for (let n = 0; n < 5; n += 1) await makeRating(await makeUser(), song);
  expect(await submit(full)).toHaveProperty("submissionId");
});

test("what others have in the rotation takes nobody's place", async () => {
  const other = await makeUser();
  for (let n = 0; n < 10; n += 1) await makeSong(other);
  const viewer = await makeViewer(await makeUser({ credits: 6 }));
  expect(await submit(viewer)).toMatchObject({ limited: false });
});

test("who has paid for a song, or has seen others submit for nothing, may do so on the same day", async () => {
  const others = await makeViewer(await makeUser());
  expect(await submit(others)).toMatchObject({ limited: true });
  for (let n = 0; n < 9; n += 1) await makeSong(await makeUser());
  const { session } = await makeViewer(await makeUser({ credits: 6 }));
  expect(await submit(await viewerOf(session.id))).toMatchObject({ limited: false });
  // Nothing is left to rate.
  await env.DB.prepare("UPDATE songs SET resting_since = ? WHERE owed > 0").bind(now).run();
  const sent = { trackId: otherTrack.trackId };
  expect(await submit(await viewerOf(session.id), sent)).toMatchObject({ limited: true });
});

test("the tenth song from two tabs is one", async () => {
  const user = await makeUser({ credits: 12 });
  for (let n = 0; n < 9; n += 1) await makeSong(user);
  const viewer = await makeViewer(user);
  const racing: Spotify = stubSpotify({
    async track(trackId) {
      await makeSong(user);
      await env.DB.prepare("UPDATE users SET submitted_count = ? WHERE id = ?")
        .bind(viewer.submittedCount, user.id)
        .run();
      return catalogue(track).track(trackId);
    },
  });
  exemptFromInvariants("submitted_count is the number of submissions");
  expect(await submit(viewer, { spotify: racing })).toMatchObject({ rejected: true, status: 409 });
});

test.each([
  ["that Spotify does not play", { playable: false }, "Spotify does not play this song"],
  ["of a millisecond", { durationMs: 1 }, "too short"],
  ["that ends before it unlocks", { durationMs: 3_999 }, "at least 4 seconds"],
])("a song %s is refused, and nothing changes", async (_, change, text) => {
  const viewer = await makeViewer(await makeUser({ credits: 6 }));
  const before = await contents(...tables);
  const answer = await submit(viewer, { spotify: catalogue({ ...track, ...change }) });
  expect(answer).toMatchObject({ status: 422, error: expect.stringContaining(text) });
  expect(await contents(...tables)).toEqual(before);
});

test("a song of four seconds may be submitted", async () => {
  const viewer = await makeViewer(await makeUser({ credits: 6 }));
  const spotify = catalogue({ ...track, durationMs: 4_000 });
  expect(await submit(viewer, { spotify })).toHaveProperty("submissionId");
});

test("a resting song comes back when its owner submits it again", async () => {
  const user = await makeUser({ credits: 6 });
  const song = await makeSong(user, track);
  await env.DB.prepare("UPDATE songs SET resting_since = ? WHERE id = ?")
    .bind(baseTime, song.id)
    .run();
  for (let n = 0; n < 3; n += 1) {
    const row = { song_id: song.id, user_id: (await makeUser()).id, created_at: baseTime };
    await insert("unplayable_reports", row).run();
  }
  expect(await submit(await makeViewer(user))).toHaveProperty("submissionId");
  expect(await rowsOf("SELECT owed, resting_since FROM songs WHERE id = ?", song.id)).toEqual([
    { owed: 10, resting_since: null },
  ]);
  expect(await rowsOf("SELECT song_id FROM unplayable_reports WHERE answered_at IS NULL")).toEqual(
    [],
  );
});

test("a song that everybody here has rated is not promised more ratings, until others come", async () => {
  const owner = await makeUser();
  const { session } = await makeViewer(owner);
  const song = await makeSong(owner, { ...track, submittedAt: [baseTime] });
  for (let n = 0; n < 5; n += 1) {
    const rater = await makeUser();
    await makeViewer(rater);
    await makeRating(rater, song);
  }
  const at = Date.now();
  const viewer = await viewerOf(session.id);
  const before = await contents(...tables);
  expect(await submit(viewer, { at })).toMatchObject({
    status: 409,
    error: expect.stringContaining("too few are left to rate this song"),
  });
  expect(await contents(...tables)).toEqual(before);
  for (let n = 0; n < 5; n += 1) await makeViewer(await makeUser());
  expect(await submit(viewer, { at })).toHaveProperty("submissionId");
});
