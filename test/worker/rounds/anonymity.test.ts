/** Nobody sees a mark of a round before it is theirs to see: what they read is the same whatever the marks are. */
import { expect, test } from "vitest";
import { hourMs } from "~/platform/dates";
import { operates } from "../../support/actions/world";
import { change, rows } from "../../support/database/rows";
import { hides, shows } from "../../support/expectations";
import { type Someone, someone } from "../../support/people";
import { type Guest, round } from "../../support/people/rounds";
import { dataOf } from "../../support/request";

type Round = Awaited<ReturnType<typeof round>>;

/** A round that began two hours ago, in which everybody has listened but some. */
async function listenedBy(count: number): Promise<Round> {
  const it = await round({ at: Date.now() - 2 * hourMs });
  it.at(Date.now() - hourMs);
  for (const one of it.members.slice(0, count)) await it.listens(one);
  return it;
}

/** All that somebody can read, without what is new with each answer. */
async function readAll(one: Someone, it: Round, songId: string): Promise<string[]> {
  const list = "/ratings-of-my-songs";
  const page = `/rounds/${it.token}`;
  const paths = ["/", "/rounds", page, list, `${list}/${songId}`, "/rated", "/account"];
  const texts = [];
  for (const path of paths) texts.push(await one.reads(path), await one.reads(dataOf(path)));
  for (const path of [`${list}/${songId}.csv`, "/numbers"]) texts.push(await one.reads(path));
  texts.push(await (await one.posts("/account/export")).text());
  return texts.map((text) =>
    text.replace(
      /[0-9a-f-]{32,36}|"now":\d+|"exportedAt": "[^"]*"|\d{13}|\d+ms|"(lastSeenAt|expiresAt|lastActiveAt|updatedAt)": "[^"]*"/g,
      "",
    ),
  );
}

/** Gives other marks where `which` says so, also in the log. */
async function exchangeMarks(
  which: (rating: { raterId: string | null; songId: string }) => boolean,
): Promise<void> {
  let changed = 0;
  for (const rating of await rows("ratings")) {
    if (!which(rating)) continue;
    const score = 1 + (rating.score % 4);
    await change("ratings", { id: rating.id }, { score, reasons: score });
    changed += 1;
  }
  expect(changed).toBeGreaterThan(0);
}

/** What somebody reads is the same with other marks by others. */
async function tellsNothing(
  one: Someone,
  it: Round,
  songId: string,
  which: (rating: { raterId: string | null; songId: string }) => boolean = () => true,
): Promise<void> {
  // The first look has seen the news, and drawn songs.
  await readAll(one, it, songId);
  const before = await readAll(one, it, songId);
  await exchangeMarks((rating) => rating.raterId !== one.id && which(rating));
  expect(await readAll(one, it, songId)).toEqual(before);
}

test("before it is open its host, a member, a stranger and the operator read the same of other marks", async () => {
  const it = await listenedBy(5);
  const [host, member] = it.members as [Guest, Guest];
  await tellsNothing(host, it, host.song.id);
  await tellsNothing(member, it, member.song.id);
  await tellsNothing(await someone(), it, host.song.id);
  const operator = await someone();
  await operates(operator);
  const before = await operator.reads("/operator");
  await exchangeMarks(() => true);
  const same = (page: string) => page.replace(/\d{2}:\d{2}|[0-9a-f-]{36}|\d{13}/g, "");
  expect(same(await operator.reads("/operator"))).toBe(same(before));
});

test("once it is open, who has not listened or not opened theirs still reads the same", async () => {
  const it = await listenedBy(5);
  await it.runs(Date.now() + 24 * hourMs);
  const [host, , , , , late] = it.members as Guest[] as [Guest, Guest, Guest, Guest, Guest, Guest];
  await tellsNothing(host, it, host.song.id);
  await tellsNothing(late, it, late.song.id);
});

test("who has opened theirs reads their marks, and of the others' those that are shown alone", async () => {
  const it = await listenedBy(6);
  const [host, shown, kept] = it.members as [Guest, Guest, Guest];
  for (const one of it.members) await one.doesWithOwn(it.token, "open");
  await shown.doesWithOwn(it.token, "show");
  const open = [host.song.id, shown.song.id];
  await tellsNothing(host, it, host.song.id, ({ songId }) => !open.includes(songId));
  const page = await host.reads(`/rounds/${it.token}`);
  const list = await host.reads("/ratings-of-my-songs");
  shows(list, "Handed in to a round", "Only in rounds", "What its rounds have said");
  hides(list, "Nobody yet", "received 0 ratings");
  const ofSong = await host.reads(`/ratings-of-my-songs/${host.song.id}`);
  shows(ofSong, "Only in rounds.", "5 of 5 liked it.");
  hides(ofSong, "Nobody has rated it yet");
  shows(page, "5 of 5 liked it.", "One has laid theirs open; four keep them.");
  await shown.doesWithOwn(it.token, "hide");
  shows(await host.reads(`/rounds/${it.token}`), "Nobody else has laid theirs open yet.");
  hides(await kept.reads(`/ratings-of-my-songs/${host.song.id}`), host.song.title);
});

test("an invitation names its host and no member, and a page names members without their songs", async () => {
  const it = await round({ members: 4, seats: 6, at: Date.now() });
  const [host, , other] = it.members as [Guest, Guest, Guest];
  const stranger = await someone();
  const invitation = await stranger.reads(`/rounds/${it.token}`);
  shows(invitation, host.displayName, "Four of six are in.");
  for (const { displayName, song } of it.members.slice(1))
    hides(invitation, displayName, song.title);
  const page = await host.reads(`/rounds/${it.token}`);
  shows(page, other.displayName, host.song.title);
  for (const { song } of it.members.slice(1)) hides(page, song.title);
});
