/** What holds after each step of any history of a round (rule 47, rounds), whoever does what and in which order. */
import { expect, test } from "vitest";
import { dayMs, hourMs } from "~/platform/dates";
import { randomFrom } from "../../sandbox/catalogue.ts";
import { baseTime } from "../../support/database/factories";
import { row, rows } from "../../support/database/rows";
import { type Guest, guest, round } from "../../support/people/rounds";

type Round = Awaited<ReturnType<typeof round>>;

const histories = 12;
const steps = 90;

test.each(Array.from({ length: histories }, (_, n) => n))("history %d", async (n) => {
  const random = randomFrom(`round ${n}`);
  const among = <One>(all: One[]) => all[Math.floor(random() * all.length)] as One;
  const it = await round({ members: 1, seats: n % 2 === 0 ? 6 : 8 });
  const people: Guest[] = [it.host];
  while (people.length < 9) people.push(await guest());
  const gone = new Set<Guest>();
  const scores = [1, 2, 3, 4] as const;
  let time = baseTime + 10;

  /** The next song that somebody is offered. */
  async function next(one: Guest) {
    const [song] = (await one.carousel()).view.songs;
    const owner = people.find((other) => other.song.id === song?.songId);
    return owner?.song;
  }
  const gathering: ((one: Guest) => Promise<unknown>)[] = [
    ...Array.from({ length: 10 }, () => (one: Guest) => one.handsIn(it.token)),
    (one) => one.takesSeat(it.token),
    (one) => one.leavesRound(it.token),
    () => it.host.hostsIn(it.token, "begin"),
    () => it.runs(time),
  ];
  const listening: ((one: Guest) => Promise<unknown>)[] = [
    ...Array.from({ length: 24 }, () => async (one: Guest) => {
      const song = await next(one);
      return song && one.gives(song, among([...scores]));
    }),
    async (one) => {
      const song = await next(one);
      return song && one.passes(song);
    },
    (one) => one.doesWithOwn(it.token, among(["open", "show", "hide"])),
    (one) => one.doesWithOwn(it.token, "open"),
    (one) => one.asksExchange(it.token),
    () => it.host.hostsIn(it.token, random() < 0.2 ? "end" : "remind"),
    async () => {
      time += 2 * hourMs;
      return it.runs(time);
    },
    async (one) => {
      if (random() > 0.3 || one === it.host) return;
      if (random() < 0.5) return one.leavesRound(it.token);
      gone.add(one);
      return one.leaves();
    },
  ];
  for (let step = 0; step < steps; step += 1) {
    time += 1000;
    const one = among(people.filter((each) => !gone.has(each)));
    for (const each of people) each.at(time);
    await among(step < 25 ? gathering : listening)(one);
    await holds(
      it,
      people.filter((each) => !gone.has(each)),
    );
  }
  time += 8 * dayMs;
  await it.runs(time);
  await isFair(
    it,
    people.filter((each) => !gone.has(each)),
    time,
  );
});

/** Nobody sees a mark before it is theirs to see, and nothing is counted, owed or in a line for a song of the round. */
async function holds(it: Round, people: Guest[]): Promise<void> {
  const { openedAt, begunAt, seats } = await it.now();
  const members = await rows("roundMembers");
  const seated = members.filter(({ songId }) => songId !== null);
  expect(seated.length).toBeLessThanOrEqual(seats);
  for (const one of people) {
    const { mine, others, names } = await one.sees(it.token);
    const own = members.find(({ userId }) => userId === one.id);
    const isOpen = openedAt !== null && own?.openedAt != null;
    expect(mine?.scores != null).toBe(isOpen && own?.songId != null);
    if (!isOpen) expect(others).toEqual([]);
    if (!own && one !== it.host) expect(names).toEqual([]);
    const shown = seated.filter(({ userId, shownAt }) => userId !== one.id && shownAt !== null);
    if (isOpen) expect(others.filter(({ scores }) => scores !== null)).toHaveLength(shown.length);
  }
  if (begunAt === null) expect(await rows("ratings")).toEqual([]);
}

/** Where six have listened, each of them has five, or the exchange gives what is missing; and mails come once. */
async function isFair(it: Round, people: Guest[], time: number): Promise<void> {
  const { openedAt, endedAt } = await it.now();
  expect(openedAt ?? endedAt).not.toBeNull();
  const members = await rows("roundMembers");
  const listeners = members.filter(({ listenedAt }) => listenedAt !== null);
  for (const { userId, songId, listenedAt } of listeners) {
    const one = people.find(({ id }) => id === userId);
    const given = (await rows("ratings", { songId: songId ?? "" })).filter(
      ({ createdAt, roundId }) => roundId !== null && createdAt <= (openedAt ?? 0),
    );
    if (!one || openedAt === null || listenedAt === null) continue;
    const theirs = await rows("ratings", { raterId: userId });
    const inTime = theirs.filter(({ roundId }) => roundId !== null);
    // Who has given less than misses gets nothing for it.
    if (inTime.length < 5 - given.length) continue;
    await one.at(time).asksExchange(it.token);
    const { owed, received } = await row("songs", { id: songId ?? "" });
    expect(Math.max(given.length, received) + owed).toBeGreaterThanOrEqual(5);
  }
  const keys = (await rows("outbox")).map(({ dedupeKey }) => dedupeKey);
  expect(new Set(keys).size).toBe(keys.length);
}
