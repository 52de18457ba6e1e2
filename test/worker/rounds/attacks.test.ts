/** What an attacker tried of rounds, and what holds (rule 47, rounds). */
import { expect, test } from "vitest";
import { dayMs, hourMs } from "~/platform/dates";
import { baseTime, makeListen } from "../../support/database/factories";
import { row, rows } from "../../support/database/rows";
import { someone, song } from "../../support/people";
import { type Guest, guest, round } from "../../support/people/rounds";

const minute = 60_000;
const begun = baseTime + hourMs;

/** A round whose time is over, of whose members so many have given theirs. */
async function over(listeners: number, options: Parameters<typeof round>[0] = {}) {
  const it = await round(options);
  it.at(begun);
  for (const one of it.members.slice(0, listeners)) await it.listens(one, 3);
  await it.runs(it.over);
  it.at(it.over + minute);
  return it;
}

async function hears(one: Guest, { song: heard }: Guest, startedAt = begun) {
  const finishedAt = startedAt + 56_000;
  await makeListen(one, heard, { startedAt, finishedAt, closedAt: finishedAt });
}

test("others' songs tell neither by number nor by order who has listened", async () => {
  const it = await over(3);
  const [spy] = it.members as [Guest];
  await spy.doesWithOwn(it.token, "open");
  const { others, names } = await spy.sees(it.token);
  expect(new Set(others.map(({ received }) => received))).toEqual(new Set([5]));
  expect(names).toEqual(names.toSorted());
});

test("the order of songs in the carousel does not tell who has listened", async () => {
  const it = await round();
  it.at(begun);
  const [spy, , , other] = it.members as [Guest, Guest, Guest, Guest];
  const before = await spy.offered();
  await it.listens(other);
  expect(await spy.offered()).toEqual(before);
});

test("who only has the link reads neither how many have listened nor whether the host reminds", async () => {
  const it = await round();
  it.at(begun);
  await it.listens(it.host);
  await it.host.hostsIn(it.token, "remind");
  const stranger = await guest();
  expect(await stranger.sees(it.token)).toMatchObject({
    listened: 0,
    isReminded: false,
    names: [],
  });
});

test("what was heard for a round is not rated in the exchange once that is asked", async () => {
  const it = await round();
  it.at(begun);
  const [owner, ...others] = it.members as [Guest, ...Guest[]];
  await it.listens(owner);
  for (const one of others) await hears(one, owner);
  await it.runs(it.over);
  it.at(it.over + minute);
  expect(await owner.asksExchange(it.token)).toEqual({ ok: true });
  for (const one of others) expect(await one.rates(owner.song)).toMatchObject({ status: 409 });
  expect(await others[0]?.now()).toMatchObject({ credits: 0 });
});

test("leaving while a song of the round starts leaves no listen that the exchange would count", async () => {
  const it = await round();
  it.at(begun);
  const [owner, leaver] = it.members as [Guest, Guest];
  await leaver.starts(owner.song, async () => {
    await leaver.leavesRound(it.token);
  });
  leaver.waits(2 * minute);
  expect(await leaver.rates(owner.song, 1)).toMatchObject({ status: 409 });
  expect(await rows("ratings")).toEqual([]);
  expect(await leaver.now()).toMatchObject({ credits: 0 });
});

test("the exchange is asked by one round a week, so that rounds of one's own give no ratings for nothing", async () => {
  const first = await over(1);
  const [owner] = first.members as [Guest];
  expect(await owner.asksExchange(first.token)).toEqual({ ok: true });
  const other = await song({ owner: owner.user, submittedAt: [] });
  const second = await round({ members: 5, seats: 6, at: first.over + hourMs });
  owner.at(first.over + hourMs + minute);
  expect(await owner.handsIn(second.token, other as never)).toEqual({ ok: true });
  second.at(first.over + 2 * hourMs);
  owner.at(first.over + 2 * hourMs);
  for (const { song: heard } of second.members) await owner.gives(heard);
  const end = first.over + 2 * hourMs + 2 * dayMs;
  await second.runs(end);
  owner.at(end + minute);
  expect(await owner.asksExchange(second.token)).toMatchObject({
    status: 409,
    error: expect.stringContaining("this week"),
  });
});

test("in a small circle, what the exchange is asked for is sealed as any submission", async () => {
  const it = await over(1, { host: { sealedBelow: 50 } });
  expect(await it.host.asksExchange(it.token)).toEqual({ ok: true });
  expect(await row("submissions")).toMatchObject({ sealed: true });
});

test("songs that are handed in and replaced make nobody's pool smaller", async () => {
  await song({ artistIds: ["artist"] });
  const it = await round({ members: 1, seats: 6 });
  const one = await guest();
  one.at(baseTime + minute);
  const before = await one.pooled();
  const track = {
    ...one.song,
    trackId: "other".padEnd(22, "0"),
    isrc: null,
    artistIds: ["artist"],
  };
  expect(await one.handsIn(it.token, track as never)).toEqual({ ok: true });
  await one.leavesRound(it.token);
  expect(before).toHaveLength(1);
  expect(await one.pooled()).toEqual(before);
});

test("a host ends a round of twelve only when all but one have listened, or nobody has rated", async () => {
  const it = await round({ members: 12 });
  it.at(begun);
  expect(await it.host.sees(it.token)).toMatchObject({ mayEnd: true });
  const eleven = it.members.slice(0, 11);
  for (const one of eleven.slice(0, 10)) await it.listens(one);
  expect(await it.host.sees(it.token)).toMatchObject({ mayEnd: false });
  expect(await it.host.hostsIn(it.token, "end")).toMatchObject({ status: 409 });
  await it.listens(eleven[10] as Guest);
  expect(await it.host.hostsIn(it.token, "end")).toEqual({ ok: true });
});

test("a time between two milliseconds is refused", async () => {
  const one = await someone();
  const until = String(Date.now() + 2 * hourMs + 0.5);
  const form = { key: crypto.randomUUID(), name: "Round", seats: "6", days: "1", until };
  expect((await one.sends("/rounds/open", form)).status).toBe(422);
});
