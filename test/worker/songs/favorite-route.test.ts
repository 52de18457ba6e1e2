import { beforeEach, expect, test, vi } from "vitest";
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

/** A logged-in user with two songs in their package, and a song that only others have. */
async function ready() {
  await control("reset", { musician });
  const owner = await makeUser();
  const song = await makeSong(owner, trackOf("eino-kallas", 4));
  const other = await makeSong(owner, trackOf("eino-kallas", 3));
  const foreign = await makeSong(owner, trackOf("eino-kallas", 2));
  await makePackage(await makeUser(), [song, foreign]);
  const { user, cookie } = await makeMember({ musician });
  const packageId = await makePackage(user, [song, other]);
  return { song, other, foreign, user, cookie, packageId, ...pressing(cookie) };
}

function pressing(cookie: string) {
  const press = (path: string, asked: object) => request(path, { cookie, ...asked });
  return {
    add: ({ id }: TestSong, as: object = { json: {} }) => press(`/songs/${id}/favorite`, as),
    takeBack: ({ id }: TestSong, as: object = { json: {} }) => press(`/songs/${id}/unfavorite`, as),
    /** What a screen is told once it shows these songs. */
    told: async (songs: TestSong[]) =>
      answerOf(await press(`/favorites?songs=${songs.map(({ id }) => id)}`, {})),
    /** A song's box on a page, without React's comments. */
    async boxOf({ id }: TestSong, path = "/") {
      const page = await (await press(path, {})).text();
      const box = page.split(`id="song-${id}"`)[1]?.split("</article>")[0];
      if (!box) throw new Error("the page does not show the song");
      return box.replaceAll("<!-- -->", "");
    },
  };
}

async function answerOf(answer: Response): Promise<[number, unknown]> {
  return [answer.status, await answer.json()];
}

/** The uris that the musician has saved at Spotify. */
async function saved(): Promise<string[]> {
  return (await control<{ saved: string[] }>("state", { musician })).saved;
}

function uriOf({ trackId }: TestSong): string {
  return `spotify:track:${trackId}`;
}

async function favorites() {
  const query = "SELECT song_id, package_id FROM package_songs WHERE favorited_at IS NOT NULL";
  return (await rowsOf(query)) as { song_id: string; package_id: string }[];
}

/** Lets Spotify answer each call of this method for its library so, whichever of the two it is. */
async function failLibrary(method: string, fault: object, part = ""): Promise<void> {
  for (const of of ["library", "tracks"]) {
    await control("fail", {
      musician,
      route: `${method} /v1/me/${of}${part}`,
      times: -1,
      ...fault,
    });
  }
}

test("a song added by a script is saved at Spotify, and has a filled heart from then on", async () => {
  const { song, other, packageId, add, boxOf } = await ready();
  expect(await answerOf(await add(song))).toEqual([200, { ok: true }]);
  expect(await saved()).toEqual([uriOf(song)]);
  expect(await favorites()).toEqual([{ song_id: song.id, package_id: packageId }]);
  const shown = await boxOf(song);
  expect(shown).toContain(heart);
  expect(shown).toContain(`action="/songs/${song.id}/unfavorite"`);
  expect(shown).not.toMatch(`${button}|Added!`);
  // Of the others the carousel offers it once they play.
  expect(await boxOf(other)).not.toContain(button);
});

test("a form that adds a song or takes it back leads to the carousel, where its box says so once", async () => {
  const { song, other, add, takeBack, boxOf } = await ready();
  const added = await add(song, { form: {} });
  const location = added.headers.get("Location") ?? "";
  expect([added.status, location]).toEqual([303, `/?favorite=${song.id}`]);
  const shown = await boxOf(song, location);
  expect(shown).toMatch(/<p role="status"[^>]*>Added!<\/p>/);
  expect(shown).not.toContain(button);
  expect(await boxOf(other, location)).not.toMatch(`${button}|Added!`);
  expect(await boxOf(song)).not.toContain("Added!");
  const removed = await takeBack(song, { form: {} });
  expect([removed.status, removed.headers.get("Location")]).toEqual([303, location]);
  expect([await favorites(), await saved()]).toEqual([[], []]);
  // The address alone does not make a page say that a song was added.
  const again = await boxOf(song, location);
  expect([again.includes(button), again.includes("Added!")]).toEqual([true, false]);
});

test("a second press succeeds and changes nothing, not even the time of the first", async () => {
  const { song, other, add, takeBack, boxOf } = await ready();
  for (const added of [song, other]) await add(added);
  const rows = await contents("package_songs");
  expect(await answerOf(await add(song))).toEqual([200, { ok: true }]);
  expect(await contents("package_songs")).toEqual(rows);
  const before = await favorites();
  for (const _press of [1, 2]) {
    expect(await answerOf(await takeBack(song))).toEqual([200, { ok: true }]);
  }
  expect(await saved()).toEqual([uriOf(other)]);
  expect(await favorites()).toEqual(before.filter((row) => row.song_id === other.id));
  const shown = await boxOf(song);
  expect([shown.includes(button), shown.includes(heart)]).toEqual([true, false]);
});

test("a song that was taken out at Spotify meanwhile can be added again", async () => {
  const { song, user, add } = await ready();
  await add(song);
  await control("reset", { musician });
  const { cookie } = await makeSession(user, { musician });
  expect((await pressing(cookie).add(song)).status).toBe(200);
  expect(await saved()).toEqual([uriOf(song)]);
});

test("a rated song can be added, and only in the user's own package is it marked", async () => {
  const { song, user, packageId, add, boxOf } = await ready();
  await makeRating(user, song);
  expect(await boxOf(song)).toContain(button);
  expect((await add(song)).status).toBe(200);
  expect(await favorites()).toEqual([{ song_id: song.id, package_id: packageId }]);
});

test("of a song that only others were offered, and without songs or a login, Spotify is asked nothing", async () => {
  const { foreign, add, told } = await ready();
  expect((await add(foreign)).status).toBe(409);
  expect(await told([])).toEqual([200, { saved: [] }]);
  expect((await request("/favorites")).status).toBe(401);
  expect(await favorites()).toEqual([]);
  expect(await sandboxRequests(musician)).toEqual([]);
});

const refused = { status: 403, body: { error: { status: 403, message: "Not for this app" } } };

test.each([
  { fault: refused, status: 502 },
  ...[{ status: 500 }, { status: 0 }, { status: 429, retryAfter: 3600 }].map((fault) => ({
    fault,
    status: 503,
  })),
])(
  "where Spotify answers $fault a favorite is a $status that says so, nothing changes, and what is saved is not told",
  async ({ fault, status }) => {
    const { song, other, add, takeBack, told, boxOf } = await ready();
    const words = (change: string) =>
      status === 502
        ? `Spotify did not let us ${change} your favorites. Try again later, or use your Spotify app.`
        : `Spotify is not answering right now, so we could not ${change} your favorites. Try again in a moment.`;
    await add(song);
    const tables = ["packages", "package_songs", "songs", "users"];
    const before = await contents(...tables);
    await failLibrary("PUT", fault);
    await failLibrary("DELETE", fault);
    await failLibrary("GET", fault, "/contains");
    const error = words("add this song to");
    expect(await answerOf(await add(other))).toEqual([status, { error }]);
    const page = await add(other, { form: {} });
    expect([page.status, await page.text()]).toEqual([
      status,
      expect.stringContaining(`<p class="lead">${error}</p>`),
    ]);
    expect(await answerOf(await takeBack(song))).toEqual([
      status,
      { error: words("remove this song from") },
    ]);
    expect(await told([song])).toEqual([200, { saved: null }]);
    expect(await saved()).toEqual([uriOf(song)]);
    expect(await contents(...tables)).toEqual(before);
    expect(await boxOf(song)).toContain(heart);
  },
);

test("what Spotify said when it refused is in the log, and not on the screen", async () => {
  const { song, add } = await ready();
  await failLibrary("PUT", refused);
  const log = vi.spyOn(console, "log").mockReturnValue();
  const answer = await add(song);
  const lines = log.mock.calls.map(([line]) => JSON.parse(String(line)));
  log.mockRestore();
  expect(await answer.text()).not.toMatch(/HTTP|Not for this app/);
  expect(lines.filter(({ event }) => event === "spotify_refused")).toMatchObject([
    {
      route: "/songs/:songId/favorite",
      status: 403,
      error: "SpotifyError: HTTP 403: Not for this app",
    },
  ]);
});

test("which songs are saved is what Spotify says, and a page does not wait for it", async () => {
  const { song, other, foreign, cookie, add, takeBack, told } = await ready();
  // Nothing is asked about the last one: it is neither in the package nor rated.
  const shown = [song, other, foreign];
  expect(await told(shown)).toEqual([200, { saved: [] }]);
  await add(song);
  await add(other);
  await takeBack(other);
  expect(await told(shown)).toEqual([200, { saved: [song.id] }]);
  await request("/", { cookie });
  const asked = (await sandboxRequests(musician)).filter(({ path }) => path.endsWith("/contains"));
  const uris = [song, other].map(uriOf).join();
  expect(asked.map(({ query }) => query.uris)).toEqual([uris, uris]);
});

test("if Spotify has ended the login, the response is a 401", async () => {
  const { song, add } = await ready();
  await control("expireTokens", { musician });
  await control("revoke", { musician });
  expect(await answerOf(await add(song))).toEqual([
    401,
    { error: "Spotify has ended your login. Log in again." },
  ]);
  expect(await favorites()).toEqual([]);
});
