import { beforeEach, expect, test, vi } from "vitest";
import { listenErrors } from "~/exchange/listening/errors";
import { trackOf } from "../../support/catalogue";
import { skipWaits } from "../../support/clock";
import { contents, rowsOf } from "../../support/database/contents";
import {
  makePackage,
  makeRating,
  makeSong,
  makeUser,
  type TestSong,
} from "../../support/database/factories";
import { makeMember, makeSession } from "../../support/login";
import { request } from "../../support/request";
import { control, sandboxRequests } from "../../support/sandbox";

beforeEach(skipWaits);

const musician = "octavio-brisas";
const button = "Add to my favorites";
const heart = "In my favorites";

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

function pathOf(song: TestSong, change = "favorite"): string {
  return `/songs/${song.id}/${change}`;
}

/** The uris that the musician has saved at Spotify. */
async function saved(): Promise<string[]> {
  return (await control<{ saved: string[] }>("state", { musician })).saved;
}

async function favorites() {
  const query = "SELECT song_id, package_id FROM package_songs WHERE favorited_at IS NOT NULL";
  return (await rowsOf(query)) as { song_id: string; package_id: string }[];
}

/** A song's box on a page, without React's comments. */
async function boxOf(song: TestSong, path: string, cookie: string): Promise<string> {
  const page = await (await request(path, { cookie })).text();
  const box = page.split(`id="song-${song.id}"`)[1]?.split("</article>")[0];
  if (!box) throw new Error("the page does not show the song");
  return box.replaceAll("<!-- -->", "");
}

test("a song added by a script is saved at Spotify, and has a filled heart from then on", async () => {
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
  expect(shown).toContain(heart);
  expect(shown).toContain(`action="${pathOf(song, "unfavorite")}"`);
  // Of the others the carousel offers it once they play.
  expect(await boxOf(other, "/", cookie)).not.toContain(button);
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
  expect([others.includes(button), others.includes("Added!")]).toEqual([false, false]);
  expect(await boxOf(song, "/", cookie)).not.toContain("Added!");
});

test("the address alone does not make a page say that a song was added", async () => {
  const { song, cookie } = await ready();
  const shown = await boxOf(song, `/?favorite=${song.id}`, cookie);
  expect([shown.includes(button), shown.includes("Added!")]).toEqual([true, false]);
});

test("a second press succeeds and changes nothing, not even the time of the first", async () => {
  const { song, cookie } = await ready();
  await request(pathOf(song), { cookie, json: {} });
  const rows = await rowsOf("SELECT * FROM package_songs");
  const again = await request(pathOf(song), { cookie, json: {} });
  expect([again.status, await again.json()]).toEqual([200, { ok: true }]);
  expect(await rowsOf("SELECT * FROM package_songs")).toEqual(rows);
  expect(await saved()).toEqual([`spotify:track:${song.trackId}`]);
});

test("a song that was taken out at Spotify meanwhile can be added again", async () => {
  const { song, user, cookie } = await ready();
  await request(pathOf(song), { cookie, json: {} });
  await control("reset", { musician });
  const { cookie: later } = await makeSession(user, { musician });
  expect((await request(pathOf(song), { cookie: later, json: {} })).status).toBe(200);
  expect(await saved()).toEqual([`spotify:track:${song.trackId}`]);
});

test("a favorite can be taken back, however often that is pressed, and offered again", async () => {
  const { song, other, cookie } = await ready();
  for (const added of [song, other]) await request(pathOf(added), { cookie, json: {} });
  const before = await favorites();
  for (const _press of [1, 2]) {
    const answer = await request(pathOf(song, "unfavorite"), { cookie, json: {} });
    expect([answer.status, await answer.json()]).toEqual([200, { ok: true }]);
  }
  expect(await saved()).toEqual([`spotify:track:${other.trackId}`]);
  expect(await favorites()).toEqual(before.filter((row) => row.song_id === other.id));
  const shown = await boxOf(song, "/", cookie);
  expect([shown.includes(button), shown.includes(heart)]).toEqual([true, false]);
});

test("a form that takes a favorite back leads back to the carousel", async () => {
  const { song, cookie } = await ready();
  await request(pathOf(song), { cookie, form: {} });
  const answer = await request(pathOf(song, "unfavorite"), { cookie, form: {} });
  expect([answer.status, answer.headers.get("Location")]).toEqual([303, `/?favorite=${song.id}`]);
  expect([await favorites(), await saved()]).toEqual([[], []]);
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

test("only a song that the user was offered or has rated can be added, and only with a login", async () => {
  const { owner, song, cookie } = await ready();
  const undrawn = await makeSong(owner, trackOf("eino-kallas", 2));
  // Drawn for somebody else.
  await makePackage(await makeUser(), [undrawn]);
  const none = await request("/songs/none/favorite", { cookie, json: {} });
  expect([none.status, await none.json()]).toEqual([404, { error: listenErrors.noSong }]);
  const foreign = await request(pathOf(undrawn), { cookie, json: {} });
  expect([foreign.status, await foreign.json()]).toEqual([
    409,
    { error: expect.stringContaining("cannot rate this song right now") },
  ]);
  expect((await request(pathOf(song), { json: {} })).status).toBe(401);
  expect(await favorites()).toEqual([]);
  expect(await sandboxRequests(musician)).toEqual([]);
});

const refused = { status: 403, body: { error: { status: 403, message: "Not for this app" } } };
/** What Spotify may do, and how what people read begins and ends then. */
const faults = [
  {
    fault: refused,
    status: 502,
    told: (change: string) =>
      `Spotify did not let us ${change} your favorites. Please try again later, or use your Spotify app.`,
  },
  ...[{ status: 500 }, { status: 0 }, { status: 429, retryAfter: 3600 }].map((fault) => ({
    fault,
    status: 503,
    told: (change: string) =>
      `Spotify is not answering right now, so we could not ${change} your favorites. Please try again in a moment.`,
  })),
];

test.each(faults)(
  "if Spotify responds with $fault, the response is a $status that says so, and nothing changes",
  async (row) => {
    const { song, cookie } = await ready();
    for (const route of ["PUT /v1/me/library", "PUT /v1/me/tracks"]) {
      await control("fail", { musician, route, times: -1, ...row.fault });
    }
    const before = await contents("packages", "songs", "users");
    const error = row.told("add this song to");
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

test.each(faults)(
  "if Spotify responds with $fault, a favorite that is taken back stays, and the response says so",
  async (row) => {
    const { song, cookie } = await ready();
    await request(pathOf(song), { cookie, json: {} });
    for (const route of ["DELETE /v1/me/library", "DELETE /v1/me/tracks"]) {
      await control("fail", { musician, route, times: -1, ...row.fault });
    }
    const before = await favorites();
    const error = row.told("remove this song from");
    const answer = await request(pathOf(song, "unfavorite"), { cookie, json: {} });
    expect([answer.status, await answer.json()]).toEqual([row.status, { error }]);
    expect(await favorites()).toEqual(before);
    expect(await saved()).toEqual([`spotify:track:${song.trackId}`]);
    expect(await boxOf(song, "/", cookie)).toContain(heart);
  },
);

test("what Spotify said when it refused is in the log, and not on the screen", async () => {
  const { song, cookie } = await ready();
  await control("fail", { musician, route: "PUT /v1/me/library", times: -1, ...refused });
  await control("fail", { musician, route: "PUT /v1/me/tracks", times: -1, ...refused });
  const log = vi.spyOn(console, "log").mockReturnValue();
  const answer = await request(pathOf(song), { cookie, json: {} });
  const lines = log.mock.calls.map(([line]) => JSON.parse(String(line)));
  log.mockRestore();
  expect(await answer.text()).not.toMatch(/HTTP|Not for this app/);
  expect(lines.filter(({ event }) => event === "spotify_refused")).toEqual([
    expect.objectContaining({
      route: "/songs/:songId/favorite",
      status: 403,
      error: "SpotifyError: HTTP 403: Not for this app",
    }),
  ]);
});

/** What a screen is told once it shows these songs. */
async function told(cookie: string, songs: TestSong[]) {
  const answer = await request(`/favorites?songs=${songs.map(({ id }) => id)}`, { cookie });
  return [answer.status, await answer.json()];
}

test("which songs are saved is what Spotify says, and a page does not wait for it", async () => {
  const { owner, song, other, cookie } = await ready();
  // Nothing is asked about it: it is neither in the package nor rated.
  const foreign = await makeSong(owner, trackOf("eino-kallas", 2));
  const shown = [song, other, foreign];
  expect(await told(cookie, shown)).toEqual([200, { saved: [] }]);
  await request(pathOf(song), { cookie, json: {} });
  await request(pathOf(other), { cookie, json: {} });
  await request(pathOf(other, "unfavorite"), { cookie, json: {} });
  expect(await told(cookie, shown)).toEqual([200, { saved: [song.id] }]);
  await request("/", { cookie });
  const asked = (await sandboxRequests(musician)).filter(({ path }) => path.endsWith("/contains"));
  expect(asked.map(({ query }) => query.uris)).toEqual([
    `spotify:track:${song.trackId},spotify:track:${other.trackId}`,
    `spotify:track:${song.trackId},spotify:track:${other.trackId}`,
  ]);
});

test("who has no songs to rate, or no login, asks Spotify nothing", async () => {
  const { cookie } = await makeMember({ musician });
  await control("reset", { musician });
  expect(await told(cookie, [])).toEqual([200, { saved: [] }]);
  expect((await request("/favorites")).status).toBe(401);
  expect(await sandboxRequests(musician)).toEqual([]);
});

test.each(faults)("if Spotify responds with $fault, what is saved is not told", async (row) => {
  const { song, cookie } = await ready();
  for (const route of ["GET /v1/me/library/contains", "GET /v1/me/tracks/contains"]) {
    await control("fail", { musician, route, times: -1, ...row.fault });
  }
  expect(await told(cookie, [song])).toEqual([200, { saved: null }]);
});

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
