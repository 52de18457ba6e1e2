/** Songs that Spotify does not play rest until their owners, who get one mail, bring them back. */
import { env } from "cloudflare:workers";
import { sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { deleteAccount } from "~/account/delete.server";
import { createDatabase } from "~/db/client.server";
import { runBatch } from "~/db/gated";
import { confirmListen, startListen } from "~/exchange/listening/listening.server";
import { parsePool, selectPool } from "~/exchange/pool/pool.server";
import { rateSong } from "~/exchange/rating/rate.server";
import { returnSong } from "~/exchange/rotation/withdraw-and-return.server";
import { submitSong } from "~/exchange/submission/submit.server";
import { recogniseAccount, wayFingerprint } from "~/members/what-outlives.server";
import { readConfig } from "~/platform/env";
import { SpotifyError } from "~/sources/spotify/client/spotify";
import type { Spotify } from "~/sources/spotify/client/web-api.server";
import { trackOf } from "../../support/catalogue";
import { rowsOf } from "../../support/database/contents";
import {
  baseTime,
  insert,
  makeListen,
  makePackage,
  makeRating,
  makeSong,
  makeUser,
  type TestSong,
  type TestUser,
  unique,
} from "../../support/database/factories";
import { makeSession, makeViewer } from "../../support/login";
import { noteQueued } from "../../support/mail-queue";
import { addressOf, consume, mailsTo } from "../../support/mails";
import { request } from "../../support/request";
import { servicesAt } from "../../support/services";
import { catalogue, stubSpotify } from "../../support/spotify/stub";
import { stubBilling } from "../../support/stripe/billing-stub";

const db = createDatabase(env.DB);
/** When a listen that began at `baseTime` unlocks. */
const unlock = baseTime + 56_000;
const day = 86_400_000;

let mailQueue = noteQueued();
beforeEach(() => {
  mailQueue = noteQueued();
});

function servicesOf(spotify: Spotify, at = unlock) {
  return servicesAt(at, { spotify, mailQueue });
}

/** A fake Spotify that plays nothing, and marks the song as not playable. */
function refusing(song: TestSong): Spotify {
  const { track } = catalogue({ ...song, playable: false });
  return stubSpotify({ track, playback: async () => null });
}

/** Lets a new listener confirm a listen, for which Spotify did not play the song. */
async function refuse(song: TestSong, spotify = refusing(song)) {
  return refuseTo(await makeUser(), song, { spotify });
}

async function refuseTo(
  listener: TestUser,
  song: TestSong,
  { spotify = refusing(song), later = 0 } = {},
) {
  const viewer = await makeViewer(listener);
  await env.DB.prepare("DELETE FROM listens WHERE user_id = ?").bind(listener.id).run();
  await makeListen(listener, song, { startedAt: baseTime + later });
  return confirmListen(servicesOf(spotify, unlock + later), viewer, song.id);
}

async function rate(song: TestSong) {
  const rater = await makeUser();
  await makeListen(rater, song, { finishedAt: unlock });
  const services = servicesOf(stubSpotify());
  return rateSong(services, await makeViewer(rater), { songId: song.id, score: 3 });
}

async function resume(song: TestSong, by: TestUser) {
  return returnSong(servicesOf(catalogue(song)), await makeViewer(by), song.id);
}

async function submit({ trackId }: TestSong, by: TestUser) {
  const spotify = catalogue(trackOf("mara-lind", 3));
  const services = servicesOf(spotify, unlock + 2 * day);
  return submitSong(services, await makeViewer(by), { trackId, requestKey: unique("form") });
}

/** A song that three listeners could not play, so that it rests. */
async function makeResting(owner: TestUser, options: Parameters<typeof makeSong>[1] = {}) {
  const song = await makeSong(owner, options);
  for (let n = 0; n < 3; n += 1) await refuse(song);
  return song;
}

async function countsAgainst(song: TestSong): Promise<number> {
  const query = "SELECT 1 FROM unplayable_reports WHERE song_id = ? AND answered_at IS NULL";
  return (await rowsOf(query, song.id)).length;
}

function restingSince(song: TestSong) {
  return rowsOf("SELECT resting_since, owed, received FROM songs WHERE id = ?", song.id);
}

async function poolOf(viewer: TestUser): Promise<string[]> {
  return parsePool(await selectPool(db, viewer.id, { hears: true })).songs.map(
    ({ songId }) => songId,
  );
}

test("a song that Spotify refuses to three listeners in a row rests, and is still owed its ratings", async () => {
  const song = await makeSong(await makeUser(), { received: 2 });
  const viewer = await makeUser();
  for (let n = 0; n < 3; n += 1) {
    expect(await poolOf(viewer)).toEqual([song.id]);
    expect(await refuse(song)).toMatchObject({
      status: 409,
      error: expect.stringContaining("does not play this song"),
    });
  }
  expect(await poolOf(viewer)).toEqual([]);
  expect(await restingSince(song)).toEqual([{ resting_since: unlock, owed: 3, received: 2 }]);
});

test("a listener counts once, however often they try", async () => {
  const song = await makeSong(await makeUser());
  const listener = await makeUser();
  await makeListen(listener, song);
  const viewer = await makeViewer(listener);
  for (let n = 0; n < 4; n += 1) await confirmListen(servicesOf(refusing(song)), viewer, song.id);
  expect(await rowsOf("SELECT user_id FROM unplayable_reports")).toEqual([
    { user_id: listener.id },
  ]);
  expect(await restingSince(song)).toMatchObject([{ resting_since: null }]);
});

test("a song that Spotify does not know is refused like one that it does not play", async () => {
  const song = await makeSong(await makeUser());
  await refuse(song, stubSpotify({ track: async () => null, playback: async () => null }));
  expect(await countsAgainst(song)).toBe(1);
});

test("a song that has all its ratings does not rest, and its owner gets no mail", async () => {
  const song = await makeSong(await makeUser(), { received: 5 });
  for (let n = 0; n < 3; n += 1) await refuse(song);
  expect(await restingSince(song)).toEqual([{ resting_since: null, owed: 0, received: 5 }]);
  expect(mailQueue.queued).toEqual([]);
});

test("each song has refusals of its own, and what answers them answers no other song's", async () => {
  const owner = await makeUser();
  const [first, second] = [await makeSong(owner), await makeSong(owner)];
  for (const song of [first, first, second, second]) await refuse(song);
  expect(await restingSince(first)).toMatchObject([{ resting_since: null }]);
  expect(await restingSince(second)).toMatchObject([{ resting_since: null }]);
  await rate(first);
  expect([await countsAgainst(first), await countsAgainst(second)]).toEqual([0, 2]);
});

test("a rating that does not count answers nothing", async () => {
  const song = await makeSong(await makeUser());
  await refuse(song);
  const rater = await makeUser();
  await makeListen(rater, song, { finishedAt: unlock });
  const viewer = await makeViewer(rater);
  const services = servicesOf(stubSpotify());
  const departure = "d".repeat(43);
  await insert("departures", { id: departure, user_id: rater.id, left_at: 0 }).run();
  await insert("rating_marks", { departure_id: departure, song_id: song.id }).run();
  const rating = { songId: song.id, score: 3 } as const;
  expect(await rateSong(services, viewer, rating)).toMatchObject({ status: 409 });
  expect(await countsAgainst(song)).toBe(1);
});

test("a refused song does not count as heard in an outage", async () => {
  const song = await makeSong(await makeUser());
  const listener = await makeUser();
  await refuseTo(listener, song);
  const down = stubSpotify({ playback: () => Promise.reject(new SpotifyError(503, "")) });
  expect(await confirmListen(servicesOf(down), await makeViewer(listener), song.id)).toMatchObject({
    status: 503,
  });
});

test("a rating between shows that the song plays, and the count begins anew", async () => {
  const song = await makeSong(await makeUser());
  for (let n = 0; n < 2; n += 1) await refuse(song);
  expect(await rate(song)).toEqual({ ok: true });
  for (let n = 0; n < 2; n += 1) await refuse(song);
  expect(await restingSince(song)).toMatchObject([{ resting_since: null }]);
  await refuse(song);
  expect(await restingSince(song)).toMatchObject([{ resting_since: unlock }]);
});

test.each([
  ["a rating", 2, rate],
  ["its return from a rest", 3, resume],
  ["its submission", 3, submit],
])("after %s nobody who counted before counts again within 30 days", async (_, refusals, prove) => {
  const owner = await makeUser({ credits: 6 });
  const song = await makeSong(owner, trackOf("mara-lind", 3));
  const listeners: TestUser[] = [];
  for (let n = 0; n < refusals; n += 1) listeners.push(await makeUser());
  for (const listener of listeners) await refuseTo(listener, song);
  expect(await prove(song, owner)).not.toHaveProperty("rejected");
  expect(await restingSince(song)).toMatchObject([{ resting_since: null }]);
  for (const listener of listeners) {
    expect(await refuseTo(listener, song, { later: day })).toMatchObject({
      status: 409,
      error: expect.stringContaining("does not play this song"),
    });
  }
  for (let n = 0; n < 2; n += 1) await refuse(song);
  expect(await restingSince(song)).toMatchObject([{ resting_since: null }]);
  // Thirty days on, when the purge has come to the refusals.
  const later = 31 * day;
  await env.DB.prepare("DELETE FROM unplayable_reports").run();
  while (listeners.length < 3) listeners.push(await makeUser());
  for (const listener of listeners) await refuseTo(listener, song, { later });
  expect(await restingSince(song)).toMatchObject([{ resting_since: unlock + later }]);
});

test("who deletes the account and comes back does not count again, and another account does", async () => {
  const owner = await makeUser();
  const song = await makeSong(owner);
  const [first, again, other] = [await makeUser(), await makeUser(), await makeUser()];
  const account = await makeViewer(first);
  await refuseTo(first, song);
  expect(await countsAgainst(song)).toBe(1);
  const { sessionSecret: secret } = readConfig(env);
  const services = { db, billing: stubBilling(), secret, now: () => 0 };
  expect(await deleteAccount(services, first.id)).toEqual({ sharePaths: [] });
  const fingerprint = await wayFingerprint(secret, "spotifyId", account.spotifyId ?? "");
  await runBatch(db, recogniseAccount(db, fingerprint, sql`${again.id}`));
  await refuseTo(again, song);
  expect(await countsAgainst(song)).toBe(0);

  const another = await makeSong(owner);
  for (const [listener, one] of [
    [again, another],
    [other, song],
  ] as const) {
    await refuseTo(listener, one);
    expect(await countsAgainst(one)).toBe(1);
  }
});

test.each([
  ["plays the song", catalogue],
  [
    "does not respond",
    () => stubSpotify({ track: () => Promise.reject(new SpotifyError(503, "")) }),
  ],
])("no refusal is recorded if Spotify %s", async (_, spotify) => {
  const song = await makeSong(await makeUser());
  const { track } = spotify(song);
  await refuse(song, stubSpotify({ track, playback: async () => null }));
  expect(await rowsOf("SELECT * FROM unplayable_reports")).toEqual([]);
});

test("Spotify is asked about a song that does not start, or is played again before it was heard", async () => {
  const song = await makeSong(await makeUser());
  const fails = () => Promise.reject(new SpotifyError(403, "Restriction violated"));
  async function play(startPlayback: (() => Promise<void>) | null, times: number) {
    const listener = await makeUser();
    await makePackage(listener, [song]);
    const viewer = await makeViewer(listener);
    const answers: unknown[] = [];
    for (let n = 0; n < times; n += 1) {
      const listen = { songId: song.id, startPlayback };
      answers.push(await startListen(servicesOf(refusing(song), baseTime + n), viewer, listen));
    }
    return answers;
  }
  expect(await play(fails, 1)).toMatchObject([{ status: 409 }]);
  expect(await play(null, 2)).toMatchObject([{ requiredSeconds: 55 }, { status: 409 }]);
  expect(await rowsOf("SELECT count(*) AS refusals FROM unplayable_reports")).toEqual([
    { refusals: 2 },
  ]);
});

test("a resting song leaves all packages, except for a user who is listening to it", async () => {
  const song = await makeSong(await makeUser());
  const [waiting, listening] = [await makeUser(), await makeUser()];
  for (const user of [waiting, listening]) await makePackage(user, [song]);
  await makeListen(listening, song, { startedAt: Date.now() });
  for (let n = 0; n < 3; n += 1) await refuse(song);
  const pages = await Promise.all(
    [waiting, listening].map(async (user) =>
      (await request("/", { cookie: (await makeSession(user)).cookie })).text(),
    ),
  );
  expect(pages.map((page) => page.includes(song.title))).toEqual([false, true]);
  const listen = { songId: song.id, startPlayback: null };
  const answer = await startListen(servicesOf(stubSpotify()), await makeViewer(waiting), listen);
  expect(answer).toMatchObject({
    status: 409,
    error: expect.stringContaining("does not play at the moment"),
  });
});

test("the owner gets one mail, with a link to the button that brings the song back", async () => {
  const owner = await makeUser({ displayName: "Ada" });
  const song = await makeResting(owner, { title: "Night Bus" });
  await refuse(song);
  const [mail, ...more] = mailQueue.queued;
  expect(more).toEqual([]);
  await consume([mail?.outboxId ?? ""], { now: () => unlock });
  const [told] = await mailsTo(addressOf(owner));
  expect(told?.subject).toBe("Your song is resting: “Night Bus”");
  expect(told?.text).toContain("still owed 5 ratings");
  expect(told?.text).toContain(`/ratings-of-my-songs?song=${song.id}#song-${song.id}`);
});

test("an owner who wants no mails about songs, or has already brought the song back, gets none", async () => {
  await makeResting(await makeUser({ receiveRatingEmails: false }));
  expect(await rowsOf("SELECT id FROM outbox")).toEqual([]);
  const owner = await makeUser();
  const song = await makeResting(owner);
  await returnSong(servicesOf(catalogue(song)), await makeViewer(owner), song.id);
  await consume([mailQueue.queued[0]?.outboxId ?? ""], { now: () => unlock });
  expect(await rowsOf("SELECT state, fault FROM outbox")).toEqual([
    { state: "skipped", fault: "over" },
  ]);
});

test("the owner sees that the song rests, and brings it back with a button", async () => {
  const owner = await makeUser();
  const song = await makeResting(owner, trackOf("tobin-ashgrove", 3));
  const { cookie } = await makeSession(owner, { musician: "tobin-ashgrove" });
  const page = await (await request("/ratings-of-my-songs", { cookie })).text();
  expect(page).toContain("This song is resting");
  expect(page).toContain(`action="/songs/${song.id}/resume"`);
  const back = await request(`/songs/${song.id}/resume`, { cookie, form: {} });
  const path = `/ratings-of-my-songs/${song.id}`;
  expect([back.status, back.headers.get("Location")]).toEqual([303, path]);
  expect(await restingSince(song)).toEqual([{ resting_since: null, owed: 5, received: 0 }]);
  expect(await poolOf(await makeUser())).toEqual([song.id]);
  expect(await (await request(path, { cookie })).text()).not.toContain("This song is resting");
  // The earlier refusals no longer count.
  await refuse(song);
  expect(await restingSince(song)).toMatchObject([{ resting_since: null }]);
});

test("a song keeps resting if Spotify still refuses it or does not respond, or if somebody else asks", async () => {
  const owner = await makeUser();
  const song = await makeResting(owner);
  const viewer = await makeViewer(owner);
  const resume = (spotify: Spotify, by = viewer) => returnSong(servicesOf(spotify), by, song.id);
  const down = stubSpotify({ track: () => Promise.reject(new SpotifyError(503, "")) });
  expect(await resume(refusing(song))).toMatchObject({ status: 409 });
  expect(await resume(catalogue())).toMatchObject({ status: 409 });
  expect(await resume(down)).toMatchObject({ status: 503 });
  const refused = stubSpotify({ track: () => Promise.reject(new SpotifyError(403, "")) });
  expect(await resume(refused)).toMatchObject({ status: 502 });
  const stranger = await makeViewer(await makeUser());
  expect(await resume(stubSpotify(), stranger)).toMatchObject({ status: 404 });
  const ended = stubSpotify({ track: () => Promise.reject(new SpotifyError(401, "")) });
  expect(await resume(ended)).toMatchObject({ status: 401 });
  const broken = stubSpotify({ track: () => Promise.reject(new Error("broken")) });
  await expect(resume(broken)).rejects.toThrow("broken");
  expect(await restingSince(song)).toMatchObject([{ resting_since: unlock }]);
  expect(await resume(catalogue(song))).toEqual({ ok: true });
  expect(await resume(stubSpotify())).toEqual({ ok: true });
});

test("a resting song takes no place in line and does not count towards the limit of ten", async () => {
  const owner = await makeUser();
  const songs: TestSong[] = [];
  for (let n = 0; n < 10; n += 1) {
    songs.push(await makeSong(owner, { submittedAt: [baseTime + n] }));
  }
  const [first, , third] = songs;
  if (!first || !third) throw new Error("no songs");
  for (let n = 0; n < 3; n += 1) await refuse(first);
  const inLine = await rowsOf(
    "SELECT id FROM songs WHERE line_since IS NOT NULL ORDER BY owed_since",
  );
  expect(inLine).toEqual([{ id: songs[1]?.id }, { id: third.id }]);
  await makeSong(owner, { submittedAt: [baseTime + 10] });
  // Ten others are in rotation now, so it has to wait until one of them has its ratings.
  const viewer = await makeViewer(owner);
  const resume = () => returnSong(servicesOf(catalogue(first)), viewer, first.id);
  expect(await resume()).toMatchObject({
    status: 409,
    error: expect.stringContaining("10 of your"),
  });
  expect(await countsAgainst(first)).toBe(3);
  for (let n = 0; n < 5; n += 1) await makeRating(await makeUser(), third);
  expect(await resume()).toEqual({ ok: true });
  expect(await countsAgainst(first)).toBe(0);
});
