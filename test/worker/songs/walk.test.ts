/** The add-song screen as a way through Spotify's catalogue: albums, artists, and back. */
import { env } from "cloudflare:workers";
import { beforeEach, expect, test } from "vitest";
import { readConfig } from "~/platform/env";
import { albums, artists, trackById } from "../../sandbox/catalogue.ts";
import { trackOf } from "../../support/catalogue";
import { skipWaits } from "../../support/clock";
import { type Cast, song } from "../../support/people";
import { choices, submitter } from "../../support/people/add-song";
import { sandboxRequests } from "../../support/sandbox";

beforeEach(skipWaits);

const musician = "itziar-goikoetxea";
const track = trackOf(musician, 3);
const { albumId = "", artistIds: [artistId = ""] = [] } = trackById.get(track.trackId) ?? {};
const [artist = ""] = track.artists;
const onAlbum = [...trackById.values()].filter((one) => one.albumId === albumId);
const longAlbumId = albums.find(({ name }) => name === "Sixty Sketches")?.id ?? "";
const { spotifyOpenUrl } = readConfig(env);
const unknown = "0".repeat(22);

let { user, screen, calls, answers } = {} as Cast<typeof submitter>;
beforeEach(async () => {
  ({ user, screen, calls, answers } = await submitter(musician));
});

async function searched(): Promise<unknown> {
  const sent = await sandboxRequests(musician);
  return sent.find(({ path }) => path === "/v1/search")?.query.q;
}

test("a song that was found leads to its album and its artist, and keeps the search", async () => {
  const page = await screen({ q: track.title });
  expect(page).toContain(
    `href="/?menu=addownsong&q=${track.title.replaceAll(" ", "+")}&album=${albumId}"`,
  );
  expect(page).toContain(`&artist=${artistId}"`);
});

test("an album has its cover, artists, and all its songs in their order, with their lengths", async () => {
  const page = await screen({ album: albumId, q: "night & day" });
  expect(page).toContain(`<bdi>${track.album}</bdi></h1>`);
  expect(page).toContain(`images/album-${albumId}-640`);
  expect(choices(page)).toEqual(onAlbum.map(({ id }) => id));
  for (const { durationMs } of onAlbum) {
    const seconds = Math.floor(durationMs / 1000);
    expect(page).toContain(
      `>${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}<`,
    );
  }
  expect(page).toContain('href="/?menu=addownsong&q=night+%26+day">Back to the search results');
  expect((await calls()).sort()).toEqual([`/v1/albums/${albumId}`, `/v1/albums/${albumId}/tracks`]);
});

test("a song of an album is asked about, and submitted, as any other; the way back is the album", async () => {
  const page = await screen({ album: albumId, q: "night" });
  const path = /href="(\/\?menu=addownsong&track=[^"]+)"/.exec(page)?.[1] ?? "";
  const question = await screen(Object.fromEntries(new URLSearchParams(path.slice(2))));
  expect(question).toContain(`href="/?menu=addownsong&q=night&album=${albumId}"`);
  const answer = await user.sends("/submissions", { trackId: track.trackId });
  expect(await answer.json()).toMatchObject({ submissionId: expect.any(String) });
  // Its recording's code and its album are in no list of an album: the track is read by its id.
  expect(await calls()).toContain(`/v1/tracks/${track.trackId}`);
});

test("a song of an album that was submitted before says so", async () => {
  await song({ ...track, received: 2, owner: user });
  const page = await screen({ album: albumId });
  expect(page).toContain("Submitted before: 2 of its 5 ratings are in.");
});

test("an album longer than a page goes on, and back", async () => {
  const first = await screen({ album: longAlbumId });
  expect(choices(first)).toHaveLength(50);
  expect(first).toContain(`href="/?menu=addownsong&album=${longAlbumId}&page=2"`);
  const second = await screen({ album: longAlbumId, page: "2" });
  expect(choices(second)).toHaveLength(10);
  expect(second).toContain(`href="/?menu=addownsong&album=${longAlbumId}">Show earlier songs`);
  expect(second).not.toContain("Show more songs");
  expect(await screen({ album: longAlbumId, page: "3" })).toContain("There are no more songs.");
});

test("a search goes on beyond its first ten songs, and back", async () => {
  const first = await screen({ q: "Sixty Sketches" });
  expect(first).toContain('href="/?menu=addownsong&q=Sixty+Sketches&page=2">Show more songs');
  const second = await screen({ q: "Sixty Sketches", page: "2" });
  expect(second).toContain('href="/?menu=addownsong&q=Sixty+Sketches">Show earlier songs');
  expect(second).toMatch(/Songs found for <bdi>“[^<]+”<\/bdi>, page 2/);
  expect(choices(second).length).toBeGreaterThan(0);
  expect(choices(second).filter((id) => choices(first).includes(id))).toEqual([]);
  const beyond = await screen({ q: "Sixty Sketches", page: "90" });
  expect(beyond).toContain("There are no more songs.");
  expect(beyond).not.toContain("Show more songs");
});

test.each(["0", "-1", "1.5", "x", "101", "9".repeat(30)])(
  "the page %j of an album is its first",
  async (page) => expect(choices(await screen({ album: longAlbumId, page }))).toHaveLength(50),
);

test("an artist has their songs, each once, and nobody else's", async () => {
  const page = await screen({ artist: artistId });
  expect(page).toMatch(new RegExp(`<h1[^>]*>Songs by <bdi>${artist}</bdi></h1>`));
  expect(choices(page).length).toBeGreaterThan(3);
  const credited = choices(page).map((id) => trackById.get(id)?.artistIds.includes(artistId));
  expect(new Set(credited)).toEqual(new Set([true]));
  expect(page).toContain(`href="/?menu=addownsong&album=${albumId}&artist=${artistId}"`);
  expect(await calls()).toEqual([`/v1/artists/${artistId}`, "/v1/search"]);
});

test("of an artist's songs, those on one album can be shown", async () => {
  const page = await screen({ artist: artistId, album: albumId });
  expect(choices(page).sort()).toEqual(onAlbum.map(({ id }) => id).sort());
  expect(page).toContain(`href="/?menu=addownsong&album=${albumId}">Show the whole album`);
  expect(await searched()).toBe(`album:"${track.album}" artist:"${artist}"`);
  expect(await calls()).toHaveLength(3);
});

test("an artist of whom no search finds a song has none", async () => {
  const tracks = { items: [], next: null };
  await answers("search", { status: 200, body: { tracks } });
  const page = await screen({ artist: artistId });
  expect(page).toContain("Spotify lists no songs here.");
  expect(choices(page)).toEqual([]);
});

test.each([
  [{ album: unknown }, "Spotify has no such album."],
  [{ artist: unknown }, "Spotify has no such artist."],
  [{ artist: unknown, album: albumId }, "Spotify has no such artist."],
  [{ artist: artistId, album: unknown }, "Spotify has no such album."],
])("%j is nowhere, and the screen says so and leads back", async (query, text) => {
  const page = await screen({ q: "night", ...query });
  expect(page).toContain(text);
  expect(page).toContain('href="/?menu=addownsong&q=night"');
  expect(page).toContain('type="search"');
});

test.each(["", "x", "../me", "0".repeat(23), `${"0".repeat(21)}/`])(
  "%j is the id of nothing, and Spotify is not asked",
  async (id) => {
    expect(await screen({ album: id })).toContain("Spotify has no such album.");
    expect(await screen({ artist: id })).toContain("Spotify has no such artist.");
    expect(await calls()).toEqual([]);
  },
);

test.each([500, 0, 429])("where Spotify answers %i, the screen says so", async (status) => {
  const fault = { status, ...(status === 429 ? { retryAfter: 3600 } : {}) };
  for (const route of ["albums/:id/tracks", "artists/:id"]) await answers(route, fault);
  for (const query of [{ album: albumId }, { artist: artistId }]) {
    const page = await screen({ q: "night", ...query });
    expect(page).toContain("Spotify is not answering right now. Try again in a moment.");
    expect(page).toContain(">Back to the search results");
  }
});

test("where Spotify tells an album's tracks alone, they stand there without a cover", async () => {
  await answers("albums/:id", { status: 503 });
  const page = await screen({ album: albumId });
  expect(choices(page)).toEqual(onAlbum.map(({ id }) => id));
  expect(page).toContain('src="/cover-fallback.svg"');
});

test("an album without a cover gets the fallback", async () => {
  const used = new Set([...trackById.values()].map((one) => one.albumId));
  const bare = albums.find(({ id, cover }) => !cover && used.has(id))?.id ?? "";
  expect(await screen({ album: bare })).toContain('src="/cover-fallback.svg"');
});

test("a song that Spotify does not play stands in its album, and cannot be chosen", async () => {
  const item = (id: string, changes = {}) => ({
    ...{ id, name: "A song", artists: [{ id: artistId, name: artist }], duration_ms: 180_000 },
    external_urls: { spotify: `${spotifyOpenUrl}/track/x` },
    ...changes,
  });
  const items = [item(unknown, { is_playable: false }), item(track.trackId)];
  await answers("albums/:id/tracks", { status: 200, body: { items } });
  const page = await screen({ album: albumId });
  expect(page).toContain("Spotify does not play this song at the moment.");
  expect(choices(page)).toEqual([track.trackId]);
});

test("a pasted link to an album or an artist leads there, and is no search to come back to", async () => {
  const page = await screen({ q: `https://open.spotify.com/album/${albumId}?si=abc` });
  expect(choices(page)).toEqual(onAlbum.map(({ id }) => id));
  expect(page).toContain('href="/?menu=addownsong">Show my songs');
  expect(await screen({ q: `spotify:artist:${artistId}` })).toContain(`Songs by <bdi>${artist}`);
});

test("names that stand in the search's own language do no harm there", async () => {
  const name = artists.find(({ id }) => id === artistId)?.name ?? "";
  const spotify = `${spotifyOpenUrl}/artist/x`;
  const body = { id: artistId, name: `${name}" year:1900 "`, external_urls: { spotify } };
  await answers("artists/:id", { status: 200, body });
  await screen({ artist: artistId });
  expect(await searched()).toBe(`artist:"${name} year 1900"`);
});
