/** The calls about playlists: what the product learns where Spotify says no, in every mode. */
import { describe, expect, test } from "vitest";
import { lacksPermission, SpotifyError } from "~/sources/spotify/client/spotify";
import { tracks } from "../../../../sandbox/catalogue.ts";
import { trackOf } from "../../../../support/catalogue.ts";
import { againstSandbox } from "./against-sandbox.ts";
import { outcome } from "./support.ts";

const musician = "kwame-ansah-reid";
const stranger = "mara-lind";
const { control, requests, start } = againstSandbox(musician);
const song = trackOf(stranger, 2);
const modes = ["extended", "development", "legacy"];

async function playlist(fields: Record<string, unknown> = {}): Promise<string> {
  return String((await control("playlist", fields)).playlistId);
}

/** The tracks of one of the playlists of a musician. */
async function contentOf(playlistId: string, owner = musician): Promise<unknown> {
  const { playlists } = await control("playlists", { musician: owner });
  return (playlists as { id: string; trackIds: string[] }[]).find(({ id }) => id === playlistId)
    ?.trackIds;
}

/** So many tracks, none of them this one. */
function othersThan({ isrc }: { isrc: string | null }, length: number): string[] {
  const others = tracks.filter((track) => track.isrc !== isrc).map(({ id }) => id);
  return Array.from({ length }, (_, at) => others[at % others.length] ?? "");
}

describe.each(modes)("in mode %s", (mode) => {
  test("a song is added once for each call, to a playlist that is private or public", async () => {
    const spotify = await start(mode);
    for (const isPublic of [true, false]) {
      const id = await playlist({ public: isPublic, trackIds: [trackOf(musician, 0).trackId] });
      expect(await spotify().addToPlaylist(id, song.trackId)).toBe("added");
      expect(await contentOf(id)).toEqual([trackOf(musician, 0).trackId, song.trackId]);
    }
  });

  test("a playlist that is full, gone, or somebody else's says so", async () => {
    const spotify = await start(mode);
    const full = await playlist({ size: 10_000 });
    expect(await spotify().addToPlaylist(full, song.trackId)).toBe("full");
    const gone = await playlist();
    await control("dropPlaylist", { playlistId: gone });
    expect(await spotify().addToPlaylist(gone, song.trackId)).toBe("gone");
    const theirs = await playlist({ musician: stranger, followers: [musician] });
    expect(await spotify().addToPlaylist(theirs, song.trackId)).toBe("not yours");
    expect(await contentOf(theirs, stranger)).toEqual([]);
  });

  test("it says so too where the app has just learned which routes it has", async () => {
    const spotify = await start(mode);
    const legacyFirst = await playlist();
    await spotify().addToPlaylist(legacyFirst, song.trackId);
    const theirs = await playlist({ musician: stranger, followers: [musician] });
    expect(await spotify().addToPlaylist(theirs, song.trackId)).toBe("not yours");
    expect(await spotify().addToPlaylist(await playlist(), song.trackId)).toBe("added");
  });

  test("a missing permission is told from a route that the app does not have", async () => {
    const spotify = await start(mode);
    const id = await playlist({ public: false });
    const scope = "playlist-read-private playlist-modify-private playlist-modify-public";
    await control("withdraw", { scope });
    for (const make of [
      () => spotify().ownPlaylists(0),
      () => spotify().createPlaylist("Found here"),
      () => spotify().addToPlaylist(id, song.trackId),
    ]) {
      expect(lacksPermission(await outcome(make()))).toBe(true);
    }
    expect(await contentOf(id)).toEqual([]);
  });

  test("what is in somebody else's playlist does not count as held", async () => {
    const spotify = await start(mode);
    const theirs = await playlist({ musician: stranger, trackIds: [song.trackId] });
    expect(await spotify().playlistHolds(theirs, song)).toBe(false);
    expect(await spotify().addToPlaylist(theirs, song.trackId)).toBe("not yours");
  });
});

test("what is in a playlist is found at its beginning and its end", async () => {
  const spotify = await start();
  const long = othersThan(song, 400);
  for (const [at, isFound] of [
    [0, true],
    [49, true],
    [50, false],
    [149, false],
    [150, true],
    [399, true],
  ] as const) {
    const id = await playlist({ trackIds: long.with(at, song.trackId) });
    expect(await spotify().playlistHolds(id, song), String(at)).toBe(isFound);
  }
  expect(await spotify().playlistHolds(await playlist(), song)).toBe(false);
});

test("a playlist holds a song under another id with the same recording code", async () => {
  const spotify = await start();
  const relinked = tracks.find(({ relinkedTo }) => relinkedTo);
  const asked = { trackId: relinked?.relinkedTo ?? "", isrc: relinked?.isrc ?? "" };
  const id = await playlist({ trackIds: [relinked?.id] });
  expect(await spotify().playlistHolds(id, asked)).toBe(true);
  expect(await spotify().playlistHolds(id, { ...asked, isrc: null })).toBe(false);
});

test("looking into a long playlist takes six requests, and small answers", async () => {
  const spotify = await start();
  const trackIds = othersThan(song, 10_000);
  expect(await spotify().playlistHolds(await playlist({ trackIds }), song)).toBe(false);
  // The client of an earlier test may still be asking who it is.
  const asked = (await requests()).filter(({ path }) => path !== "/v1/me");
  expect(asked).toHaveLength(6);
  for (const { path, query, responseBody } of asked) {
    expect(path).toMatch(/\/items$/);
    expect(Number(query.offset) === 0 || Number(query.offset) >= 9750).toBe(true);
    expect(JSON.stringify(responseBody).length).toBeLessThan(8000);
  }
});

test("a playlist that cannot be read holds nothing", async () => {
  const spotify = await start();
  expect(await spotify().playlistHolds("0000000000000000000000", song)).toBe(false);
  const theirs = await playlist({ musician: stranger, followers: [musician] });
  expect(await spotify().playlistHolds(theirs, song)).toBe(false);
});

const names = async (page: Promise<{ playlists: { name: string }[] }>) =>
  (await page).playlists.map(({ name }) => name);

test("the playlists that one may add to come newest first, page by page, without those of others", async () => {
  const spotify = await start();
  for (let n = 1; n <= 52; n += 1) {
    await playlist({ name: `Mine ${n}` });
    if (n > 50) await playlist({ musician: stranger, name: "Theirs", followers: [musician] });
  }
  const first = await spotify().ownPlaylists(0);
  expect(first.nextOffset).toBe(50);
  const second = await spotify().ownPlaylists(50);
  expect(second.nextOffset).toBeNull();
  const all = [...first.playlists, ...second.playlists].map(({ name }) => name);
  expect(all.slice(0, 52)).toEqual(Array.from({ length: 52 }, (_, at) => `Mine ${52 - at}`));
  expect(all).not.toContain("Theirs");
});

test("the playlists that one may add to are those with collaborators too, where Spotify tells of these", async () => {
  const collaborative = "playlist-read-private playlist-read-collaborative playlist-modify-private";
  const spotify = await start("extended", new Map(), collaborative);
  const shared = { name: "Ours", collaborative: true, followers: [musician] };
  const id = await playlist({ ...shared, musician: stranger });
  expect(await names(spotify().ownPlaylists(0))).toContain("Ours");
  expect(await spotify().addToPlaylist(id, song.trackId)).toBe("added");
  expect(await contentOf(id, stranger)).toEqual([song.trackId]);
});

test("the playlists that one may add to have no picture where the pages would not show it", async () => {
  const spotify = await start();
  await playlist({ name: "Bare" });
  const { playlists } = await spotify().ownPlaylists(0);
  expect(playlists[0]).toMatchObject({ name: "Bare", imageUrl: null, trackCount: 0 });
});

test("a new playlist is private and empty", async () => {
  const spotify = await start();
  const id = await spotify().createPlaylist("Fivefold finds");
  const { playlists } = await control("playlists");
  expect(playlists).toContainEqual(
    expect.objectContaining({ id, name: "Fivefold finds", public: false, trackIds: [] }),
  );
});

const add = "POST /v1/playlists/:id/items";

test.each([
  ["as its reference has it", 403, "Forbidden"],
  ["as it is reported", 500, "Server error"],
])(
  "where adding fails a full playlist is full also if Spotify says so %s",
  async (_name, status, message) => {
    const spotify = await start("development");
    const id = await playlist({ size: 10_000 });
    await control("fail", { route: add, status, body: { error: { status, message } } });
    expect(await spotify().addToPlaylist(id, song.trackId)).toBe("full");
  },
);

test.each([400, 403, 500, 502])(
  "where adding fails a refusal with %i that the playlist does not explain stays one",
  async (status) => {
    const spotify = await start("development");
    const id = await playlist({ size: 9_999 });
    await control("fail", { route: add, status, times: -1 });
    expect(await outcome(spotify().addToPlaylist(id, song.trackId))).toMatchObject({ status });
  },
);

test.each([
  { name: "somebody else's", status: 500, fields: { musician: stranger, followers: [musician] } },
  { name: "somebody else's", status: 502, fields: { musician: stranger, followers: [musician] } },
  { name: "full", status: 504, fields: { size: 10_000 } },
])(
  "where adding fails a playlist that is $name explains no $status: the song may be in it",
  async (row) => {
    const { status } = row;
    const spotify = await start("development");
    const id = await playlist(row.fields);
    await control("fail", { route: add, status, times: -1 });
    expect(await outcome(spotify().addToPlaylist(id, song.trackId))).toMatchObject({ status });
  },
);

test.each([0, 429])("where adding fails nothing is asked after status %i", async (status) => {
  const spotify = await start();
  const id = await playlist();
  await control("fail", { route: add, status, retryAfter: 60 });
  expect(await outcome(spotify().addToPlaylist(id, song.trackId))).toMatchObject({ status });
  expect(await requests()).toHaveLength(1);
});

test.each([0, 404, 429, 500])(
  "where adding fails and the playlist cannot be read (%i), it is gone only if Spotify says so",
  async (status) => {
    const spotify = await start("development");
    const id = await playlist();
    await control("fail", { route: add, status: 403 });
    await control("fail", { route: "GET /v1/playlists/:id", status, retryAfter: 60 });
    const result = await outcome(spotify().addToPlaylist(id, song.trackId));
    if (status === 404) expect(result).toBe("gone");
    else expect(result).toMatchObject({ status: 403 });
  },
);

test("an answer that cannot be read counts as an outage", async () => {
  const spotify = await start();
  await control("fail", { route: "GET /v1/me/playlists", status: 200, body: {} });
  const error = await outcome(spotify().ownPlaylists(0));
  expect(error instanceof SpotifyError && error.outage).toBe(true);
});
