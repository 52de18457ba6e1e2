import { afterEach, expect, test, vi } from "vitest";
import { dayMs } from "~/platform/dates";
import { ratingsGiven } from "~/results/given.server";
import { type AddOutcome, type OwnPlaylist, SpotifyError } from "~/sources/spotify/client/spotify";
import type { Spotify } from "~/sources/spotify/client/web-api.server";
import { addToPlaylist } from "~/sources/spotify/library/add.server";
import { loadPlaylistPage } from "~/sources/spotify/library/choice.server";
import { makeRating } from "../../support/database/factories";
import { change, db, row, rows, untouched } from "../../support/database/rows";
import { someone, song } from "../../support/people";
import { stubSpotify } from "../../support/spotify/stub";

const mine = "m".repeat(22);
const finds = "f".repeat(22);
/** Stands still: a busy machine takes none of the time that a press has. */
const clock = Date.now();
const openUrl = "https://open.spotify.com";

/** A fake Spotify with the playlists of one user. */
function playlistsOf(names: Record<string, string>) {
  const holds = new Map<string, string[]>(Object.keys(names).map((id) => [id, []]));
  const named = new Map(Object.entries(names));
  const shown = (id: string): OwnPlaylist => ({
    id,
    name: named.get(id) ?? "",
    imageUrl: null,
    smallerArt: {},
    spotifyUrl: `${openUrl}/playlist/${id}`,
    trackCount: holds.get(id)?.length ?? null,
  });
  const spotify = stubSpotify({
    async ownPlaylists(offset) {
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
    playlistHolds: async (id, { trackId }) => holds.get(id)?.includes(trackId) ?? false,
    async addToPlaylist(id, trackId): Promise<AddOutcome> {
      await new Promise((resolve) => setTimeout(resolve, 20));
      holds.get(id)?.push(trackId);
      return "added";
    },
  });
  return { spotify, holds, named };
}

/** Somebody who has rated a song, with their playlists at Spotify. */
async function rated(score: 1 | 2 | 3 | 4 = 4, names: Record<string, string> = { [mine]: "Mine" }) {
  const it = await song();
  const user = await someone();
  await makeRating(user, it, { score, at: clock });
  await user.viewer();
  await change("sessions", { userId: user.id }, { mayAddToPlaylists: true });
  const playlists = playlistsOf(names);
  const world = {
    ...{ it, user, ...playlists, late: 0 },
    /** Spotify answers by `fault` where that has an answer. */
    async press(fault: Partial<Spotify> = {}, { playlist = mine, songId = it.id } = {}) {
      const spotify = { ...playlists.spotify, ...fault };
      const services = { db, spotify, now: () => clock + world.late };
      return addToPlaylist(services, await user.viewer(), { songId, playlist, name: "Mine" });
    },
    async look(spotify: Spotify, { songId = it.id, added = null as string | null, from = 0 } = {}) {
      const services = { db, spotify, openUrl, now: () => clock };
      return loadPlaylistPage(services, await user.viewer(), { songId, added, from });
    },
    /** The playlists' names, and the tracks that are in any of them. */
    all: () => [[...playlists.named.values()], [...playlists.holds.values()].flat()],
  };
  return world;
}

const intoFinds = { playlist: "finds" };
const saying = (text: string) => expect.stringContaining(text);
const busy = { status: 409, error: saying("still working on your last press") };
const refuse = (status: number, text = "") => Promise.reject(new SpotifyError(status, text));
const scope = "Insufficient client scope";

/** Lets the presses that wait for another one look again at once. */
function withoutWaiting(): void {
  vi.spyOn(globalThis, "setTimeout").mockImplementation((look) => {
    queueMicrotask(look as () => void);
    return 0 as never;
  });
}

afterEach(() => vi.restoreAllMocks());

const attested = async () => (await row("ratings")).inPlaylist;
const adds = () => rows("playlistAdds");
const mayAdd = async () => (await row("sessions")).mayAddToPlaylists;

test("a song pressed several times at once is added once, and the list of given ratings says where", async () => {
  const { it, user, press, holds } = await rated();
  const answers = await Promise.all([press(), press(), press()]);
  const again = answers.map((answer) => (answer as { again: boolean }).again);
  expect(again.sort()).toEqual([false, true, true]);
  expect(holds.get(mine)).toEqual([it.trackId]);
  expect(await adds()).toMatchObject([{ playlistId: mine, playlistName: "Mine" }]);
  expect(await attested()).toBe(true);
  const { session } = await user.viewer();
  const given = await ratingsGiven(db, session.id, null, { now: clock, isActivity: false });
  expect(given?.songs.map(({ playlist }) => playlist)).toEqual(["Mine"]);
});

test("Fivefold finds is made once, however often it is pressed, and used for the next song", async () => {
  const { it, user, press, named, holds } = await rated();
  const other = await song();
  await makeRating(user, other, { at: clock });
  const pressOther = () => press({}, { ...intoFinds, songId: other.id });
  await Promise.all([press({}, intoFinds), press({}, intoFinds), pressOther()]);
  expect([...named.values()]).toEqual(["Mine", "Fivefold finds"]);
  const [, found] = [...holds.values()];
  expect(found?.toSorted()).toEqual([it.trackId, other.trackId].toSorted());
});

test.each<{ trackId?: string; isrc?: string }>([
  { trackId: "t".repeat(22) },
  { isrc: "QZES72500001" },
])(
  "two songs that turn out to have one %o are added once, though Spotify's list is behind",
  async (same) => {
    const { user, press, holds } = await rated();
    const songs = [await song(), await song()];
    for (const one of songs) await makeRating(user, one, { score: 4, at: clock });
    const answers = [];
    for (const { id } of songs) await change("songs", { id }, same);
    for (const { id } of songs) {
      answers.push(await press({ playlistHolds: async () => false }, { songId: id }));
    }
    expect(answers).toMatchObject([{ again: false }, { again: true }]);
    expect(holds.get(mine)).toHaveLength(1);
    // To its owner each of them says that it is there.
    expect(await rows("ratings", { inPlaylist: true })).toHaveLength(2);
  },
);

test("the user's own Fivefold finds is found on a later page of the list", async () => {
  const others = [1, 2, 3].map((n) => [`${n}`.repeat(22), `List ${n}`]);
  const names = { [finds]: "Fivefold finds", ...Object.fromEntries(others) };
  const { it, press, named, holds } = await rated(4, names);
  expect(await press({}, intoFinds)).toEqual({ ok: true, playlistId: finds, again: false });
  expect([named.size, holds.get(finds)]).toEqual([4, [it.trackId]]);
});

test.each([
  { call: "ownPlaylists", ms: 12_000, asked: intoFinds, lists: 12 },
  { call: "playlistHolds", ms: 61_000, asked: {}, lists: 11 },
] as const)(
  "nothing is written once $call has been slow, and another press may be on",
  async (slow) => {
    const ids = [mine, ..."abcdefghij"].map((id) => id.padEnd(22, id));
    const world = await rated(4, Object.fromEntries(ids.map((id) => [id, "Mine"])));
    const read = world.spotify[slow.call] as (...args: unknown[]) => Promise<never>;
    const slowly = async (...args: unknown[]) => {
      const answer = await read(...args);
      world.late += slow.ms;
      if (world.late > 60_000) await world.press({}, slow.asked);
      return answer;
    };
    const told = { status: 503, error: saying("nothing was added") };
    expect(await world.press({ [slow.call]: slowly }, slow.asked)).toMatchObject(told);
    world.late = 61_000;
    expect(await world.press({}, slow.asked)).toMatchObject({ ok: true });
    const [, tracks] = world.all();
    expect([world.holds.size, tracks]).toEqual([slow.lists, [world.it.trackId]]);
  },
);

test.each([
  { score: 1, days: 0 },
  { score: 2, days: 0 },
  { score: 3, days: 0 },
  { score: 4, days: 1 },
] as const)(
  "the owner learns nothing of an addition $days days after a rating of $score",
  async ({ score, days }) => {
    const world = await rated(score);
    world.late = days * dayMs;
    expect(await world.press()).toMatchObject({ ok: true });
    expect([(await adds()).length, await attested()]).toEqual([1, false]);
  },
);

test("a playlist that holds the song already is left alone, and counts as true", async () => {
  const { it, press, holds } = await rated();
  holds.get(mine)?.push(it.trackId);
  expect(await press()).toEqual({ ok: true, playlistId: mine, again: true });
  expect([holds.get(mine), await attested()]).toEqual([[it.trackId], true]);
});

test("a song that was taken out at Spotify can be put back a minute later", async () => {
  const world = await rated();
  await world.press();
  world.holds.set(mine, []);
  world.late = 61_000;
  expect(await world.press()).toEqual({ ok: true, playlistId: mine, again: false });
});

test("a song that the user has not rated is refused, with its page, and one that is not there", async () => {
  const { press, look } = await rated();
  const { id } = await song();
  await untouched(async () => {
    const [unrated, gone] = [await press({}, { songId: id }), await press({}, { songId: "none" })];
    expect([unrated, gone]).toMatchObject([{ status: 409 }, { status: 404 }]);
  });
  expect(await look(stubSpotify(), { songId: id })).toMatchObject({ rejected: true, status: 409 });
});

test.each([
  { outcome: "full", told: "is full" },
  { outcome: "gone", told: "is gone" },
  { outcome: "not yours", told: "somebody else's" },
] as const)("a playlist that is $outcome changes nothing here", async ({ outcome, told }) => {
  const { press } = await rated();
  const answer = await press({ addToPlaylist: async () => outcome });
  expect(answer).toMatchObject({ status: 409, error: saying(told) });
  expect([await adds(), await attested()]).toEqual([[], false]);
});

test("a lost answer is told, and the next press finds the song there", async () => {
  const { it, press, holds } = await rated();
  const lost = await press({
    async addToPlaylist(id, trackId) {
      holds.get(id)?.push(trackId);
      return refuse(0);
    },
  });
  expect(lost).toMatchObject({ status: 503, error: saying("Press again") });
  expect([await adds(), await attested()]).toEqual([[], false]);
  withoutWaiting();
  expect(await press()).toEqual({ ok: true, playlistId: mine, again: true });
  expect([holds.get(mine), await attested()]).toEqual([[it.trackId], true]);
});

test.each([0, 500, 503, 504])(
  "what is given up with %i and carried out later is not done twice",
  async (status) => {
    const world = await rated(4, {});
    const { spotify, press } = world;
    const later: (() => Promise<unknown>)[] = [];
    async function givenUp(write: () => Promise<unknown>): Promise<never> {
      later.push(write);
      return refuse(status);
    }
    const slow: Partial<Spotify> = {
      createPlaylist: (name) => givenUp(() => spotify.createPlaylist(name)),
      addToPlaylist: (id, trackId) => givenUp(() => spotify.addToPlaylist(id, trackId)),
    };
    for (const write of [0, 1]) {
      world.late = write * 61_000;
      expect(await press(slow, intoFinds)).toMatchObject({ status: 503 });
      withoutWaiting();
      expect(await press({}, intoFinds)).toMatchObject(busy);
      vi.restoreAllMocks();
      await later[write]?.();
    }
    withoutWaiting();
    expect(await press({}, intoFinds)).toMatchObject({ ok: true, again: true });
    expect(world.all()).toEqual([["Fivefold finds"], [world.it.trackId]]);
    expect(await attested()).toBe(true);
  },
);

test.each<[string, Partial<Spotify>]>([
  ["is gone already", { addToPlaylist: async () => "gone" }],
  ["cannot be read", { playlistHolds: () => refuse(503) }],
  ["may not be read", { playlistHolds: () => refuse(403, scope) }],
  ["takes nothing now", { addToPlaylist: () => refuse(429) }],
])("a Fivefold finds that was just made and %s is not made twice", async (_name, fault) => {
  const world = await rated(4, {});
  // Spotify's list lacks what was just made.
  const stale = { ownPlaylists: async () => ({ playlists: [], nextOffset: null }) };
  const failed = await world.press({ ...stale, ...fault }, intoFinds);
  expect(failed).not.toMatchObject({ ok: true });
  withoutWaiting();
  expect(await world.press(stale, intoFinds)).toMatchObject(busy);
  vi.restoreAllMocks();
  world.late = 61_000;
  expect(await world.press({}, intoFinds)).toMatchObject({ ok: true, again: false });
  expect(world.all()).toEqual([["Fivefold finds"], [world.it.trackId]]);
});

test.each([
  { fault: 503, status: 503 },
  { fault: 400, status: 502 },
  { fault: 401, status: 401 },
])("Spotify's $fault is told with $status, and the next press goes through", async (told) => {
  const { press } = await rated();
  const refused = await press({ playlistHolds: () => refuse(told.fault) });
  expect(refused).toMatchObject({ rejected: true, status: told.status });
  expect(await adds()).toEqual([]);
  expect(await press()).toMatchObject({ ok: true });
});

test("a refusal for a reason of its own is told in plain words, and logged in Spotify's", async () => {
  const { press } = await rated();
  const log = vi.spyOn(console, "log").mockReturnValue();
  const refused = await press({ addToPlaylist: () => refuse(403, "User not registered") });
  const lines = log.mock.calls.map(([line]) => JSON.parse(String(line)));
  log.mockRestore();
  const told =
    "Spotify did not let us add the song, so nothing was changed. Choose another playlist, or try again later.";
  expect(refused).toEqual({ rejected: true, status: 502, error: told });
  const error = "SpotifyError: HTTP 403: User not registered";
  expect(lines).toEqual([{ event: "spotify_refused", status: 403, error }]);
  expect(await adds()).toEqual([]);
});

test("an unexpected fault leaves the way free for the next press", async () => {
  const { press } = await rated();
  const bug = () => Promise.reject(new Error("a bug"));
  await expect(press({ addToPlaylist: bug })).rejects.toThrow();
  expect(await press()).toMatchObject({ ok: true });
});

test("a permission that was taken back is forgotten, so that the page asks for it", async () => {
  const { press } = await rated();
  expect(await press({ playlistHolds: () => refuse(403, scope) })).toBe("permission");
  expect([await mayAdd(), await adds()]).toEqual([false, []]);
});

test("the page offers the own playlists, with Fivefold finds apart, and says which hold the song", async () => {
  const names = { [mine]: "Mine", [finds]: "Fivefold finds" };
  const { press, look, spotify, named } = await rated(4, names);
  await press();
  named.set("x".repeat(22), "Newest");
  expect(await look(spotify)).toMatchObject({
    choice: { finds: { id: finds }, playlists: [{ name: "Newest", holds: false }], next: 2 },
  });
  expect(await look(spotify, { from: 2 })).toMatchObject({
    choice: { finds: null, playlists: [{ name: "Mine", holds: true }], next: null },
  });
});

test("the page says what was added by what is recorded alone, without asking Spotify", async () => {
  const { press, look, spotify } = await rated();
  await press();
  const url = `${openUrl}/playlist/${mine}`;
  const page = await look(stubSpotify(), { added: mine });
  expect(page).toMatchObject({ added: { name: "Mine", url }, choice: null });
  expect(await look(spotify, { added: "of no such playlist" })).toMatchObject({ added: null });
});

test("the page asks for nothing at Spotify without the permission, nor once it is taken back", async () => {
  const { look } = await rated();
  const nothing = { added: null, choice: null, problem: null };
  const page = await look(stubSpotify({ ownPlaylists: () => refuse(403, scope) }));
  expect([page, await mayAdd()]).toMatchObject([nothing, false]);
  expect(await look(stubSpotify())).toMatchObject(nothing);
});

test.each([
  [503, "", "Spotify is not answering right now. Try again in a moment."],
  [403, "User not registered", "Spotify did not show us your playlists. Try again later."],
])("the page says in plain words that Spotify answers with %i %s", async (status, text, told) => {
  const { look } = await rated();
  const page = await look(stubSpotify({ ownPlaylists: () => refuse(status, text) }));
  expect(page).toMatchObject({ problem: told, choice: null });
});

test.each([
  { ago: 0, leads: "back to the rating" },
  { ago: 16 * 60_000, leads: "to the carousel" },
])(
  "$ago ms after a rating, while its reasons can be given or not, its playlists lead $leads",
  async ({ ago }) => {
    const it = await song();
    const who = await someone();
    await makeRating(who, it, { at: Date.now() - ago });
    const page = await who.reads(`/songs/${it.id}/playlist`);
    expect(page.includes(`href="/?rated=${it.id}"`)).toBe(ago === 0);
  },
);
