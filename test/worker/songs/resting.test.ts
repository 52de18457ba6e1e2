/** Songs that Spotify does not play rest until their owners, who get one mail, bring them back. */
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { dayMs } from "~/platform/dates";
import { SpotifyError } from "~/sources/spotify/client/spotify";
import type { Spotify } from "~/sources/spotify/client/web-api.server";
import { trackOf } from "../../support/catalogue";
import { insert, makeListen, makePackage } from "../../support/database/factories";
import { change, row, rows } from "../../support/database/rows";
import { addressOf, consume, mailsTo } from "../../support/mails";
import { makeOperator } from "../../support/operator";
import {
  type Cast,
  fill,
  recognise,
  type Someone,
  someone,
  song,
  songs,
  unlock,
} from "../../support/people";
import { catalogue } from "../../support/spotify/stub";

type Song = Cast<typeof song>;

const ok = { ok: true };
const saying = (text: string) => expect.stringContaining(text);
const notPlayed = { status: 409, error: saying("does not play this song") };
const failing = (status: number) => ({ track: () => Promise.reject(new SpotifyError(status, "")) });

/** A fake Spotify that plays nothing, and marks the song as not playable. */
function refusing(it: Song): Partial<Spotify> {
  return { ...catalogue({ ...it, playable: false }), playback: async () => null };
}

/** Lets a listener confirm a listen, for which Spotify did not play the song. */
async function refuse(
  it: Song,
  {
    to,
    spotify = refusing(it),
    later = 0,
  }: { to?: Someone; spotify?: Partial<Spotify>; later?: number } = {},
) {
  const listener = to ?? (await someone());
  await env.DB.prepare("DELETE FROM listens WHERE user_id = ?").bind(listener.id).run();
  await makeListen(listener, it, { startedAt: unlock - 56_000 + later });
  return listener.at(unlock + later).confirms(it, spotify);
}

async function refuseTimes(times: number, it: Song): Promise<void> {
  for (let n = 0; n < times; n += 1) await refuse(it);
}

const rate = async (it: Song) => (await someone({ heard: it })).rates(it, 3, {});
const resume = (it: Song) => it.owner.resumes(it, catalogue(it));

/** A song that three listeners could not play, so that it rests. */
async function makeResting(options: Parameters<typeof song>[0] = {}) {
  const it = await song(options);
  await refuseTimes(3, it);
  return it;
}

const counting = async ({ id: songId }: Song) =>
  (await rows("unplayableReports", { songId, answeredAt: null })).length;

test("a song that Spotify refuses to three listeners in a row rests, and is still owed its ratings", async () => {
  const it = await song({ received: 2 });
  const viewer = await someone();
  for (let n = 0; n < 3; n += 1) {
    expect(await viewer.pooled()).toEqual([it.id]);
    expect(await refuse(it)).toMatchObject(notPlayed);
  }
  expect(await viewer.pooled()).toEqual([]);
  expect(await it.now()).toMatchObject({ restingSince: unlock, owed: 3, received: 2 });
});

test("a listener counts once, however often they try", async () => {
  const it = await song();
  const listener = await someone({ listensTo: it });
  for (let n = 0; n < 4; n += 1) await listener.confirms(it, refusing(it));
  expect(await row("unplayableReports")).toMatchObject({ userId: listener.id });
  expect(await it.now()).toMatchObject({ restingSince: null });
});

test("a song that Spotify does not know is refused like one that it does not play", async () => {
  const it = await song();
  await refuse(it, { spotify: { ...catalogue(), playback: async () => null } });
  expect(await counting(it)).toBe(1);
});

test("a song that has all its ratings does not rest, and its owner gets no mail", async () => {
  const it = await makeResting({ received: 5 });
  expect(await it.now()).toMatchObject({ restingSince: null, owed: 0, received: 5 });
  expect(await rows("outbox")).toEqual([]);
});

test("each song has refusals of its own, and what answers them answers no other song's", async () => {
  const owner = await someone();
  const [first, second] = [await song({ owner }), await song({ owner })];
  for (const it of [first, second]) {
    await refuseTimes(2, it);
    expect(await it.now()).toMatchObject({ restingSince: null });
  }
  await rate(first);
  expect([await counting(first), await counting(second)]).toEqual([0, 2]);
});

test("a rating that does not count answers nothing", async () => {
  const it = await song();
  await refuse(it);
  const rater = await someone({ heard: it });
  const departure_id = "d".repeat(43);
  await insert("departures", { id: departure_id, user_id: rater.id, left_at: 0 }).run();
  await insert("rating_marks", { departure_id, song_id: it.id }).run();
  expect(await rater.rates(it, 3, {})).toMatchObject({ status: 409 });
  expect(await counting(it)).toBe(1);
});

test("a refused song does not count as heard in an outage", async () => {
  const it = await song();
  const listener = await someone();
  await refuse(it, { to: listener });
  const playback = () => Promise.reject(new SpotifyError(503, ""));
  expect(await listener.confirms(it, { playback })).toMatchObject({ status: 503 });
});

test("a rating between shows that the song plays, and the count begins anew", async () => {
  const it = await song();
  await refuseTimes(2, it);
  expect(await rate(it)).toEqual(ok);
  await refuseTimes(2, it);
  expect(await it.now()).toMatchObject({ restingSince: null });
  await refuse(it);
  expect(await it.now()).toMatchObject({ restingSince: unlock });
});

test.each([
  ["a rating", 2, rate],
  ["its return from a rest", 3, resume],
  ["its submission", 3, (it: Song) => it.owner.at(unlock + 2 * dayMs).submits(it)],
])("after %s nobody who counted before counts again within 30 days", async (_, refusals, prove) => {
  const it = await song({ ...trackOf("mara-lind", 3), owner: { credits: 6 } });
  const listeners = await Promise.all([1, 2, 3].map(() => someone()));
  const counted = listeners.slice(0, refusals);
  for (const to of counted) await refuse(it, { to });
  expect(await prove(it)).not.toHaveProperty("rejected");
  expect(await it.now()).toMatchObject({ restingSince: null });
  for (const to of counted) {
    expect(await refuse(it, { to, later: dayMs })).toMatchObject(notPlayed);
  }
  await refuseTimes(2, it);
  expect(await it.now()).toMatchObject({ restingSince: null });
  // Thirty days on, when the purge has come to the refusals.
  const later = 31 * dayMs;
  await env.DB.prepare("DELETE FROM unplayable_reports").run();
  for (const to of listeners) await refuse(it, { to, later });
  expect(await it.now()).toMatchObject({ restingSince: unlock + later });
});

test("who deletes the account and comes back does not count again, and another account does", async () => {
  const owner = await someone();
  const [it, another] = [await song({ owner }), await song({ owner })];
  const [first, again, other] = [await someone(), await someone(), await someone()];
  await refuse(it, { to: first });
  expect(await counting(it)).toBe(1);
  await first.leaves();
  await recognise(again);
  await refuse(it, { to: again });
  expect(await counting(it)).toBe(0);
  await refuse(another, { to: again });
  await refuse(it, { to: other });
  expect([await counting(another), await counting(it)]).toEqual([1, 1]);
});

test.each([
  ["plays the song", (it: Song): Partial<Spotify> => catalogue(it)],
  ["does not respond", () => failing(503)],
])("no refusal is recorded if Spotify %s", async (_, spotify) => {
  const it = await song();
  await refuse(it, { spotify: { ...spotify(it), playback: async () => null } });
  expect(await rows("unplayableReports")).toEqual([]);
});

test("Spotify is asked about a song that does not start, or is played again before it was heard", async () => {
  const it = await song();
  const fails = () => Promise.reject(new SpotifyError(403, "Restriction violated"));
  const one = await someone({ offered: [it] });
  expect(await one.starts(it, fails, refusing(it))).toMatchObject({ status: 409 });
  const other = await someone({ offered: [it] });
  expect(await other.starts(it, null, refusing(it))).toMatchObject({ requiredSeconds: 55 });
  expect(await other.starts(it, null, refusing(it))).toMatchObject({ status: 409 });
  expect(await rows("unplayableReports")).toHaveLength(2);
});

test("a resting song leaves all packages, except for a user who is listening to it", async () => {
  const it = await song();
  const [waiting, listening] = [await someone({ offered: [it] }), await someone()];
  await makePackage(listening, [it]);
  await makeListen(listening, it, { startedAt: Date.now() });
  await refuseTimes(3, it);
  const pages = [await waiting.reads("/"), await listening.reads("/")];
  expect(pages.map((page) => page.includes(it.title))).toEqual([false, true]);
  const refused = { status: 409, error: saying("does not play at the moment") };
  expect(await waiting.starts(it)).toMatchObject(refused);
});

test("the owner gets one mail, with a link to the button that brings the song back", async () => {
  const it = await makeResting({ title: "Night Bus" });
  await refuse(it);
  await consume([(await row("outbox")).id], { now: () => unlock });
  const [told, ...more] = await mailsTo(addressOf(it.owner));
  expect([told?.subject, more]).toEqual(["Your song is resting: “Night Bus”", []]);
  expect(told?.text).toContain("still owed 5 ratings");
  expect(told?.text).toContain(`/ratings-of-my-songs?song=${it.id}#song-${it.id}`);
});

test("an owner who wants no mails about songs, or has already brought the song back, gets none", async () => {
  await makeResting({ owner: { receiveRatingEmails: false } });
  expect(await rows("outbox")).toEqual([]);
  await resume(await makeResting());
  await consume([(await row("outbox")).id], { now: () => unlock });
  expect(await row("outbox")).toMatchObject({ state: "skipped", fault: "over" });
});

test("a song that the operator has taken out does not begin to rest, and its owner hears of that alone", async () => {
  const out = { restingSince: 1, withdrawn: true, takenOut: "It is silence." };
  const it = await song();
  await change("songs", { id: it.id }, out);
  await refuseTimes(3, it);
  expect(await it.now()).toMatchObject(out);
  expect(await rows("outbox")).toEqual([]);
  await (await makeOperator()).decides(it, "put_back", "We were wrong.");
  expect(await it.now()).toMatchObject({ restingSince: 1, withdrawn: true, takenOut: null });
  await env.DB.prepare("DELETE FROM outbox").run();
  const resting = await makeResting();
  await change("songs", { id: resting.id }, { takenOut: "It is silence." });
  await consume([(await row("outbox")).id], { now: () => unlock });
  expect(await row("outbox")).toMatchObject({ state: "skipped", fault: "over" });
});

test("the owner sees that the song rests, and brings it back with a button", async () => {
  const musician = "tobin-ashgrove";
  const it = await makeResting({ ...trackOf(musician, 3), owner: { musician } });
  const page = await it.owner.reads("/ratings-of-my-songs");
  expect(page).toContain("This song is resting");
  expect(page).toContain(`action="/songs/${it.id}/resume"`);
  const back = await it.owner.posts(`/songs/${it.id}/resume`);
  const path = `/ratings-of-my-songs/${it.id}`;
  expect([back.status, back.headers.get("Location")]).toEqual([303, path]);
  expect(await it.now()).toMatchObject({ restingSince: null, owed: 5, received: 0 });
  expect(await (await someone()).pooled()).toEqual([it.id]);
  expect(await it.owner.reads(path)).not.toContain("This song is resting");
  // The earlier refusals no longer count.
  await refuse(it);
  expect(await it.now()).toMatchObject({ restingSince: null });
});

test("a song keeps resting if Spotify still refuses it or does not respond, or if somebody else asks", async () => {
  const it = await makeResting();
  for (const [spotify, status] of [
    [refusing(it), 409],
    [catalogue(), 409],
    [failing(503), 503],
    [failing(403), 502],
    [failing(401), 401],
  ] as const) {
    expect(await it.owner.resumes(it, spotify)).toMatchObject({ status });
  }
  expect(await (await someone()).resumes(it)).toMatchObject({ status: 404 });
  const broken = () => Promise.reject(new Error("broken"));
  await expect(it.owner.resumes(it, { track: broken })).rejects.toThrow("broken");
  expect(await it.now()).toMatchObject({ restingSince: unlock });
  for (const spotify of [catalogue(it), {}]) {
    expect(await it.owner.resumes(it, spotify)).toEqual(ok);
  }
});

test("a resting song takes no place in line and does not count towards the limit of ten", async () => {
  const owner = await someone();
  const [first, second, third] = (await songs(10, { owner })) as [Song, Song, Song];
  await refuseTimes(3, first);
  const inLine = (await rows("songs")).filter(({ lineSince }) => lineSince !== null);
  expect(inLine.map(({ id }) => id).sort()).toEqual([second.id, third.id]);
  await song({ owner });
  // Ten others are in rotation now, so it has to wait until one of them has its ratings.
  expect(await resume(first)).toMatchObject({ status: 409, error: saying("10 of your") });
  expect(await counting(first)).toBe(3);
  await fill(third);
  expect(await resume(first)).toEqual(ok);
  expect(await counting(first)).toBe(0);
});
