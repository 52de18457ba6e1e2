/** An owner takes a song out of the rotation, and brings it back (rule 12, rest). */
import { expect, test } from "vitest";
import { SpotifyError } from "~/sources/spotify/client/spotify";
import { baseTime, insert } from "../../support/database/factories";
import { change, row, rows } from "../../support/database/rows";
import { someone, song, songs, unlock } from "../../support/people";
import { catalogue } from "../../support/spotify/stub";

const ok = { ok: true };
const saying = (text: string) => expect.stringContaining(text);
const down = { track: () => Promise.reject(new SpotifyError(503, "")) };

test("a withdrawn song leaves the rotation and all packages, and stays owed its ratings", async () => {
  const it = await song({ received: 2 });
  const viewer = await someone({ offered: [it] });
  expect(await viewer.reads("/")).toContain(it.title);
  expect(await it.owner.withdraws(it)).toEqual(ok);
  const state = { restingSince: unlock, withdrawn: true, owed: 3, received: 2 };
  expect(await it.now()).toMatchObject(state);
  expect(await (await someone()).pooled()).toEqual([]);
  expect(await viewer.reads("/")).not.toContain(it.title);
  const refused = { status: 409, error: saying("has taken it out of the rotation") };
  expect(await viewer.starts(it)).toMatchObject(refused);
  expect(await rows("outbox")).toEqual([]);
});

test("who is listening to it may finish and rate, and that counts", async () => {
  const it = await song();
  const listener = await someone({ offered: [it], listensTo: it });
  await it.owner.withdraws(it);
  expect(await listener.confirms(it)).toEqual(ok);
  expect(await listener.reads("/")).toContain(it.title);
  expect(await listener.rates(it, 4, {})).toEqual(ok);
  expect(await it.now()).toMatchObject({ withdrawn: true, owed: 4, received: 1 });
  expect(await listener.now()).toMatchObject({ credits: 1 });
});

test("with its last rating a withdrawn song is complete, and no longer withdrawn", async () => {
  const it = await song({ received: 4 });
  const listener = await someone({ heard: it });
  await it.owner.withdraws(it);
  await listener.waits(60_000).rates(it, 1, {});
  const complete = { restingSince: null, withdrawn: false, owed: 0, received: 5 };
  expect(await it.now()).toMatchObject(complete);
  expect(await it.owner.withdraws(it)).toEqual(ok);
  expect(await it.now()).toMatchObject(complete);
});

test("it comes back behind all others, also while Spotify does not answer", async () => {
  const it = await song();
  for (const { id } of await songs(2)) await change("songs", { id }, { lineSince: baseTime + 1 });
  await it.owner.withdraws(it);
  expect(await it.owner.resumes(it, down)).toEqual(ok);
  expect(await it.now()).toMatchObject({
    ...{ lineSince: baseTime + 1, restingSince: null, withdrawn: false, owed: 5 },
  });
});

test("withdrawing makes room for another song, and then the withdrawn one has to wait", async () => {
  const it = await song();
  const { owner } = it;
  await songs(9, { owner });
  await owner.withdraws(it);
  const another = await song({ owner });
  const refused = { status: 409, error: saying("which is the most at a time") };
  expect(await owner.resumes(it)).toMatchObject(refused);
  await owner.withdraws(another);
  expect(await owner.resumes(it)).toEqual(ok);
});

test("coming back answers no refusal, and a third refusal makes a withdrawn song rest", async () => {
  const it = await song();
  for (let n = 0; n < 2; n += 1) {
    const refused = { song_id: it.id, user_id: (await someone()).id, created_at: baseTime };
    await insert("unplayable_reports", refused).run();
  }
  await it.owner.withdraws(it);
  await it.owner.resumes(it, down);
  expect(await rows("unplayableReports", { answeredAt: null })).toHaveLength(2);
  const listener = await someone({ listensTo: it });
  await it.owner.withdraws(it);
  const refusing = catalogue({ ...it, playable: false });
  await listener.confirms(it, { ...refusing, playback: async () => null });
  expect(await it.now()).toMatchObject({ restingSince: unlock, withdrawn: false });
  expect(await row("outbox")).toMatchObject({ kind: "resting", userId: it.ownerId });
  expect(await it.owner.resumes(it, refusing)).toMatchObject({ status: 409 });
  expect(await it.owner.resumes(it, catalogue(it))).toEqual(ok);
});

test("pressing twice, or for a song that rests already, changes nothing more", async () => {
  const it = await song();
  const { owner } = it;
  const resting = await song({ owner });
  await change("songs", { id: resting.id }, { restingSince: 7 });
  await Promise.all([owner.withdraws(it), owner.withdraws(it)]);
  await owner.withdraws(resting);
  expect(await it.now()).toMatchObject({ restingSince: unlock, withdrawn: true });
  expect(await resting.now()).toMatchObject({ restingSince: 7, withdrawn: false });
});

test("only the owner can withdraw a song", async () => {
  const it = await song();
  const stranger = await someone();
  for (const id of [it.id, "no-such-song"]) {
    const answer = await stranger.sends(`/songs/${id}/withdraw`);
    const refused = [404, { error: "This is not one of your songs." }];
    expect([answer.status, await answer.json()]).toEqual(refused);
  }
  expect(await it.now()).toMatchObject({ restingSince: null });
});

test("the song's page has a button for each way, which works without a script", async () => {
  const { id, owner } = await song();
  const path = `/ratings-of-my-songs/${id}`;
  for (const [way, shown, listed] of [
    ["withdraw", "You have taken this song out of the rotation", true],
    ["resume", "Take it out of the rotation", false],
  ] as const) {
    expect(await owner.reads(path)).toContain(`/songs/${id}/${way}"`);
    const answer = await owner.posts(`/songs/${id}/${way}`);
    expect([answer.status, answer.headers.get("Location")]).toEqual([303, path]);
    expect(await owner.reads(path)).toContain(shown);
    const list = await owner.reads("/ratings-of-my-songs");
    expect(list.includes(">Withdrawn<")).toBe(listed);
  }
});
