import { expect, test } from "vitest";
import { trackOf } from "../../support/catalogue";
import { contents, rowsOf } from "../../support/database/contents";
import {
  makePackage,
  makeRating,
  makeSong,
  makeUser,
  type TestSong,
} from "../../support/database/factories";
import { makeSession } from "../../support/login";
import { request } from "../../support/request";
import { control, sandboxRequests } from "../../support/sandbox";

const musician = "octavio-brisas";
const button = "Add to my favorites";

/** A logged-in user with two songs in their package. */
async function ready() {
  const owner = await makeUser();
  const song = await makeSong(owner, trackOf("eino-kallas", 4));
  const other = await makeSong(owner, trackOf("eino-kallas", 3));
  const user = await makeUser();
  await makePackage(user, [song, other]);
  await control("reset", { musician });
  const { cookie } = await makeSession(user, { musician });
  return { owner, song, other, user, cookie };
}

function pathOf(song: TestSong): string {
  return `/songs/${song.id}/favorite`;
}

/** The uris that the musician has saved at Spotify. */
async function saved(): Promise<string[]> {
  return (await control<{ saved: string[] }>("state", { musician })).saved;
}

function favorites(): Promise<unknown[]> {
  return rowsOf("SELECT song_id, package_id FROM package_songs WHERE favorited_at IS NOT NULL");
}

/** A song's box on a page, without React's comments. */
async function boxOf(song: TestSong, path: string, cookie: string): Promise<string> {
  const page = await (await request(path, { cookie })).text();
  const box = page.split(`id="song-${song.id}"`)[1]?.split("</article>")[0];
  if (!box) throw new Error("the page does not show the song");
  return box.replaceAll("<!-- -->", "");
}

test("a song added by a script is saved at Spotify, and its button is gone for good", async () => {
  const { song, other, cookie } = await ready();
  const before = Date.now();
  const answer = await request(pathOf(song), { cookie, json: {} });
  expect([answer.status, await answer.json()]).toEqual([200, { ok: true }]);
  expect(await saved()).toEqual([`spotify:track:${song.trackId}`]);
  const [row] = await rowsOf("SELECT favorited_at FROM package_songs WHERE song_id = ?", song.id);
  const { favorited_at: at } = row as { favorited_at: number };
  expect([at >= before, at <= Date.now()]).toEqual([true, true]);

  const shown = await boxOf(song, "/", cookie);
  expect([shown.includes(button), shown.includes("Added!")]).toEqual([false, false]);
  expect(await boxOf(other, "/", cookie)).toContain(button);
});

test("a song added by a form leads back to the carousel, where its box says so once", async () => {
  const { song, other, cookie } = await ready();
  const answer = await request(pathOf(song), { cookie, form: {} });
  const location = answer.headers.get("Location") ?? "";
  expect([answer.status, location]).toEqual([303, `/?favorite=${song.id}`]);
  const shown = await boxOf(song, location, cookie);
  expect(shown).toMatch(/<p role="status"[^>]*>Added!<\/p>/);
  expect(shown).not.toContain(button);
  const others = await boxOf(other, location, cookie);
  expect([others.includes(button), others.includes("Added!")]).toEqual([true, false]);
  expect(await boxOf(song, "/", cookie)).not.toContain("Added!");
});

test("the address alone does not make a page say that a song was added", async () => {
  const { song, cookie } = await ready();
  const shown = await boxOf(song, `/?favorite=${song.id}`, cookie);
  expect([shown.includes(button), shown.includes("Added!")]).toEqual([true, false]);
});

test("a second press succeeds without another request to Spotify", async () => {
  const { song, cookie } = await ready();
  await request(pathOf(song), { cookie, json: {} });
  const [rows, sent] = [await favorites(), await sandboxRequests(musician)];
  expect(sent).not.toEqual([]);
  const again = await request(pathOf(song), { cookie, json: {} });
  expect([again.status, await again.json()]).toEqual([200, { ok: true }]);
  expect(await sandboxRequests(musician)).toEqual(sent);
  expect(await favorites()).toEqual(rows);
});

test("a rated song can be added, and only in the user's own package is it marked", async () => {
  const { song, user, cookie } = await ready();
  await makeRating(user, song);
  // Somebody else has the same song to rate.
  const stranger = await makeUser();
  await makePackage(stranger, [song]);
  expect(await boxOf(song, "/", cookie)).toContain(button);
  expect((await request(pathOf(song), { cookie, json: {} })).status).toBe(200);
  const [{ id } = { id: "" }] = (await rowsOf(
    "SELECT id FROM packages WHERE user_id = ?",
    user.id,
  )) as { id: string }[];
  expect(await favorites()).toEqual([{ song_id: song.id, package_id: id }]);
});

test("only a song in the user's own package can be added, and only with a login", async () => {
  const { owner, song, cookie } = await ready();
  const undrawn = await makeSong(owner, trackOf("eino-kallas", 2));
  // Drawn for somebody else.
  await makePackage(await makeUser(), [undrawn]);
  const none = await request("/songs/none/favorite", { cookie, json: {} });
  expect([none.status, await none.json()]).toEqual([404, { error: "There is no such song." }]);
  const foreign = await request(pathOf(undrawn), { cookie, json: {} });
  expect([foreign.status, await foreign.json()]).toEqual([
    409,
    { error: expect.stringContaining("not one of those you can rate right now") },
  ]);
  expect((await request(pathOf(song), { json: {} })).status).toBe(401);
  expect(await favorites()).toEqual([]);
  expect(await sandboxRequests(musician)).toEqual([]);
});

test.each([
  { fault: { status: 403 }, status: 502, told: "HTTP 403: Ordered failure" },
  { fault: { status: 500 }, status: 503, told: "HTTP 500: Ordered failure" },
  { fault: { status: 0 }, status: 503, told: "HTTP 0: Spotify could not be reached" },
  {
    fault: { status: 429, retryAfter: 3600 },
    status: 503,
    told: "HTTP 429: API rate limit exceeded",
  },
])(
  "if Spotify responds with $fault, the response is a $status that says so, and nothing changes",
  async (row) => {
    const { song, cookie } = await ready();
    for (const route of ["PUT /v1/me/library", "PUT /v1/me/tracks"]) {
      await control("fail", { musician, route, times: -1, ...row.fault });
    }
    const before = await contents("packages", "songs", "users");
    const error = `This song could not be added to your favorites. Please try again in a moment. (${row.told})`;
    const json = await request(pathOf(song), { cookie, json: {} });
    expect([json.status, await json.json()]).toEqual([row.status, { error }]);
    const page = await request(pathOf(song), { cookie, form: {} });
    expect(page.status).toBe(row.status);
    expect(await page.text()).toContain(`<p class="lead">${error}</p>`);
    expect([await favorites(), await saved()]).toEqual([[], []]);
    expect(await contents("packages", "songs", "users")).toEqual(before);
    expect(await boxOf(song, "/", cookie)).toContain(button);
  },
);

test("if Spotify has ended the login, the response is a 401", async () => {
  const { song, cookie } = await ready();
  await control("expireTokens", { musician });
  await control("revoke", { musician });
  const answer = await request(pathOf(song), { cookie, json: {} });
  expect([answer.status, await answer.json()]).toEqual([
    401,
    { error: "Spotify has ended your login. Please log in again." },
  ]);
  expect(await favorites()).toEqual([]);
});
