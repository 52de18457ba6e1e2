/** "Songs I rated". */
import { expect, test } from "vitest";
import * as rated from "~/routes/rated/route";
import { trackOf } from "../../support/catalogue";
import { skipWaits } from "../../support/clock";
import { baseTime, makeRating, makeUser } from "../../support/database/factories";
import { putInRotation, rateSongs } from "../../support/database/rotation";
import { hides, shows } from "../../support/expectations";
import { measure } from "../../support/measure";
import { type Someone, someone, song } from "../../support/people";
import { control, sandboxRequests } from "../../support/sandbox";

const musician = "ottoline-farthingale";

/** A page of the list as the loader gives it, and the rows that it read. */
async function read(user: Someone, query = "") {
  const asked = { path: `/rated${query}`, cookie: await user.login() };
  const { answer, rowsRead } = await measure(rated.loader, asked);
  const { songs, next } = answer as { songs: { songId: string }[]; next: string | null };
  return { ids: songs.map(({ songId }) => songId), next, rowsRead: rowsRead() };
}

/** A song of somebody else that a user has rated. */
async function rateOne(user: Someone, at = baseTime, options: Parameters<typeof song>[0] = {}) {
  const it = await song(options);
  await makeRating(user, it, { at });
  return it;
}

async function pageOf(user: Someone, query = ""): Promise<string> {
  return (await user.reads(`/rated${query}`)).replace(/<\/?span>/g, "");
}

test("of the songs that one has rated the newest come first, twenty a page, each once, though many have the same time", async () => {
  const user = await someone();
  const times = Array.from({ length: 41 }, (_, n) => baseTime + Math.floor(n / 15) * 1000);
  const timeOf = new Map<string, number>();
  for (const at of times) timeOf.set((await rateOne(user, at)).id, at);
  const first = await read(user);
  // A song rated meanwhile moves none to another page.
  await rateOne(user, baseTime + 5000);
  const second = await read(user, `?after=${first.next}`);
  const third = await read(user, `?after=${second.next}`);
  expect([first.ids.length, second.ids.length, third.ids.length]).toEqual([20, 20, 1]);
  const shown = [...first.ids, ...second.ids, ...third.ids];
  expect(new Set(shown)).toEqual(new Set(timeOf.keys()));
  expect(shown.map((id) => timeOf.get(id))).toEqual(times.toReversed());
  expect(third.next).toBeNull();
  const page = await pageOf(user, `?after=${first.next}`);
  shows(page, `href="/rated?after=${encodeURIComponent(second.next ?? "")}"`, "Back to the newest");
});

test("each song that one has rated has its rating, and the ways to Spotify, the favorites and a playlist", async () => {
  const user = await someone();
  const { id, spotifyUrl } = await rateOne(user, Date.UTC(2026, 1, 3));
  const page = await pageOf(user);
  shows(
    page,
    `href="${spotifyUrl}"`,
    `action="/songs/${id}/favorite"`,
    `href="/songs/${id}/playlist"`,
    /Great Song<\/b><time[^>]*>3 February 2026</,
  );
  hides(page, /Show older|Back to the newest/);
});

test("only one's own ratings are there, and a song is gone with its owner", async () => {
  const user = await someone();
  const kept = await rateOne(user);
  const gone = await rateOne(user, baseTime + 60_000);
  await rateOne(await someone());
  await makeRating(await makeUser(), await song({ owner: user }));
  expect((await read(user)).ids).toEqual([gone.id, kept.id]);
  await gone.owner.leaves();
  expect((await read(user)).ids).toEqual([kept.id]);
});

test("who has rated nothing reads so, and where to begin", async () => {
  const page = await pageOf(await someone());
  shows(
    page,
    "No songs yet. Every song you rate is listed here.",
    /<a[^>]* href="\/">Play and rate songs<\/a>/,
  );
});

test("the list of rated songs reads as many rows for 1,000 ratings as for 40", async () => {
  const user = await someone();
  await putInRotation(1, 1000);
  await rateSongs(user, 1, 40);
  const few = (await read(user)).rowsRead;
  await rateSongs(user, 41, 1000);
  expect((await read(user)).rowsRead).toBe(few);
  expect(few).toBeLessThan(200);
});

/** Somebody who has rated a song of the catalogue, and has others to rate now. */
async function ready() {
  skipWaits();
  await control("reset", { musician });
  const offered = [await song(trackOf("eino-kallas", 3))];
  const user = await someone({ musician, offered });
  return { user, it: await rateOne(user, baseTime, trackOf("eino-kallas", 4)) };
}

test("a song that was rated long ago can be added to the favorites, and taken back", async () => {
  const { user, it } = await ready();
  const saved = async () => (await user.gets(`/favorites?songs=none,${it.id}`)).json();
  const told = [await saved()];
  for (const change of ["favorite", "unfavorite"]) {
    const answer = await user.sends(`/songs/${it.id}/${change}`);
    expect([answer.status, await answer.json()]).toEqual([200, { ok: true }]);
    told.push(await saved());
  }
  expect(told).toEqual([{ saved: [] }, { saved: [it.id] }, { saved: [] }]);
});

test("a plain form leads back to the list, where the song then says what Spotify says", async () => {
  const { user, it } = await ready();
  const next = `/rated?after=zzzzzzzz.x#song-${it.id}`;
  const shown: string[] = [];
  for (const change of ["favorite", "unfavorite"]) {
    const { headers } = await user.posts(`/songs/${it.id}/${change}`, { next });
    const where = headers.get("Location") ?? "";
    expect(where).toBe(`/rated?after=zzzzzzzz.x&favorite=${it.id}#song-${it.id}`);
    shown.push(/In my favorites|Add to my favorites/.exec(await user.reads(where))?.[0] ?? "");
  }
  expect(shown).toEqual(["In my favorites", "Add to my favorites"]);
  // By itself the page asks Spotify nothing, and the address alone says nothing.
  const asked = (await sandboxRequests(musician)).length;
  shows(await pageOf(user), "Add to my favorites");
  expect((await sandboxRequests(musician)).length).toBe(asked);
  shows(await pageOf(user, `?favorite=${it.id}`), "Add to my favorites");
});
