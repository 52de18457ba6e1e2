/** The limits of submissions: ten songs in rotation, one free submission a day, playable songs only. */
import { expect, test } from "vitest";
import { dayMs } from "~/platform/dates";
import { trackOf } from "../../support/catalogue";
import { baseTime, insert, makeSong } from "../../support/database/factories";
import { exemptFromInvariants } from "../../support/database/invariant-check";
import { change, rows, untouched } from "../../support/database/rows";
import { fill, someone, song, songs } from "../../support/people";
import { catalogue } from "../../support/spotify/stub";

/** The time of these tests' submissions: more than a day after those of the factories. */
const now = baseTime + 2 * dayMs;
const track = trackOf("mara-lind", 3);
const otherTrack = trackOf("mara-lind", 4);
const submitted = { submissionId: expect.any(String) };
const saying = (text: string) => expect.stringContaining(text);

async function member(options: Parameters<typeof someone>[0] = {}) {
  return (await someone(options)).at(now);
}

test("a free submission is possible once a day, and a refusal says when the next one is", async () => {
  const user = await member();
  expect(await user.submits(track)).toMatchObject(submitted);
  await untouched(async () => {
    user.at(now + dayMs / 2);
    const soon = { status: 409, error: saying("the next one in 12 hours") };
    expect(await user.submits(otherTrack, { spotify: {} })).toMatchObject(soon);
    user.at(now + dayMs - 1);
    expect(await user.submits(otherTrack, { spotify: {} })).toMatchObject({ status: 409 });
  });
  expect(await user.waits(1).submits(otherTrack)).toMatchObject({ limited: true });
});

test("two free submissions from two tabs become one", async () => {
  const user = await member();
  await user.submits(track);
  // As if this tab had read its data before the first submission was written.
  await change("submissions", {}, { spent: 1 });
  exemptFromInvariants("credits are the ratings given minus those spent, and not negative");
  const spotify = {
    async track(trackId: string) {
      await change("submissions", {}, { spent: 0 });
      return catalogue(otherTrack).track(trackId);
    },
  };
  const answer = await user.submits(otherTrack, { spotify });
  expect(answer).toMatchObject({ rejected: true, status: 409 });
  expect(await rows("submissions")).toHaveLength(1);
});

test("if there are no songs to rate, somebody with credits pays for the second song of a day", async () => {
  const user = await member({ credits: 7 });
  await song({ owner: user, submittedAt: [now - dayMs / 2] });
  expect(await user.submits(track)).toMatchObject({ limited: true });
  expect(await user.now()).toMatchObject({ credits: 1, submittedCount: 2 });
});

test("a musician has at most ten songs in rotation, and is told what to do about it", async () => {
  const user = await member({ credits: 6 });
  const it = await song({ owner: user });
  await songs(9, { owner: user });
  await untouched(async () => {
    const error = saying("as soon as one of them has all of its ratings");
    expect(await user.submits(track, { spotify: {} })).toMatchObject({ status: 409, error });
  });
  const screen = await user.reads("/?menu=addownsong&q=a");
  expect(screen).toContain("10 of your songs are waiting for ratings");
  expect(screen).not.toContain("Enter A Song or Artist");
  // A song that has all its ratings makes room.
  await fill(it);
  expect(await user.submits(track)).toMatchObject(submitted);
});

test("what others have in the rotation takes nobody's place", async () => {
  await songs(10, { owner: await someone() });
  expect(await (await member({ credits: 6 })).submits(track)).toMatchObject({ limited: false });
});

test("who has paid for a song, or has seen others submit for nothing, may do so on the same day", async () => {
  expect(await (await member()).submits(track)).toMatchObject({ limited: true });
  await songs(9);
  const user = await member({ credits: 6 });
  expect(await user.submits(track)).toMatchObject({ limited: false });
  // Nothing is left to rate.
  await change("songs", {}, { restingSince: now });
  expect(await user.submits(otherTrack)).toMatchObject({ limited: true });
});

test("the tenth song from two tabs is one", async () => {
  const user = await member({ credits: 12 });
  await songs(9, { owner: user });
  const { submittedCount } = await user.now();
  const spotify = {
    async track(trackId: string) {
      await makeSong(user);
      await change("users", { id: user.id }, { submittedCount });
      return catalogue(track).track(trackId);
    },
  };
  exemptFromInvariants("submitted_count is the number of submissions");
  expect(await user.submits(track, { spotify })).toMatchObject({ rejected: true, status: 409 });
});

test.each([
  ["that Spotify does not play", { playable: false }, "Spotify does not play this song"],
  ["of a millisecond", { durationMs: 1 }, "too short"],
  ["that ends before it unlocks", { durationMs: 3_999 }, "at least 4 seconds"],
])("a song %s is refused, and nothing changes", async (_, changes, text) => {
  const user = await member({ credits: 6 });
  await untouched(async () => {
    const answer = await user.submits({ ...track, ...changes });
    expect(answer).toMatchObject({ status: 422, error: saying(text) });
  });
});

test("a song of four seconds may be submitted", async () => {
  const user = await member({ credits: 6 });
  expect(await user.submits({ ...track, durationMs: 4_000 })).toMatchObject(submitted);
});

test("a resting song comes back when its owner submits it again", async () => {
  const it = await song({ ...track, owner: { credits: 6 } });
  await change("songs", {}, { restingSince: baseTime });
  for (let n = 0; n < 3; n += 1) {
    const refused = { song_id: it.id, user_id: (await someone()).id, created_at: baseTime };
    await insert("unplayable_reports", refused).run();
  }
  expect(await it.owner.at(now).submits(track)).toMatchObject(submitted);
  expect(await it.now()).toMatchObject({ owed: 10, restingSince: null });
  expect(await rows("unplayableReports", { answeredAt: null })).toEqual([]);
});

test("a song that everybody here has rated is not promised more ratings, until others come", async () => {
  const it = await song(track);
  const owner = it.owner.at(Date.now());
  for (const rater of await fill(it)) await rater.viewer();
  await untouched(async () => {
    const error = saying("too few are left to rate this song");
    expect(await owner.submits(track)).toMatchObject({ status: 409, error });
  });
  for (let n = 0; n < 5; n += 1) await (await someone()).viewer();
  expect(await owner.submits(track)).toMatchObject(submitted);
});
