/** The client against the Spotify stand-in, for every kind of app that Spotify has. */
import { describe, expect, test, vi } from "vitest";
import type { LegacyCalls } from "~/sources/spotify/client/legacy-fallback";
import type { Spotify } from "~/sources/spotify/client/web-api.server";
import { albums, musicianById, trackById } from "../../../../sandbox/catalogue.ts";
import { trackOf } from "../../../../support/catalogue.ts";
import { answerProblems } from "../../../../support/spotify/web-api.ts";
import { againstSandbox } from "./against-sandbox.ts";
import { outcome } from "./support.ts";

const musician = "mara-lind";
const { control, requests, routes, start, createFor, origin } = againstSandbox(musician);

const song = trackOf(musician, 2);
const another = trackOf(musician, 3);
const { albumId = "", artistIds = [] } = trackById.get(song.trackId) ?? {};
const longAlbumId = albums.find(({ name }) => name === "Sixty Sketches")?.id ?? "";

/** Makes every call. @returns their answers. */
async function makeAllCalls(create: () => Spotify) {
  const made = new Set<string | symbol>();
  const spotify = () =>
    new Proxy(create(), {
      get(client, call) {
        made.add(call);
        return Reflect.get(client, call);
      },
    });
  const deviceId = String((await control("openApp", { active: false })).deviceId);
  await spotify().play(song.trackId, deviceId);
  const playback = await spotify().playback();
  await spotify().pause(deviceId);
  await spotify().saveTrack(another.trackId);
  await spotify().saveTrack(song.trackId);
  await spotify().unsaveTrack(another.trackId);
  const savedTracks = await spotify().savedTracks([another.trackId, song.trackId]);
  const playlistId = await spotify().createPlaylist("Found here");
  const added = await spotify().addToPlaylist(playlistId, song.trackId);
  const answers = {
    deviceId,
    playback,
    savedTracks,
    found: await spotify().searchTracks(song.title),
    foundOnAlbum: await spotify().searchCatalogue({
      artist: song.artists[0] ?? "",
      album: song.album,
    }),
    profile: await spotify().profile(),
    track: await spotify().track(song.trackId),
    album: await spotify().album(albumId),
    albumTracks: await spotify().albumTracks(albumId),
    artist: await spotify().artist(artistIds[0] ?? ""),
    playlistId,
    added,
    playlists: await spotify().ownPlaylists(0),
    holds: await spotify().playlistHolds(playlistId, song),
    holdsAnother: await spotify().playlistHolds(playlistId, another),
  };
  expect([...made].sort()).toEqual(Object.keys(create()).sort());
  return answers;
}

const modes = [{ mode: "extended" }, { mode: "development" }, { mode: "legacy" }];

describe.each(modes)("an app in mode $mode", ({ mode }) => {
  test("gets useful answers to all calls", async () => {
    const answers = await makeAllCalls(await start(mode));
    const image = `${origin()}/spotify/images`;
    const known = {
      trackId: song.trackId,
      title: song.title,
      artists: song.artists,
      durationMs: song.durationMs,
      spotifyUrl: `${origin()}/spotify/open/track/${song.trackId}`,
      explicit: false,
    };
    const whole = {
      ...known,
      album: song.album,
      artUrl: `${image}/album-${albumId}-640`,
      smallerArt: {
        64: `${image}/album-${albumId}-64`,
        300: `${image}/album-${albumId}-300`,
      },
      isrc: song.isrc,
    };
    const found = { ...whole, playable: true, hidden: false, relinked: false, artistIds };
    const playing = {
      playing: true,
      progressMs: expect.any(Number),
      trackIds: [song.trackId],
      isrc: song.isrc,
    };
    expect(answers.playback).toEqual({
      ...playing,
      device: { id: answers.deviceId, name: "Mara Lind's phone", type: "Smartphone" },
      track: found,
    });
    expect(answers.savedTracks).toEqual([song.trackId]);
    const listed = { ...whole, albumId, artistIds };
    expect(answers.found.items).toContainEqual(listed);
    expect(answers.foundOnAlbum.items).toContainEqual(listed);
    const hasPremium = mode === "development" ? null : true;
    expect(answers.profile).toMatchObject({ displayName: "Mara Lind", hasPremium });
    expect(answers.track).toEqual(found);
    expect(answers.album).toEqual({
      id: albumId,
      name: song.album,
      imageUrl: whole.artUrl,
      smallerArt: whole.smallerArt,
      spotifyUrl: `${origin()}/spotify/open/album/${albumId}`,
      artists: song.artists,
      artistIds,
    });
    expect(answers.albumTracks?.items).toContainEqual({ ...known, artistIds, playable: true });
    expect(answers.artist).toMatchObject({ id: artistIds[0], name: song.artists[0] });
    expect(answers.added).toBe("added");
    expect(answers.playlists.playlists[0]).toEqual({
      id: answers.playlistId,
      name: "Found here",
      imageUrl: `${image}/playlist-${answers.playlistId}-640`,
      smallerArt: expect.any(Object),
      spotifyUrl: `${origin()}/spotify/open/playlist/${answers.playlistId}`,
      trackCount: 1,
    });
    expect(answers.playlists.playlists.map(({ name }) => name)).toContain("Songs by Mara Lind");
    expect([answers.holds, answers.holdsAnother]).toEqual([true, false]);
    expect(await control("state")).toMatchObject({
      playing: false,
      saved: [`spotify:track:${song.trackId}`],
    });
    for (const { status, responseBody, ...request } of await requests()) {
      const what = `${request.method} ${request.path}`;
      expect(answerProblems(request, status, responseBody), what).toEqual([]);
    }
  });
});

/** Makes the calls whose routes Spotify has changed. */
async function makeChangedCalls(spotify: () => Spotify): Promise<void> {
  await spotify().saveTrack(song.trackId);
  await spotify().savedTracks([song.trackId, another.trackId]);
  await spotify().unsaveTrack(song.trackId);
  const playlistId = await spotify().createPlaylist("Found here");
  await spotify().addToPlaylist(playlistId, song.trackId);
  await spotify().playlistHolds(playlistId, another);
}

const currentRoutes = [
  "PUT me/library 200",
  "GET me/library/contains 200",
  "DELETE me/library 200",
  "POST me/playlists 201",
  "POST playlists/:id/items 201",
  "GET playlists/:id/items 200",
];

test.each([{ mode: "extended" }, { mode: "development" }])(
  "an app in mode $mode uses the current routes",
  async ({ mode }) => {
    await makeChangedCalls(await start(mode));
    expect(await routes()).toEqual(currentRoutes);
  },
);

test("an app without the current routes tries each once, and then goes straight to the legacy ones", async () => {
  const spotify = await start("legacy");
  await makeChangedCalls(spotify);
  expect(await routes()).toEqual([
    "PUT me/library 404",
    "PUT me/tracks 200",
    "GET me/library/contains 404",
    "GET me/tracks/contains 200",
    "DELETE me/library 404",
    "DELETE me/tracks 200",
    "POST me/playlists 404",
    "GET me 200",
    "POST users/:id/playlists 201",
    "POST playlists/:id/items 404",
    "POST playlists/:id/tracks 201",
    "GET playlists/:id/items 404",
    "GET playlists/:id/tracks 200",
  ]);
  const before = (await routes()).length;
  await makeChangedCalls(spotify);
  expect((await routes()).slice(before)).toEqual([
    "PUT me/tracks 200",
    "GET me/tracks/contains 200",
    "DELETE me/tracks 200",
    "GET me 200",
    "POST users/:id/playlists 201",
    "POST playlists/:id/tracks 201",
    "GET playlists/:id/tracks 200",
  ]);
});

test("an app that may not list the user's own playlists lists them by the user's id", async () => {
  const spotify = await start();
  await control("fail", { route: "GET /v1/me/playlists", status: 410 });
  const { playlists } = await spotify().ownPlaylists(0);
  expect(playlists.map(({ name }) => name)).toContain("Songs by Mara Lind");
  await spotify().ownPlaylists(0);
  expect((await routes()).sort()).toEqual([
    "GET me 200",
    "GET me 200",
    "GET me/playlists 410",
    "GET users/:id/playlists 200",
    "GET users/:id/playlists 200",
  ]);
});

test("the legacy routes of one app are not used for another", async () => {
  const legacyCalls: LegacyCalls = new Map();
  await (await start("legacy", legacyCalls))().saveTrack(song.trackId);
  const { access_token } = await control("issueToken", { client: "sandbox-client-b" });
  const before = (await routes()).length;
  await createFor("sandbox-client-b", String(access_token), legacyCalls).saveTrack(song.trackId);
  expect((await routes()).slice(before)).toEqual(["PUT me/library 200"]);
});

test("a call that both routes refuse fails with the current route's error", async () => {
  const spotify = await start("development");
  const body = { error: { status: 403, message: "Not this one" } };
  await control("fail", { route: "PUT /v1/me/library", status: 403, body });
  expect(await outcome(spotify().saveTrack(song.trackId))).toMatchObject({
    message: "HTTP 403: Not this one",
  });
  await spotify().saveTrack(song.trackId);
  expect(await routes()).toEqual(["PUT me/library 403", "PUT me/tracks 403", "PUT me/library 200"]);
});

test("an album longer than a page, and a search, go on where the page before ended", async () => {
  const spotify = await start();
  const first = await spotify().albumTracks(longAlbumId);
  const second = await spotify().albumTracks(longAlbumId, 2);
  expect([first?.items.length, first?.more]).toEqual([50, true]);
  expect([second?.items.length, second?.more]).toEqual([10, false]);
  const names = { artist: 'Ottoline "Vesper"', album: null };
  const found = [1, 2, 3, 4, 5, 6].map((page) => spotify().searchCatalogue(names, page));
  const pages = await Promise.all(found);
  const ids = pages.flatMap(({ items }) => items.map(({ trackId }) => trackId));
  expect(new Set(ids).size).toBe(60);
  expect(pages.map(({ more }) => more)).toEqual([true, true, true, true, true, false]);
});

test("whether tracks are saved is asked without waiting out a limit", async () => {
  const spotify = await start();
  const route = "GET /v1/me/library/contains";
  await control("fail", { route, status: 429, retryAfter: 1 });
  expect(await outcome(spotify().savedTracks([song.trackId]))).toMatchObject({ status: 429 });
  expect(await routes()).toEqual(["GET me/library/contains 429"]);
});

test("taking out a track that is not in the library is no error", async () => {
  const spotify = await start();
  await spotify().unsaveTrack(song.trackId);
  expect(await spotify().savedTracks([song.trackId])).toEqual([]);
});

test.each([
  [400, "Only valid bearer authentication supported"],
  [400, "Bad request."],
  [403, "Forbidden"],
])("a %i that says %j is no word on whether something exists", async (status, message) => {
  const spotify = (await start())();
  const id = song.trackId;
  for (const [route, call] of [
    ["GET /v1/tracks/:id", () => spotify.track(id)],
    ["GET /v1/albums/:id", () => spotify.album(id)],
    ["GET /v1/albums/:id/tracks", () => spotify.albumTracks(id)],
    ["GET /v1/artists/:id", () => spotify.artist(id)],
  ] as const) {
    await control("fail", { route, status, body: { error: { status, message } } });
    expect([route, await outcome(call())]).toEqual([route, expect.objectContaining({ status })]);
  }
});

test.each([
  [400, "Invalid base62 id"],
  [400, "invalid id"],
  [404, "Resource not found"],
  [404, "non existing id"],
])("a %i that says %j means that there is no such track", async (status, message) => {
  const spotify = (await start())();
  const route = "GET /v1/tracks/:id";
  await control("fail", { route, status, body: { error: { status, message } } });
  expect(await spotify.track(song.trackId)).toBeNull();
});

test("a call for something that does not exist returns null", async () => {
  const spotify = await start();
  const unknownId = "0000000000000000000000";
  expect(await spotify().track(unknownId)).toBeNull();
  expect(await spotify().album("no id")).toBeNull();
  expect(await spotify().albumTracks(unknownId)).toBeNull();
  expect(await spotify().artist(unknownId)).toBeNull();
  expect(await spotify().playback()).toBeNull();
});

test("playback is requested each time, and never waits out a limit", async () => {
  const spotify = (await start())();
  await spotify.playback();
  await spotify.playback();
  await control("fail", { route: "GET /v1/me/player", status: 429, retryAfter: 1 });
  expect(await outcome(spotify.playback())).toMatchObject({ status: 429, retryAfterSeconds: 1 });
  expect(await routes()).toEqual(["GET me/player 204", "GET me/player 204", "GET me/player 429"]);
});

test("a quota of calls that is used up is logged as such, unlike a limit of their rate", async () => {
  const spotify = (await start())();
  const route = "GET /v1/me/player";
  const used = { status: 429, message: "Too many requests", reason: "QUOTA_EXCEEDED" };
  await control("fail", { route, status: 429, body: { error: used } });
  const log = vi.spyOn(console, "log").mockReturnValue();
  expect(await outcome(spotify.playback())).toMatchObject({ status: 429 });
  const lines = log.mock.calls.map(([line]) => JSON.parse(String(line)));
  log.mockRestore();
  expect(lines).toEqual([{ event: "spotify_unavailable", status: 429, reason: "QUOTA_EXCEEDED" }]);
});

test("the legacy paths contain the user's id, not the account id", async () => {
  const spotify = await start("legacy");
  await spotify().createPlaylist("Found here");
  const paths = (await requests()).map(({ path }) => path);
  expect(paths).toContain(`/v1/users/${musicianById.get(musician)?.id}/playlists`);
});
