import { env } from "cloudflare:workers";
import { afterEach, describe, expect, test, vi } from "vitest";
import { createDatabase } from "~/db/client.server";
import type { Viewer } from "~/members/viewer.server";
import { dayMs } from "~/platform/dates";
import { ratingsGiven } from "~/results/given.server";
import { type AddOutcome, type OwnPlaylist, SpotifyError } from "~/sources/spotify/client/spotify";
import type { Spotify } from "~/sources/spotify/client/web-api.server";
import { addToPlaylist } from "~/sources/spotify/library/add.server";
import { loadPlaylistPage } from "~/sources/spotify/library/choice.server";
import { contents, rowsOf } from "../../support/database/contents";
import { makeRating, makeSong, makeUser } from "../../support/database/factories";
import { makeViewer } from "../../support/login";
import { stubSpotify } from "../../support/spotify/stub";

const mine = "m".repeat(22);
/** Stands still: a busy machine takes none of the time that a press has. */
const clock = Date.now();
const now = () => clock;
const down = new SpotifyError(503, "Service unavailable");
const noPermission = new SpotifyError(403, "Insufficient client scope");

/** A fake Spotify with the playlists of one user. */
function playlistsOf(names: Record<string, string> = { [mine]: "Mine" }) {
  const holds = new Map<string, string[]>(Object.keys(names).map((id) => [id, []]));
  const named = new Map(Object.entries(names));
  const calls: string[] = [];
  const shown = (id: string): OwnPlaylist => ({
    id,
    name: named.get(id) ?? "",
    imageUrl: null,
    smallerArt: {},
    spotifyUrl: `https://open.spotify.com/playlist/${id}`,
    trackCount: holds.get(id)?.length ?? null,
  });
  const spotify = stubSpotify({
    async ownPlaylists(offset) {
      calls.push(`list ${offset}`);
      const ids = [...named.keys()].reverse();
      const nextOffset = offset + 2 < ids.length ? offset + 2 : null;
      return { playlists: ids.slice(offset, offset + 2).map(shown), nextOffset };
    },
    async createPlaylist(name) {
      const id = `${named.size}`.padStart(22, "n");
      // Slow, so that presses at once would overlap.
      await new Promise((resolve) => setTimeout(resolve, 20));
      named.set(id, name);
      holds.set(id, []);
      return id;
    },
    async playlistHolds(id, { trackId }) {
      calls.push(`holds ${id}`);
      return holds.get(id)?.includes(trackId) ?? false;
    },
    async addToPlaylist(id, trackId): Promise<AddOutcome> {
      await new Promise((resolve) => setTimeout(resolve, 20));
      holds.get(id)?.push(trackId);
      return "added";
    },
  });
  return { spotify, holds, named, calls };
}

/** Somebody who has rated a song. */
async function rated(score: 1 | 2 | 3 | 4 = 4) {
  const song = await makeSong(await makeUser());
  const user = await makeUser();
  await makeRating(user, song, { score, at: now() });
  const viewer = await makeViewer(user);
  const may = withGrant(viewer, true);
  return { song, user, viewer: may };
}

function withGrant(viewer: Viewer, mayAddToPlaylists: boolean): Viewer {
  const { session } = viewer;
  const spotify = session.spotify && { ...session.spotify, mayAddToPlaylists };
  return { ...viewer, session: { ...session, spotify } };
}

/** Lets the presses that wait for another one look again at once. */
function withoutWaiting(): void {
  vi.spyOn(globalThis, "setTimeout").mockImplementation((look) => {
    queueMicrotask(look as () => void);
    return 0 as never;
  });
}

afterEach(() => vi.restoreAllMocks());

const db = createDatabase(env.DB);

async function attested(): Promise<unknown> {
  const [row] = await rowsOf("SELECT in_playlist FROM ratings");
  return (row as { in_playlist: unknown }).in_playlist;
}

function adds(): Promise<unknown[]> {
  return rowsOf("SELECT playlist_id, playlist_name FROM playlist_adds ORDER BY playlist_id");
}

describe("putting a rated song into a playlist", () => {
  test("adds it once, however often it is pressed at the same time", async () => {
    const { song, viewer } = await rated();
    const { spotify, holds } = playlistsOf();
    const press = () =>
      addToPlaylist({ db, spotify, now }, viewer, {
        songId: song.id,
        playlist: mine,
        name: "Mine",
      });
    const answers = await Promise.all([press(), press(), press()]);
    expect(answers.map((answer) => (answer as { again: boolean }).again).sort()).toEqual([
      false,
      true,
      true,
    ]);
    expect(holds.get(mine)).toEqual([song.trackId]);
    expect(await adds()).toEqual([{ playlist_id: mine, playlist_name: "Mine" }]);
    expect(await attested()).toBe(1);
    const given = await ratingsGiven(db, viewer.session.id, null, {
      now: now(),
      isActivity: false,
    });
    expect(given?.songs.map(({ playlist }) => playlist)).toEqual(["Mine"]);
  });

  test("makes one Fivefold finds, however often it is pressed, and uses it for the next song", async () => {
    const { song, user, viewer } = await rated();
    const other = await makeSong(await makeUser());
    await makeRating(user, other, { at: now() });
    const { spotify, holds, named } = playlistsOf();
    const press = (songId: string) =>
      addToPlaylist({ db, spotify, now }, viewer, { songId, playlist: "finds", name: "" });
    await Promise.all([press(song.id), press(song.id), press(other.id)]);
    expect([...named.values()]).toEqual(["Mine", "Fivefold finds"]);
    const [, finds] = [...holds.values()];
    expect(finds?.toSorted()).toEqual([song.trackId, other.trackId].toSorted());
  });

  test.each([
    { of: "track", column: "track_id", same: "t".repeat(22) },
    { of: "recording", column: "isrc", same: "QZES72500001" },
  ])(
    "adds two songs that turn out to be one $of once, though Spotify's list is behind",
    async (row) => {
      const { user, viewer } = await rated();
      const { spotify, holds } = playlistsOf();
      const behind = { ...spotify, playlistHolds: async () => false };
      const answers = [];
      const songs = [await makeSong(await makeUser()), await makeSong(await makeUser())];
      for (const song of songs) await makeRating(user, song, { score: 4, at: now() });
      for (const song of songs) {
        const isTheSame = env.DB.prepare(`UPDATE songs SET ${row.column} = ? WHERE id = ?`);
        await isTheSame.bind(row.same, song.id).run();
      }
      for (const song of songs) {
        const asked = { songId: song.id, playlist: mine, name: "Mine" };
        answers.push(await addToPlaylist({ db, spotify: behind, now }, viewer, asked));
      }
      expect(answers).toMatchObject([{ again: false }, { again: true }]);
      expect(holds.get(mine)).toHaveLength(1);
      // To its owner each of them says that it is there.
      expect(await rowsOf("SELECT count(*) AS there FROM ratings WHERE in_playlist = 1")).toEqual([
        { there: 2 },
      ]);
    },
  );

  test("finds the user's own Fivefold finds on a later page of the list", async () => {
    const { song, viewer } = await rated();
    const old = "f".repeat(22);
    const { spotify, holds, named } = playlistsOf({
      [old]: "Fivefold finds",
      ...Object.fromEntries([1, 2, 3].map((n) => [`${n}`.repeat(22), `List ${n}`])),
    });
    const asked = { songId: song.id, playlist: "finds", name: "" };
    const answer = await addToPlaylist({ db, spotify, now }, viewer, asked);
    expect(answer).toEqual({ ok: true, playlistId: old, again: false });
    expect([named.size, holds.get(old)]).toEqual([4, [song.trackId]]);
  });

  test.each([
    { call: "ownPlaylists", ms: 12_000, playlist: "finds", lists: 12 },
    { call: "playlistHolds", ms: 61_000, playlist: mine, lists: 11 },
  ] as const)(
    "writes nothing once $call has been slow, and another press may be on",
    async (row) => {
      const { song, viewer } = await rated();
      const ids = [mine, ..."abcdefghij"].map((id) => id.padEnd(22, id));
      const { spotify, holds } = playlistsOf(Object.fromEntries(ids.map((id) => [id, "Mine"])));
      let passed = 0;
      const press = (client: typeof spotify) =>
        addToPlaylist({ db, spotify: client, now: () => now() + passed }, viewer, {
          songId: song.id,
          playlist: row.playlist,
          name: "Mine",
        });
      const read = spotify[row.call] as (...args: unknown[]) => Promise<never>;
      const slow = {
        ...spotify,
        async [row.call](...args: unknown[]) {
          const answer = await read(...args);
          passed += row.ms;
          if (passed > 60_000) await press(spotify);
          return answer;
        },
      };
      const told = expect.stringContaining("nothing was added");
      expect(await press(slow)).toMatchObject({ status: 503, error: told });
      passed = 61_000;
      expect(await press(spotify)).toMatchObject({ ok: true });
      expect([holds.size, [...holds.values()].flat()]).toEqual([row.lists, [song.trackId]]);
    },
  );

  test("a day after the rating, its owner learns of it no more", async () => {
    const { song, viewer } = await rated();
    const { spotify } = playlistsOf();
    const services = { db, spotify, now: () => now() + dayMs };
    const asked = { songId: song.id, playlist: mine, name: "Mine" };
    expect(await addToPlaylist(services, viewer, asked)).toMatchObject({ ok: true });
    expect(await adds()).toHaveLength(1);
    expect(await attested()).toBe(0);
  });

  test("leaves a playlist alone that holds the song already, which counts as being there", async () => {
    const { song, viewer } = await rated();
    const { spotify, holds } = playlistsOf();
    holds.get(mine)?.push(song.trackId);
    const asked = { songId: song.id, playlist: mine, name: "Mine" };
    const answer = await addToPlaylist({ db, spotify, now }, viewer, asked);
    expect(answer).toEqual({ ok: true, playlistId: mine, again: true });
    expect([holds.get(mine), await attested()]).toEqual([[song.trackId], 1]);
  });

  test("a song that was taken out at Spotify can be put back a minute later", async () => {
    const { song, viewer } = await rated();
    const { spotify, holds } = playlistsOf();
    const asked = { songId: song.id, playlist: mine, name: "Mine" };
    await addToPlaylist({ db, spotify, now }, viewer, asked);
    holds.set(mine, []);
    const later = () => now() + 61_000;
    const answer = await addToPlaylist({ db, spotify, now: later }, viewer, asked);
    expect(answer).toEqual({ ok: true, playlistId: mine, again: false });
  });

  test.each([1, 2, 3] as const)("a rating of %i says nothing of a playlist", async (score) => {
    const { song, viewer } = await rated(score);
    const { spotify } = playlistsOf();
    const asked = { songId: song.id, playlist: mine, name: "Mine" };
    await addToPlaylist({ db, spotify, now }, viewer, asked);
    expect([(await adds()).length, await attested()]).toEqual([1, 0]);
  });

  test("refuses a song that the user has not rated, and one that is not there", async () => {
    const { viewer } = await rated();
    const other = await makeSong(await makeUser());
    const services = { db, spotify: stubSpotify(), now };
    for (const [songId, status] of [
      [other.id, 409],
      ["none", 404],
    ] as const) {
      const asked = { songId, playlist: mine, name: "Mine" };
      expect(await addToPlaylist(services, viewer, asked)).toMatchObject({
        rejected: true,
        status,
      });
    }
    expect(await adds()).toEqual([]);
  });
});

describe("what Spotify refuses", () => {
  test.each([
    { outcome: "full", told: "is full" },
    { outcome: "gone", told: "is gone" },
    { outcome: "not yours", told: "somebody else's" },
  ] as const)("changes nothing where the playlist is $outcome", async ({ outcome, told }) => {
    const { song, viewer } = await rated();
    const { spotify } = playlistsOf();
    const before = await contents("users", "ratings", "playlist_adds");
    const services = { db, spotify: { ...spotify, addToPlaylist: async () => outcome }, now };
    const asked = { songId: song.id, playlist: mine, name: "Mine" };
    const answer = await addToPlaylist(services, viewer, asked);
    expect(answer).toMatchObject({ status: 409, error: expect.stringContaining(told) });
    expect(await contents("users", "ratings", "playlist_adds")).toEqual(before);
  });

  test("a lost answer is told, and the next press finds the song there", async () => {
    const { song, viewer } = await rated();
    const { spotify, holds } = playlistsOf();
    const losing = {
      ...spotify,
      async addToPlaylist(id: string, trackId: string): Promise<AddOutcome> {
        holds.get(id)?.push(trackId);
        throw new SpotifyError(0, "Spotify could not be reached");
      },
    };
    const asked = { songId: song.id, playlist: mine, name: "Mine" };
    const lost = await addToPlaylist({ db, spotify: losing, now }, viewer, asked);
    expect(lost).toMatchObject({ status: 503, error: expect.stringContaining("press again") });
    expect([await adds(), await attested()]).toEqual([[], 0]);
    withoutWaiting();
    const again = await addToPlaylist({ db, spotify, now }, viewer, asked);
    expect(again).toEqual({ ok: true, playlistId: mine, again: true });
    expect([holds.get(mine), await attested()]).toEqual([[song.trackId], 1]);
  });

  test.each([0, 500, 503, 504])(
    "what is given up with %i and carried out later is not done twice",
    async (status) => {
      const { song, viewer } = await rated();
      const { spotify, holds, named } = playlistsOf({});
      let ms = 0;
      const later: (() => Promise<unknown>)[] = [];
      const slow = {
        ...spotify,
        createPlaylist: (name: string) => givenUp(() => spotify.createPlaylist(name)),
        addToPlaylist: (id: string, trackId: string) =>
          givenUp(() => spotify.addToPlaylist(id, trackId)),
      };
      async function givenUp(write: () => Promise<unknown>): Promise<never> {
        later.push(write);
        throw new SpotifyError(status, "Spotify could not be reached");
      }
      const asked = { songId: song.id, playlist: "finds", name: "" };
      const press = (client: typeof spotify) =>
        addToPlaylist({ db, spotify: client, now: () => now() + ms }, viewer, asked);
      const busy = {
        status: 409,
        error: expect.stringContaining("still working on your last press"),
      };

      expect(await press(slow)).toMatchObject({ status: 503 });
      withoutWaiting();
      expect(await press(spotify)).toMatchObject(busy);
      vi.restoreAllMocks();
      await later[0]?.();
      ms = 61_000;
      expect(await press(slow)).toMatchObject({ status: 503 });
      withoutWaiting();
      expect(await press(spotify)).toMatchObject(busy);
      vi.restoreAllMocks();
      await later[1]?.();
      withoutWaiting();
      expect(await press(spotify)).toMatchObject({ ok: true, again: true });
      expect([[...named.values()], [...holds.values()]]).toEqual([
        ["Fivefold finds"],
        [[song.trackId]],
      ]);
      expect(await attested()).toBe(1);
    },
  );

  test.each<[string, Partial<Spotify>]>([
    ["is gone already", { addToPlaylist: async () => "gone" }],
    ["cannot be read", { playlistHolds: () => Promise.reject(down) }],
    ["may not be read", { playlistHolds: () => Promise.reject(noPermission) }],
    ["takes nothing now", { addToPlaylist: () => Promise.reject(new SpotifyError(429, "Wait")) }],
  ])("a Fivefold finds that was just made and %s is not made twice", async (_name, fault) => {
    const { song, viewer } = await rated();
    const { spotify, named, holds } = playlistsOf({});
    // Spotify's list lacks what was just made.
    const stale = { ...spotify, ownPlaylists: async () => ({ playlists: [], nextOffset: null }) };
    const asked = { songId: song.id, playlist: "finds", name: "" };
    const failed = await addToPlaylist({ db, spotify: { ...stale, ...fault }, now }, viewer, asked);
    expect(failed).not.toMatchObject({ ok: true });
    withoutWaiting();
    expect(await addToPlaylist({ db, spotify: stale, now }, viewer, asked)).toMatchObject({
      status: 409,
      error: expect.stringContaining("still working on your last press"),
    });
    vi.restoreAllMocks();
    const later = { db, spotify, now: () => now() + 61_000 };
    expect(await addToPlaylist(later, viewer, asked)).toMatchObject({ ok: true, again: false });
    expect([[...named.values()], [...holds.values()]]).toEqual([
      ["Fivefold finds"],
      [[song.trackId]],
    ]);
  });

  test.each([
    { fault: down, status: 503 },
    { fault: new SpotifyError(400, "Bad request"), status: 502 },
    { fault: new SpotifyError(401, "No token"), status: 401 },
  ])("$fault.message is told with $status, and the next press goes through", async (row) => {
    const { song, viewer } = await rated();
    const { spotify } = playlistsOf();
    const failing = { ...spotify, playlistHolds: () => Promise.reject(row.fault) };
    const asked = { songId: song.id, playlist: mine, name: "Mine" };
    const refused = await addToPlaylist({ db, spotify: failing, now }, viewer, asked);
    expect(refused).toMatchObject({ rejected: true, status: row.status });
    expect(await adds()).toEqual([]);
    expect(await addToPlaylist({ db, spotify, now }, viewer, asked)).toMatchObject({ ok: true });
  });

  test("a refusal for a reason of its own is told in plain words, and logged in Spotify's", async () => {
    const { song, viewer } = await rated();
    const { spotify } = playlistsOf();
    const fault = new SpotifyError(403, "User not registered");
    const refusing = { ...spotify, addToPlaylist: () => Promise.reject(fault) };
    const log = vi.spyOn(console, "log").mockReturnValue();
    const asked = { songId: song.id, playlist: mine, name: "Mine" };
    const refused = await addToPlaylist({ db, spotify: refusing, now }, viewer, asked);
    const lines = log.mock.calls.map(([line]) => JSON.parse(String(line)));
    log.mockRestore();
    expect(refused).toEqual({
      rejected: true,
      status: 502,
      error:
        "Spotify did not let us add the song, so nothing was changed. Please choose another playlist, or try again later.",
    });
    const error = "SpotifyError: HTTP 403: User not registered";
    expect(lines).toEqual([{ event: "spotify_refused", status: 403, error }]);
    expect(await adds()).toEqual([]);
  });

  test("an unexpected fault leaves the way free for the next press", async () => {
    const { song, viewer } = await rated();
    const { spotify } = playlistsOf();
    const broken = { ...spotify, addToPlaylist: () => Promise.reject(new Error("a bug")) };
    const asked = { songId: song.id, playlist: mine, name: "Mine" };
    await expect(addToPlaylist({ db, spotify: broken, now }, viewer, asked)).rejects.toThrow();
    expect(await addToPlaylist({ db, spotify, now }, viewer, asked)).toMatchObject({ ok: true });
  });

  test("a permission that was taken back is forgotten, so that the page asks for it", async () => {
    const { song, viewer } = await rated();
    await env.DB.prepare("UPDATE sessions SET may_add_to_playlists = 1").run();
    const spotify = stubSpotify({ playlistHolds: () => Promise.reject(noPermission) });
    const asked = { songId: song.id, playlist: mine, name: "Mine" };
    expect(await addToPlaylist({ db, spotify, now }, viewer, asked)).toBe("permission");
    expect(await rowsOf("SELECT may_add_to_playlists AS may FROM sessions")).toEqual([{ may: 0 }]);
    expect(await adds()).toEqual([]);
  });
});

describe("the page", () => {
  const openUrl = "https://open.spotify.com";
  const first = { added: null, from: 0 };

  test("offers the own playlists, with Fivefold finds apart, and says which hold the song", async () => {
    const { song, viewer } = await rated();
    const finds = "f".repeat(22);
    const { spotify, named } = playlistsOf({ [mine]: "Mine", [finds]: "Fivefold finds" });
    await addToPlaylist({ db, spotify, now }, viewer, {
      songId: song.id,
      playlist: mine,
      name: "Mine",
    });
    named.set("x".repeat(22), "Newest");
    const services = { db, spotify, openUrl, now };
    const page = await loadPlaylistPage(services, viewer, { songId: song.id, ...first });
    expect(page).toMatchObject({
      back: `/?rated=${song.id}`,
      choice: { finds: { id: finds }, playlists: [{ name: "Newest", holds: false }], next: 2 },
    });
    const older = await loadPlaylistPage(services, viewer, {
      songId: song.id,
      added: null,
      from: 2,
    });
    expect(older).toMatchObject({
      choice: { finds: null, playlists: [{ name: "Mine", holds: true }], next: null },
    });
  });

  test("says what was added by what is recorded alone, without asking Spotify", async () => {
    const { song, viewer } = await rated();
    const { spotify } = playlistsOf();
    const asked = { songId: song.id, playlist: mine, name: "Mine" };
    await addToPlaylist({ db, spotify, now }, viewer, asked);
    const services = { db, spotify: stubSpotify(), openUrl, now };
    const page = await loadPlaylistPage(services, viewer, {
      ...first,
      songId: song.id,
      added: mine,
    });
    expect(page).toMatchObject({
      added: { name: "Mine", url: `${openUrl}/playlist/${mine}` },
      choice: null,
    });
    const made = await loadPlaylistPage({ ...services, spotify }, viewer, {
      ...first,
      songId: song.id,
      added: "of no such playlist",
    });
    expect(made).toMatchObject({ added: null });
  });

  test("asks for nothing at Spotify without the permission, and again once it is taken back", async () => {
    const { song, viewer } = await rated();
    await env.DB.prepare("UPDATE sessions SET may_add_to_playlists = 1").run();
    const nothing = { added: null, choice: null, problem: null };
    const asked = { ...first, songId: song.id };
    const without = withGrant(viewer, false);
    const services = { db, spotify: stubSpotify(), openUrl, now };
    expect(await loadPlaylistPage(services, without, asked)).toMatchObject(nothing);
    const spotify = stubSpotify({ ownPlaylists: () => Promise.reject(noPermission) });
    expect(await loadPlaylistPage({ ...services, spotify }, viewer, asked)).toMatchObject(nothing);
    expect(await rowsOf("SELECT may_add_to_playlists AS may FROM sessions")).toEqual([{ may: 0 }]);
  });

  test.each([
    { fault: down, told: "Spotify is not answering right now. Please try again in a moment." },
    {
      fault: new SpotifyError(403, "User not registered"),
      told: "Spotify did not show us your playlists. Please try again later.",
    },
  ])("says in plain words that Spotify answers with $fault.message", async ({ fault, told }) => {
    const { song, viewer } = await rated();
    const spotify = stubSpotify({ ownPlaylists: () => Promise.reject(fault) });
    const services = { db, spotify, openUrl, now };
    const page = await loadPlaylistPage(services, viewer, { ...first, songId: song.id });
    expect(page).toMatchObject({ problem: told, choice: null });
  });

  test("is only for songs that the viewer has rated", async () => {
    const { viewer } = await rated();
    const other = await makeSong(await makeUser());
    const services = { db, spotify: stubSpotify(), openUrl, now };
    const page = await loadPlaylistPage(services, viewer, { ...first, songId: other.id });
    expect(page).toMatchObject({ rejected: true, status: 409 });
  });
});
