/** What is stored of songs follows what Spotify says: at a listen, and once a month. */
import { env } from "cloudflare:workers";
import { beforeEach, expect, test } from "vitest";
import { createDatabase } from "~/db/client.server";
import { confirmListen } from "~/exchange/listening/listening.server";
import { rateSong } from "~/exchange/rating/rate.server";
import { writeRest } from "~/exchange/rotation/unplayable.server";
import { readConfig } from "~/platform/env";
import type { FoundTrack } from "~/sources/catalogue";
import { createCatalogueAccess } from "~/sources/spotify/access.server";
import { SpotifyError } from "~/sources/spotify/client/spotify";
import type { Spotify } from "~/sources/spotify/client/web-api.server";
import { lookAtOldSongs } from "~/sources/spotify/track-refresh.server";
import { trackOf } from "../../support/catalogue";
import { rowsOf } from "../../support/database/contents";
import {
  baseTime,
  makeListen,
  makeSong,
  makeUser,
  type TestSong,
} from "../../support/database/factories";
import { makeViewer } from "../../support/login";
import { noteQueued } from "../../support/mail-queue";
import { control } from "../../support/sandbox";
import { servicesAt } from "../../support/services";
import { catalogue, playing, stubSpotify } from "../../support/spotify/stub";

const db = createDatabase(env.DB);
const config = readConfig(env);
const unlock = baseTime + 56_000;
const day = 86_400_000;
const month = 30 * day;

let mailQueue = noteQueued();
beforeEach(() => {
  mailQueue = noteQueued();
});

/** What Spotify says of a song, different from what is stored in this. */
function said(song: TestSong, changes: Partial<FoundTrack> = {}): FoundTrack {
  return { ...song, artistIds: [], playable: true, hidden: false, relinked: false, ...changes };
}

/** A listener who has heard a song for its time, and what they then do by themselves. */
async function hearing(song: TestSong) {
  const listener = await makeUser();
  await makeListen(listener, song, { startedAt: baseTime, requiredSeconds: 55 });
  const viewer = await makeViewer(listener);
  const services = (track: FoundTrack | null, at = unlock) =>
    servicesAt(at, { spotify: playing(song, { track }), mailQueue });
  return {
    confirm: (track: FoundTrack | null, at?: number) =>
      confirmListen(services(track, at), viewer, song.id),
    rate: (track: FoundTrack) => rateSong(services(track), viewer, { songId: song.id, score: 3 }),
  };
}

function stored() {
  return rowsOf("SELECT title, art_url, smaller_art, duration_ms, fetched_at FROM songs");
}

/** How many rows of `songs` are written meanwhile. */
async function songsWritten(act: () => Promise<unknown>): Promise<number> {
  await env.DB.batch([
    env.DB.prepare("CREATE TABLE written (id TEXT)"),
    env.DB.prepare(
      "CREATE TRIGGER note_written AFTER UPDATE ON songs BEGIN INSERT INTO written VALUES (NEW.id); END",
    ),
  ]);
  try {
    await act();
    return (await rowsOf("SELECT id FROM written")).length;
  } finally {
    await env.DB.batch([
      env.DB.prepare("DROP TRIGGER note_written"),
      env.DB.prepare("DROP TABLE written"),
    ]);
  }
}

test("a confirmed listen writes what has changed of the song, and a rating does so too", async () => {
  const song = await makeSong(await makeUser());
  const { confirm } = await hearing(song);
  const art = { artUrl: "https://i.scdn.co/image/b", smallerArt: { 64: "https://i.scdn.co/c" } };
  expect(await confirm(said(song, { title: "Renamed", ...art }))).toEqual({ ok: true });
  expect(await stored()).toEqual([
    {
      title: "Renamed",
      art_url: art.artUrl,
      smaller_art: JSON.stringify(art.smallerArt),
      duration_ms: 180_000,
      fetched_at: unlock,
    },
  ]);
  const { rate } = await hearing(song);
  const later = { title: "Renamed again" };
  await env.DB.prepare("UPDATE songs SET fetched_at = fetched_at - 1").run();
  expect(await rate(said(song, later))).toEqual({ ok: true });
  expect(await stored()).toEqual([expect.objectContaining(later)]);
});

test("a song that Spotify marks as explicit since is marked", async () => {
  const song = await makeSong(await makeUser());
  const { confirm } = await hearing(song);
  expect(await confirm(said(song, { explicit: true }))).toEqual({ ok: true });
  expect(await rowsOf("SELECT explicit FROM songs")).toEqual([{ explicit: 1 }]);
});

test("nothing is written where nothing has changed, or of another track", async () => {
  const song = await makeSong(await makeUser());
  for (const track of [
    said(song),
    null,
    said(song, { relinked: true, title: "The relinked one" }),
    said(song, { trackId: "0".repeat(22), title: "Another edition" }),
    said(song, { durationMs: 4_000 }),
  ]) {
    const { confirm } = await hearing(song);
    expect(await songsWritten(() => confirm(track))).toBe(0);
  }
});

test("a listen that is not confirmed writes nothing", async () => {
  const song = await makeSong(await makeUser());
  const { confirm } = await hearing(song);
  const early = await confirm(said(song, { title: "Early" }), unlock - 20_000);
  expect(early).toMatchObject({ status: 409 });
  expect(await stored()).toEqual([expect.objectContaining({ title: song.title })]);
});

test("of two listeners at once the answer that was asked for later stands", async () => {
  const song = await makeSong(await makeUser());
  const [one, other] = [await hearing(song), await hearing(song)];
  await Promise.all([
    one.confirm(said(song, { title: "Newer", durationMs: 181_000 }), unlock + 500),
    other.confirm(said(song, { title: "Older", durationMs: 190_000 }), unlock),
  ]);
  expect(await stored()).toEqual([
    expect.objectContaining({ title: "Newer", fetched_at: unlock + 500 }),
  ]);
  expect(await rowsOf("SELECT id FROM songs WHERE duration_ms < 181000")).toEqual([]);
});

/** One run of the monthly look, a month after the songs of these tests were read. */
function look(track: Spotify["track"], at = baseTime + month + 1, clientIds = ["one"]) {
  const services = { db, mailQueue, now: () => at, random: () => 0 };
  return lookAtOldSongs({
    ...services,
    clientIds,
    letRest: (song) => writeRest(services, song),
    catalogue: () => stubSpotify({ track }),
  });
}

test("songs are looked at once a month, forty in a run, and each once", async () => {
  const owner = await makeUser();
  const songs: TestSong[] = [];
  for (let n = 0; n < 45; n += 1) songs.push(await makeSong(owner));
  // All were read at the same time, and stand in another order than that of their ids.
  await env.DB.prepare("UPDATE songs SET rowid = 1000 - rowid").run();
  const { track } = catalogue(...songs);
  expect(await look(track, baseTime + month)).toEqual({ looked: 0, changed: 0, gone: 0 });
  expect(await look(track)).toEqual({ looked: 40, changed: 0, gone: 0 });
  const left = await rowsOf("SELECT id FROM songs WHERE fetched_at = ? ORDER BY id", baseTime);
  expect(left).toEqual(songs.slice(40).map(({ id }) => ({ id })));
  expect(await look(track)).toEqual({ looked: 5, changed: 0, gone: 0 });
  expect(await look(track)).toEqual({ looked: 0, changed: 0, gone: 0 });
});

test("the look writes what has changed, names and shorter lengths as well", async () => {
  const song = await makeSong(await makeUser());
  const changed = { artists: ["New name"], artistIds: ["1new"], durationMs: 60_000 };
  expect(await look(async () => said(song, changed))).toEqual({ looked: 1, changed: 1, gone: 0 });
  expect(await rowsOf("SELECT artists, artist_ids, duration_ms, fetched_at FROM songs")).toEqual([
    {
      artists: '["New name"]',
      artist_ids: '["1new"]',
      duration_ms: 60_000,
      fetched_at: baseTime + month + 1,
    },
  ]);
});

test("a song that Spotify no longer knows rests, and its owner is told once", async () => {
  const owner = await makeUser();
  const [gone, there] = [await makeSong(owner), await makeSong(owner)];
  const { track } = catalogue(there);
  expect(await look(track)).toEqual({ looked: 2, changed: 0, gone: 1 });
  expect(await rowsOf("SELECT id FROM songs WHERE resting_since IS NOT NULL")).toEqual([
    { id: gone.id },
  ]);
  expect(await rowsOf("SELECT user_id, kind, subject_id FROM outbox")).toEqual([
    { user_id: owner.id, kind: "resting", subject_id: gone.id },
  ]);
  expect(await look(track, baseTime + 3 * month)).toMatchObject({ gone: 1 });
  expect(await rowsOf("SELECT id FROM outbox")).toHaveLength(1);
});

test("where Spotify knows no song at all, none rests", async () => {
  const owner = await makeUser();
  await makeSong(owner);
  const fresh = await makeSong(owner, { submittedAt: [baseTime + month] });
  const before = await rowsOf("SELECT id, fetched_at, resting_since FROM songs");
  expect(await look(async () => null)).toEqual({ looked: 0, changed: 0, gone: 0 });
  expect(await rowsOf("SELECT id, fetched_at, resting_since FROM songs")).toEqual(before);
  // Another song that it knows makes the answer certain.
  const { track } = catalogue(fresh);
  expect(await look(track)).toMatchObject({ gone: 1 });
});

test("where Spotify suddenly knows hardly any of the songs, none rests, and it is asked again of some a day", async () => {
  const owner = await makeUser();
  const songs = await Promise.all(Array.from({ length: 9 }, () => makeSong(owner)));
  const { track } = catalogue(...songs.slice(0, 2));
  expect(await look(track)).toEqual({ looked: 2, changed: 0, gone: 0 });
  expect(await rowsOf("SELECT id FROM songs WHERE resting_since IS NOT NULL")).toEqual([]);
  expect(await rowsOf("SELECT id FROM outbox")).toEqual([]);
  const all = catalogue(...songs).track;
  expect(await look(all)).toMatchObject({ looked: 0 });
  expect(await look(all, baseTime + month + day + 2)).toMatchObject({ looked: 5, gone: 0 });
  expect(await look(all, baseTime + month + 2 * day + 2)).toMatchObject({ looked: 2, gone: 0 });
});

test("many songs that Spotify has dropped at once rest within days", async () => {
  const owner = await makeUser();
  const songs = await Promise.all(Array.from({ length: 9 }, () => makeSong(owner)));
  const { track } = catalogue(...songs.slice(0, 2));
  const found = [];
  for (const days of [0, 1, 2])
    found.push(await look(track, baseTime + month + 2 + days * (day + 1)));
  expect(found.map(({ gone }) => gone)).toEqual([0, 5, 2]);
});

test.each([
  ["down", new SpotifyError(0, "no answer")],
  ["faulty", new SpotifyError(503, "Service unavailable")],
  ["sending garbage", new SpotifyError(502, "Spotify's answer could not be read")],
  ["refusing the app", new SpotifyError(401, "Spotify gave the app no token")],
])("with Spotify %s nothing changes, and the next run goes on", async (_what, error) => {
  const owner = await makeUser();
  const songs = [1, 2, 3, 4, 5].map(() => makeSong(owner));
  const { track } = catalogue(...(await Promise.all(songs)));
  const before = await rowsOf("SELECT * FROM songs ORDER BY id");
  const failed = await look(async () => {
    throw error;
  });
  expect(failed).toEqual({ looked: 0, changed: 0, gone: 0, status: error.status });
  expect(await rowsOf("SELECT * FROM songs ORDER BY id")).toEqual(before);
  expect(await look(track)).toMatchObject({ looked: 5 });
});

test("a song whose answer cannot be read keeps no other waiting", async () => {
  const owner = await makeUser();
  const [bad, good] = [await makeSong(owner), await makeSong(owner)];
  const { track } = catalogue(good);
  const unreadable: Spotify["track"] = async (id) => {
    if (id === bad.trackId) throw new SpotifyError(502, "Spotify's answer could not be read");
    return track(id);
  };
  expect(await look(unreadable)).toEqual({ looked: 1, changed: 0, gone: 0 });
  expect(await look(unreadable)).toEqual({ looked: 0, changed: 0, gone: 0 });
  expect(await look(catalogue(bad).track, baseTime + month + day + 2)).toMatchObject({ looked: 1 });
});

test("as many as end a run keep no other waiting, where Spotify knows another song", async () => {
  const owner = await makeUser();
  for (let n = 0; n < 3; n += 1) await makeSong(owner);
  const good = await makeSong(owner);
  await env.DB.prepare("UPDATE songs SET fetched_at = fetched_at + 1 WHERE id = ?")
    .bind(good.id)
    .run();
  const { track } = catalogue(good);
  const unreadable: Spotify["track"] = async (id) => {
    if (id !== good.trackId) throw new SpotifyError(502, "Spotify's answer could not be read");
    return track(id);
  };
  const at = baseTime + month + 2;
  expect(await look(unreadable, at)).toMatchObject({ looked: 0, status: 502 });
  expect(await look(unreadable, at)).toMatchObject({ looked: 1 });
});

test("a limit ends the run, and is waited for as long as Spotify says", async () => {
  const owner = await makeUser();
  const songs = [await makeSong(owner), await makeSong(owner)];
  const { track } = catalogue(...songs);
  const at = baseTime + month + 1;
  let asked = 0;
  const limited = await look(async () => {
    asked += 1;
    throw new SpotifyError(429, "API rate limit exceeded", { retryAfterSeconds: 3600 });
  });
  expect([asked, limited]).toEqual([1, { looked: 0, changed: 0, gone: 0, status: 429 }]);
  expect(await look(track, at + 3_599_000)).toMatchObject({ looked: 0 });
  // The limit is the one app's alone.
  expect(await look(track, at + 3_599_000, ["one", "two"])).toMatchObject({ looked: 2 });
});

test.each(["extended", "development"])(
  "an app's own token opens the catalogue of a Spotify in the mode %s",
  async (mode) => {
    const client = "sandbox-client-b";
    await control("mode", { client, mode });
    const { trackId, title } = trackOf("thaddeus-vane", 1);
    await control("track", { trackId, name: "Sung anew" });
    const access = createCatalogueAccess(config, Date.now)(client);
    expect(await access.track(trackId)).toMatchObject({ trackId, title: "Sung anew" });
    await control("track", { trackId, gone: true });
    expect(
      await createCatalogueAccess(config, () => Date.now() + 6000)(client).track(trackId),
    ).toBeNull();
    await control("track", { trackId });
    await control("mode", { client, mode: "extended" });
    expect(title).not.toBe("Sung anew");
  },
);
