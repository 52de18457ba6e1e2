/** Rounds (rule 47, rounds): from the link to the results. */
import { expect, test } from "vitest";
import { listenErrors } from "~/exchange/listening/errors";
import { openRound } from "~/exchange/rounds/host.server";
import { handIn } from "~/exchange/rounds/member.server";
import { dayMs, hourMs } from "~/platform/dates";
import { lookAfterFiles } from "~/sources/files/file-deletions.server";
import { counts } from "../../support/answers";
import {
  baseTime,
  insert,
  makeListen,
  makeOwnSong,
  makeRating,
  makeSong,
} from "../../support/database/factories";
import { change, row, rows } from "../../support/database/rows";
import { idsOf, someone, song } from "../../support/people";
import { type Guest, guest, round } from "../../support/people/rounds";

const minute = 60_000;

test("six hand in a song, hear each other's, and get five each, which open for all at once", async () => {
  const it = await round();
  expect(await it.now()).toMatchObject({ begunAt: baseTime + 6, endsAt: baseTime + 6 + dayMs });
  it.at(baseTime + hourMs);
  for (const one of it.members.slice(0, 5)) expect(await it.listens(one)).toBe(5);
  const [first, ...others] = it.members;
  expect(await first?.sees(it.token)).toMatchObject({
    ...{ state: "listening", listened: 5 },
    mine: { received: 4, scores: null, hasListened: true },
    others: [],
  });
  expect(await it.listens(others[4] as Guest)).toBe(5);
  for (const one of it.members) {
    expect(await one.sees(it.token)).toMatchObject({
      state: "open",
      mine: { scores: null, received: 5 },
    });
    expect(await one.doesWithOwn(it.token, "open")).toEqual({ ok: true });
    expect((await one.sees(it.token)).mine?.scores).toEqual([3, 3, 3, 3, 3]);
  }
  await counts("ratings", 30);
});

test("who has heard theirs is told so after the last of them, and while nothing else is left", async () => {
  const it = await round();
  const { name } = await it.now();
  it.at(baseTime + hourMs);
  expect(await it.listens(it.host)).toBe(5);
  const done = { name, heard: 5, due: 5, until: expect.stringContaining("all of yours") };
  expect(await it.host.carousel()).toMatchObject({ view: { state: "empty", round: done } });
  const { songId } = (await rows("ratings"))[4] ?? {};
  const other = await song();
  const afterLast = await it.host.carousel({ ratedSongId: songId ?? "" });
  expect(afterLast).toMatchObject({ view: { state: "songs", round: done } });
  it.at(baseTime + 2 * hourMs);
  expect(await it.host.carousel()).toMatchObject({
    view: { round: null, songs: [{ songId: other.id }] },
  });
  for (const one of it.members.slice(1)) await it.listens(one);
  expect(await it.host.carousel()).toMatchObject({ openRound: { token: it.token } });
});

test("its ratings earn no credit, move nothing of the exchange, and owe no mail", async () => {
  const it = await round();
  it.at(baseTime + hourMs);
  for (const one of it.members) await it.listens(one);
  for (const one of it.members) {
    expect(await one.now()).toMatchObject({ credits: 0, ratedCount: 0 });
    expect(await row("songs", { id: one.song.id })).toMatchObject({
      ...{ entitled: 0, received: 0, owed: 0, newsSince: null },
    });
  }
  await counts("outbox", 0);
  expect(await (await someone()).pooled()).toEqual([]);
});

test("of eight, each hears six, those with the fewest ratings first", async () => {
  const it = await round({ members: 8 });
  it.at(baseTime + hourMs);
  for (const one of it.members) expect(await it.listens(one)).toBe(6);
  const given = await rows("ratings");
  for (const { song } of it.members) {
    expect(given.filter(({ songId }) => songId === song.id).length).toBeGreaterThanOrEqual(5);
  }
});

test("where two of eight never listen, the six who do can still give each other five", async () => {
  const it = await round({ members: 8 });
  it.at(baseTime + hourMs);
  const six = it.members.slice(2);
  for (const one of six) await it.listens(one);
  for (const one of six) {
    for (const next of await one.offered()) await one.gives(it.songOf(next));
  }
  const given = await rows("ratings");
  for (const { song } of six) {
    expect(given.filter(({ songId }) => songId === song.id).length).toBeGreaterThanOrEqual(5);
  }
});

test("it begins at its time with six, ends with fewer, and begins before that when its host says so", async () => {
  const late = await round({ seats: 8 });
  await late.runs(baseTime + hourMs - 1);
  expect(await late.now()).toMatchObject({ begunAt: null, endedAt: null });
  await late.runs(baseTime + hourMs);
  expect(await late.now()).toMatchObject({ begunAt: baseTime + hourMs });
  const few = await round({ members: 5, seats: 6 });
  expect(await few.host.hostsIn(few.token, "begin")).toMatchObject({ status: 409 });
  await few.runs(baseTime + hourMs);
  expect(await few.now()).toMatchObject({ begunAt: null, endedAt: baseTime + hourMs });
  const early = await round({ members: 7, seats: 12 });
  expect(await early.members[1]?.hostsIn(early.token, "begin")).toMatchObject({ status: 404 });
  expect(await early.host.hostsIn(early.token, "begin")).toEqual({ ok: true });
  expect((await early.now()).begunAt).not.toBeNull();
});

test("a song is changed and taken back until it begins, and what nobody has rated of Spotify's then goes", async () => {
  const it = await round({ members: 5, seats: 6 });
  const [, one, two] = it.members;
  const other = await makeSong(one as never, { submittedAt: [] });
  expect(await one?.handsIn(it.token, other)).toEqual({ ok: true });
  expect(await two?.leavesRound(it.token)).toEqual({ ok: true });
  await counts("roundMembers", 4);
  const [six, seven] = [await guest(), await guest()];
  expect(await six.at(baseTime + 9).handsIn(it.token)).toEqual({ ok: true });
  expect(await seven.at(baseTime + 9).handsIn(it.token)).toEqual({ ok: true });
  expect(await one?.handsIn(it.token)).toMatchObject({ status: 409 });
  expect(await row("roundMembers", { userId: one?.id ?? "" })).toMatchObject({ songId: other.id });
  await counts("songs", 6);
});

test("the last seat goes to one of two", async () => {
  const it = await round({ members: 5, seats: 6 });
  const two = [await guest(), await guest()];
  for (const one of two) one.at(baseTime + minute);
  const answers = await Promise.all(two.map((one) => one.handsIn(it.token)));
  expect(answers.filter((answer) => "ok" in answer)).toHaveLength(1);
  expect(answers).toContainEqual(expect.objectContaining({ status: 409 }));
  await counts("roundMembers", 6);
});

test("a host begins while somebody leaves: either six are in, or it does not begin", async () => {
  const it = await round({ seats: 8 });
  const [, leaver] = it.members;
  const [began] = await Promise.all([
    it.host.hostsIn(it.token, "begin"),
    leaver?.leavesRound(it.token),
  ]);
  const { begunAt } = await it.now();
  const left = (await rows("roundMembers")).length;
  expect([began, begunAt === null, left]).toEqual(
    begunAt === null
      ? [expect.objectContaining({ status: 409 }), true, 5]
      : [{ ok: true }, false, 5],
  );
});

test("what waits in the exchange is not handed in, and what is in a round is not submitted, nor in another round", async () => {
  const it = await round({ members: 5, seats: 6 });
  const waiting = await song();
  const owner = await guest({ user: waiting.owner.user });
  expect(await owner.at(baseTime + 9).handsIn(it.token, waiting)).toMatchObject({
    error: expect.stringContaining("waits for ratings already"),
  });
  const [, member] = it.members;
  await change("users", { id: member?.id ?? "" }, { credits: 6, ratedCount: 6, ratedWithdrawn: 6 });
  expect(await member?.submits(member.song)).toMatchObject({
    error: expect.stringContaining("is in a round"),
  });
  const other = await round({ members: 1, seats: 6 });
  expect(await member?.handsIn(other.token)).toMatchObject({
    error: expect.stringContaining("in another round"),
  });
});

test("two do not hand in the same recording", async () => {
  const it = await round({ members: 2, seats: 6 });
  const twin = await guest();
  const same = { ...it.host.song, id: twin.song.id };
  expect(await twin.at(baseTime + 9).handsIn(it.token, same)).toMatchObject({
    error: expect.stringContaining("same recording"),
  });
  await counts("songs", 3);
});

test("nobody is in more than three rounds, and hosts more than one, or with Premium three", async () => {
  const member = await guest();
  const songs = [member.song];
  while (songs.length < 4) songs.push(await makeSong(member, { submittedAt: [] }));
  member.at(baseTime + 9);
  const answers = [];
  for (const own of songs) {
    const it = await round({ members: 1, seats: 6, host: { tier: "premium" } });
    answers.push(await member.handsIn(it.token, own));
  }
  expect(answers).toEqual([
    { ok: true },
    { ok: true },
    { ok: true },
    expect.objectContaining({ error: expect.stringContaining("three rounds") }),
  ]);
});

test("with its time over it opens for who has listened; who is late opens theirs once they have", async () => {
  const it = await round();
  it.at(baseTime + hourMs);
  const [late, ...punctual] = it.members;
  for (const one of punctual) await it.listens(one);
  await it.runs(it.over);
  it.at(it.over + minute);
  for (const one of punctual) expect(await one.doesWithOwn(it.token, "open")).toEqual({ ok: true });
  expect(await late?.doesWithOwn(it.token, "open")).toMatchObject({ status: 409 });
  expect(await late?.sees(it.token)).toMatchObject({ mine: { scores: null }, others: [] });
  const before = await punctual[0]?.sees(it.token);
  expect(await it.listens(late as never, 1)).toBe(5);
  expect(await late?.doesWithOwn(it.token, "open")).toEqual({ ok: true });
  // What came late would tell whose it is, and is not shown.
  expect((await punctual[0]?.sees(it.token))?.mine).toEqual(before?.mine);
});

test("who leaves is owed nothing and owes nothing, and the others' round goes on", async () => {
  const it = await round({ members: 7, seats: 8 });
  await it.host.hostsIn(it.token, "begin");
  it.at(baseTime + hourMs);
  const [, leaver, ...others] = it.members;
  await it.listens(leaver as never, 3, 2);
  await leaver?.leaves();
  for (const one of [it.host, ...others]) expect(await it.listens(one)).toBeGreaterThanOrEqual(4);
  expect((await it.now()).openedAt).not.toBeNull();
  expect(await it.host.sees(it.token)).toMatchObject({ taken: 6, listened: 6 });
  await it.host.leaves();
  expect(await it.now()).toMatchObject({ hostId: null });
  expect(await others[0]?.sees(it.token)).toMatchObject({ host: null, isHost: false });
});

test("a host reminds once, and ends the round once five have listened", async () => {
  const it = await round();
  it.at(baseTime + hourMs);
  const five = it.members.slice(0, 5);
  await it.listens(it.host);
  for (let press = 0; press < 2; press += 1) {
    expect(await it.host.hostsIn(it.token, "remind")).toEqual({ ok: true });
  }
  expect(await it.host.hostsIn(it.token, "end")).toMatchObject({ status: 409 });
  for (const one of five) await it.listens(one);
  expect(await it.host.hostsIn(it.token, "end")).toEqual({ ok: true });
  expect(await it.host.sees(it.token)).toMatchObject({ state: "open", listened: 5 });
});

test("what was heard for a round is no way to rate it in the exchange", async () => {
  const it = await round({ members: 7, seats: 8 });
  await it.host.hostsIn(it.token, "begin");
  it.at(baseTime + hourMs);
  const [host, leaver, owner] = it.members as [Guest, Guest, Guest];
  const heard = async (one: Guest, { song }: Guest) => {
    const startedAt = baseTime + hourMs - 60_000;
    await makeListen(one, song, {
      startedAt,
      finishedAt: startedAt + 56_000,
      closedAt: startedAt + 57_000,
    });
  };
  await heard(leaver, host);
  await heard(host, owner);
  expect(await leaver.leavesRound(it.token)).toEqual({ ok: true });
  expect(await leaver.rates(host.song)).toMatchObject({ status: 409 });
  expect(await owner.leavesRound(it.token)).toEqual({ ok: true });
  // The song has gone with its owner.
  expect(await host.rates(owner.song)).toMatchObject({ status: 404 });
  await counts("users", 0, { credits: 1 });
});

test("what was heard beyond one's own six is not rated once the round is over", async () => {
  const it = await round({ members: 8 });
  it.at(baseTime + hourMs);
  const [done] = it.members as [Guest];
  expect(await it.listens(done)).toBe(6);
  const rated = (await rows("ratings")).map(({ songId }) => songId);
  const left = it.members.find((one) => one !== done && !rated.includes(one.song.id)) as Guest;
  const startedAt = baseTime + hourMs;
  const times = { startedAt, finishedAt: startedAt + 56_000, closedAt: startedAt + 57_000 };
  await makeListen(done, left.song, times);
  await it.runs(it.over + hourMs);
  done.at(it.over + 2 * hourMs);
  expect(await done.rates(left.song)).toMatchObject({ error: listenErrors.roundOver });
  await counts("users", 0, { credits: 1 });
});

test("a song that a round's late member is drawn in the exchange is rated there", async () => {
  const it = await round();
  it.at(baseTime + hourMs);
  const [late, ...five] = it.members as [Guest, Guest, Guest];
  for (const one of five) await it.listens(one);
  await it.runs(it.over);
  it.at(it.over + minute);
  const [one] = five;
  expect(await late.offered()).toContain(one.song.id);
  expect(await one.asksExchange(it.token)).toEqual({ ok: true });
  expect(await late.offered()).not.toContain(one.song.id);
  expect(await late.gives(one.song)).toEqual({ ok: true });
  expect(await row("songs", { id: one.song.id })).toMatchObject({ received: 5, owed: 0 });
  expect(await late.now()).toMatchObject({ credits: 1 });
});

test("who has rated too little in a round is given nothing by the exchange", async () => {
  const it = await round();
  it.at(baseTime + hourMs);
  const [host, ...others] = it.members as [Guest, ...Guest[]];
  for (const one of others) await one.leavesRound(it.token);
  await it.runs(baseTime + 2 * hourMs);
  expect(await host.asksExchange(it.token)).toMatchObject({ status: 409 });
});

test("who is late may leave, and is then offered the exchange's songs again", async () => {
  const it = await round();
  const other = await song();
  it.at(baseTime + hourMs);
  const [late, ...five] = it.members as [Guest, ...Guest[]];
  for (const one of five) await it.listens(one);
  await it.runs(it.over);
  late.at(it.over + minute);
  expect(await late.offered()).not.toContain(other.id);
  expect(await late.leavesRound(it.token)).toEqual({ ok: true });
  expect(await late.offered()).toEqual([other.id]);
});

test("what others left out, the exchange gives to who has given theirs, once, and only that", async () => {
  const it = await round();
  it.at(baseTime + hourMs);
  const [idle, ...six] = it.members;
  for (const one of six) await it.listens(one);
  await it.runs(it.over);
  it.at(it.over + minute);
  const [one] = six;
  expect(await idle?.asksExchange(it.token)).toMatchObject({ status: 409 });
  for (let press = 0; press < 2; press += 1) {
    expect(await one?.asksExchange(it.token)).toEqual({ ok: true });
  }
  expect(await row("songs", { id: one?.song.id ?? "" })).toMatchObject({
    ...{ entitled: 5, received: 4, owed: 1 },
  });
  const stranger = await someone();
  expect(await stranger.pooled()).toEqual(idsOf([one?.song as never]));
  await makeRating(stranger, one?.song as never, { at: it.over + 2 * minute });
  expect(await row("submissions")).toMatchObject({
    number: 1,
    spent: 0,
    completedAt: expect.any(Number),
  });
});

test("who passes on a song has given theirs without it", async () => {
  const it = await round();
  it.at(baseTime + hourMs);
  const [first] = await it.host.offered();
  expect(await it.host.passes({ id: first ?? "" })).toEqual({ ok: true });
  expect(await it.listens(it.host)).toBe(4);
  expect(await it.host.sees(it.token)).toMatchObject({ listened: 1 });
});

test("three mails, each once: it begins, it ends within a day, it is open", async () => {
  const it = await round({ days: 2 });
  expect(await it.runs(baseTime + 10 * minute)).toEqual({ count: 6 });
  expect(await it.runs(baseTime + 20 * minute)).toEqual({ count: 0 });
  it.at(baseTime + hourMs);
  await it.listens(it.host);
  expect(await it.runs(baseTime + dayMs + minute)).toEqual({ count: 5 });
  expect(await it.runs(baseTime + dayMs + 2 * minute)).toEqual({ count: 0 });
  await it.host.at(baseTime + dayMs + 2 * minute).hostsIn(it.token, "remind");
  expect(await it.runs(baseTime + dayMs + 3 * minute)).toEqual({ count: 5 });
  expect(await it.runs(it.over)).toEqual({ count: 6 });
  expect(await it.runs(it.over + minute)).toEqual({ count: 0 });
  const kinds = (await rows("outbox")).map(({ kind }) => kind);
  expect(new Set(kinds)).toEqual(new Set(["round_begins", "round_ends", "round_open"]));
});

test("in a round all may be in one place", async () => {
  const place = { mark: "one", mostRatings: 2 };
  const it = await round();
  it.at(baseTime + hourMs);
  const [, ...others] = it.members;
  for (const one of others) {
    const there = await guest({ user: one.user, place });
    there.at(baseTime + hourMs);
    expect(await there.gives(it.host.song)).toEqual({ ok: true });
  }
  await counts("ratings", 5);
});

test("a recording's file stays while its round goes on, and goes ninety days after the last one", async () => {
  const it = await round({ members: 1, seats: 6 });
  const { recording } = await makeOwnSong(it.host, { submittedAt: [] });
  const asked = { recordingId: recording.id, songId: null };
  const { services } = it.host;
  expect(await handIn(services(), await it.host.viewer(), { token: it.token, asked })).toEqual({
    ok: true,
  });
  const isKept = async (at: number) => {
    // Each run looks at one part of them.
    for (let part = 0; part < 144; part += 1) {
      await lookAfterFiles({ ...services(), now: () => at + part * 10 * minute });
    }
    return (await row("recordings", { id: recording.id })).fileEndedAt === null;
  };
  expect(await isKept(baseTime + 91 * dayMs)).toBe(true);
  await it.runs(baseTime + 92 * dayMs);
  expect(await isKept(baseTime + 181 * dayMs)).toBe(true);
  expect(await isKept(baseTime + 183 * dayMs)).toBe(false);
});

test("who is locked hands in nothing and opens no round, and nothing is changed", async () => {
  const it = await round({ members: 1, seats: 6 });
  const locked = await guest();
  await insert("submission_locks", {
    ...{ id: "lock", user_id: locked.id, reason: "It is not music.", locked_at: baseTime },
  }).run();
  expect(await locked.at(baseTime + 9).handsIn(it.token)).toMatchObject({
    error: expect.stringContaining("cannot submit songs"),
  });
  const until = baseTime + 2 * hourMs;
  const asked = { key: crypto.randomUUID(), name: "Mine", seats: 6, days: 1, until };
  expect(await openRound(locked.services(), await locked.viewer(), false, asked)).toMatchObject({
    error: expect.stringContaining("cannot submit songs"),
  });
  await counts("rounds", 1);
  await counts("roundMembers", 1);
});

test.each([
  ["nothing", "  "],
  ["500 letters", "x".repeat(500)],
  ["a link", "Come to https://mallory.example"],
  ["a bare address", "mallory.example"],
])("a round is not called %s", async (_what, name) => {
  const who = await guest();
  const until = baseTime + 2 * hourMs;
  const asked = { key: crypto.randomUUID(), name, seats: 6, days: 1, until };
  who.at(baseTime);
  expect(await openRound(who.services(), await who.viewer(), false, asked)).toMatchObject({
    status: 422,
  });
  await counts("rounds", 0);
});

test.each([
  ["before now", -hourMs],
  ["in half an hour", hourMs / 2],
  ["in eight days", 8 * dayMs],
])("songs do not come in until a time %s", async (_when, after) => {
  const who = await guest();
  const asked = { key: crypto.randomUUID(), name: "Mine", seats: 6, days: 1 };
  who.at(baseTime);
  const given = { ...asked, until: baseTime + after };
  expect(await openRound(who.services(), await who.viewer(), false, given)).toMatchObject({
    status: 422,
  });
  await counts("rounds", 0);
});
