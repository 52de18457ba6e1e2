/** "Songs I rated". */
import { expect, test } from "vitest";
import * as rated from "~/routes/rated/route";
import { trackOf } from "../../support/catalogue";
import { skipWaits } from "../../support/clock";
import {
  baseTime,
  makePackage,
  makeRating,
  makeSong,
  makeUser,
  type TestSong,
  type TestUser,
} from "../../support/database/factories";
import { putInRotation, rateSongs } from "../../support/database/rotation";
import { makeMember, makeSession } from "../../support/login";
import { measure } from "../../support/measure";
import { request } from "../../support/request";
import { control, sandboxRequests } from "../../support/sandbox";

const musician = "ottoline-farthingale";

/** A page of the list as the loader gives it, and the rows that it read. */
async function read(cookie: string, query = "") {
  const { answer, rowsRead } = await measure(rated.loader, { path: `/rated${query}`, cookie });
  const { songs, next } = answer as {
    songs: { songId: string; score: number }[];
    next: string | null;
  };
  return { ids: songs.map(({ songId }) => songId), songs, next, rowsRead: rowsRead() };
}

/** Songs of others that a user has rated at these times. @returns them in that order. */
async function rateAt(user: TestUser, times: number[]): Promise<TestSong[]> {
  const songs: TestSong[] = [];
  for (const at of times) {
    const song = await makeSong(await makeUser());
    await makeRating(user, song, { at });
    songs.push(song);
  }
  return songs;
}

async function pageOf(cookie: string, query = ""): Promise<string> {
  return (await (await request(`/rated${query}`, { cookie })).text()).replace(
    /<!-- -->|<\/?span>/g,
    "",
  );
}

test("the newest come first, twenty a page, each once, though many have the same time", async () => {
  const user = await makeUser();
  const times = Array.from({ length: 41 }, (_, n) => baseTime + Math.floor(n / 15) * 1000);
  const songs = await rateAt(user, times);
  const { cookie } = await makeSession(user);
  const first = await read(cookie);
  // A song rated meanwhile moves none to another page.
  await rateAt(user, [baseTime + 5000]);
  const second = await read(cookie, `?after=${first.next}`);
  const third = await read(cookie, `?after=${second.next}`);
  expect([first.ids.length, second.ids.length, third.ids.length]).toEqual([20, 20, 1]);
  const shown = [...first.ids, ...second.ids, ...third.ids];
  expect(new Set(shown)).toEqual(new Set(songs.map(({ id }) => id)));
  const timeOf = new Map(songs.map(({ id }, place) => [id, times[place]]));
  expect(shown.map((id) => timeOf.get(id))).toEqual(times.toReversed());
  expect(third.next).toBeNull();
  const page = await pageOf(cookie, `?after=${first.next}`);
  expect(page).toContain(`href="/rated?after=${encodeURIComponent(second.next ?? "")}"`);
  expect(page).toContain("Back to the newest");
});

test("each song has its rating, and the ways to Spotify, the favorites and a playlist", async () => {
  const user = await makeUser();
  const [song] = (await rateAt(user, [Date.UTC(2026, 1, 3)])) as [TestSong];
  const { cookie } = await makeSession(user);
  const page = await pageOf(cookie);
  expect(page).toContain(`href="${song.spotifyUrl}"`);
  expect(page).toMatch(/Great Song<\/b><time[^>]*>3 Feb 2026</);
  expect(page).toContain(`action="/songs/${song.id}/favorite"`);
  expect(page).toContain(`href="/songs/${song.id}/playlist"`);
  expect(page).not.toMatch(/Show older|Back to the newest/);
});

test("only one's own ratings are there, and a song is gone with its owner", async () => {
  const [user, owner] = [await makeUser(), await makeUser()];
  const [kept] = await rateAt(user, [baseTime]);
  const gone = await makeSong(owner);
  await makeRating(user, gone);
  await rateAt(await makeUser(), [baseTime]);
  await makeRating(await makeUser(), await makeSong(user));
  const { cookie } = await makeSession(user);
  expect((await read(cookie)).ids).toEqual([gone.id, kept?.id]);
  const leaving = await makeSession(owner);
  const left = await request("/account/delete", { cookie: leaving.cookie, form: { sure: "on" } });
  expect(left.status).toBeLessThan(400);
  expect((await read(cookie)).ids).toEqual([kept?.id]);
});

test("who has rated nothing reads so, and where to begin", async () => {
  const { cookie } = await makeMember();
  const page = await pageOf(cookie);
  expect(page).toContain("No songs yet. Every song you rate is listed here.");
  expect(page).toMatch(/<a[^>]* href="\/">Play and rate songs<\/a>/);
});

test("it reads as many rows for 1,000 ratings as for 40", async () => {
  const user = await makeUser();
  const { cookie } = await makeSession(user);
  await putInRotation(1, 1000);
  await rateSongs(user, 1, 40);
  const few = (await read(cookie)).rowsRead;
  await rateSongs(user, 41, 1000);
  expect((await read(cookie)).rowsRead).toBe(few);
  expect(few).toBeLessThan(200);
});

/** Somebody who has rated a song of the catalogue, and has others to rate now. */
async function ready() {
  skipWaits();
  await control("reset", { musician });
  const user = await makeUser();
  const song = await makeSong(await makeUser(), trackOf("eino-kallas", 4));
  await makeRating(user, song);
  await makePackage(user, [await makeSong(await makeUser(), trackOf("eino-kallas", 3))]);
  const { cookie } = await makeSession(user, { musician });
  return { song, cookie };
}

test("a song that was rated long ago can be added to the favorites, and taken back", async () => {
  const { song, cookie } = await ready();
  const told = async () => (await request(`/favorites?songs=none,${song.id}`, { cookie })).json();
  const answers = [await told()];
  for (const change of ["favorite", "unfavorite"]) {
    const answer = await request(`/songs/${song.id}/${change}`, { cookie, json: {} });
    expect([answer.status, await answer.json()]).toEqual([200, { ok: true }]);
    answers.push(await told());
  }
  expect(answers).toEqual([{ saved: [] }, { saved: [song.id] }, { saved: [] }]);
});

test("a plain form leads back to the list, where the song then says what Spotify says", async () => {
  const { song, cookie } = await ready();
  const next = `/rated?after=zzzzzzzz.x#song-${song.id}`;
  const shown: string[] = [];
  for (const change of ["favorite", "unfavorite"]) {
    const answer = await request(`/songs/${song.id}/${change}`, { cookie, form: { next } });
    const location = answer.headers.get("Location") ?? "";
    expect(location).toBe(`/rated?after=zzzzzzzz.x&favorite=${song.id}#song-${song.id}`);
    const page = await (await request(location, { cookie })).text();
    shown.push(/In my favorites|Add to my favorites/.exec(page)?.[0] ?? "");
  }
  expect(shown).toEqual(["In my favorites", "Add to my favorites"]);
  // By itself the page asks Spotify nothing, and the address alone says nothing.
  const asked = (await sandboxRequests(musician)).length;
  expect(await pageOf(cookie)).toContain("Add to my favorites");
  expect((await sandboxRequests(musician)).length).toBe(asked);
  expect(await pageOf(cookie, `?favorite=${song.id}`)).toContain("Add to my favorites");
});
