/** What is stored of songs follows what Spotify says: at a listen, and once a month. */
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { writeRest } from "~/exchange/rotation/unplayable.server";
import { dayMs } from "~/platform/dates";
import { readConfig } from "~/platform/env";
import type { FoundTrack } from "~/sources/catalogue";
import { createCatalogueAccess } from "~/sources/spotify/access.server";
import { SpotifyError } from "~/sources/spotify/client/spotify";
import type { Spotify } from "~/sources/spotify/client/web-api.server";
import { lookAtOldSongs } from "~/sources/spotify/track-refresh.server";
import { trackOf } from "../../support/catalogue";
import { rowsOf } from "../../support/database/contents";
import { baseTime } from "../../support/database/factories";
import { change, db, row, rows, untouched } from "../../support/database/rows";
import { noteQueued } from "../../support/mail-queue";
import { type Cast, idsOf, someone, song, songs, unlock } from "../../support/people";
import { control } from "../../support/sandbox";
import { catalogue, playing, stubSpotify } from "../../support/spotify/stub";

type Song = Cast<typeof song>;

const month = baseTime + 30 * dayMs + 1;
const ok = { ok: true };
const nothing = { looked: 0, changed: 0, gone: 0 };

/** A new listener confirms the song, or rates it at once, while Spotify says this of it. */
async function hears(
  it: Song,
  said: Partial<FoundTrack> | null,
  { at = unlock, rates = false } = {},
) {
  const known = { ...it, artistIds: [], playable: true, hidden: false, relinked: false };
  const spotify = playing(it, { track: said && { ...known, ...said } });
  const listener = (await someone({ listensTo: it })).at(at);
  return rates ? listener.rates(it, 3, spotify) : listener.confirms(it, spotify);
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
  const it = await song();
  const art = { artUrl: "https://i.scdn.co/image/b", smallerArt: { 64: "https://i.scdn.co/c" } };
  const said = { title: "Renamed", ...art, explicit: true };
  expect(await hears(it, said)).toEqual(ok);
  expect(await it.now()).toMatchObject({ ...said, durationMs: 180_000, fetchedAt: unlock });
  await change("songs", {}, { fetchedAt: unlock - 1 });
  expect(await hears(it, { title: "Renamed again" }, { rates: true })).toEqual(ok);
  expect(await it.now()).toMatchObject({ title: "Renamed again" });
});

test("nothing is written where nothing has changed, or of another track", async () => {
  const it = await song();
  const unchanged: Parameters<typeof hears>[1][] = [
    {},
    null,
    { relinked: true, title: "The relinked one" },
    { trackId: "0".repeat(22), title: "Another edition" },
    { durationMs: 4_000 },
  ];
  for (const said of unchanged) {
    expect(await songsWritten(() => hears(it, said))).toBe(0);
  }
});

test("a listen that is not confirmed writes nothing", async () => {
  const it = await song();
  const early = await hears(it, { title: "Early" }, { at: unlock - 20_000 });
  expect(early).toMatchObject({ status: 409 });
  expect(await it.now()).toMatchObject({ title: it.title });
});

test("of two listeners at once the answer that was asked for later stands", async () => {
  const it = await song();
  await Promise.all([
    hears(it, { title: "Newer", durationMs: 181_000 }, { at: unlock + 500 }),
    hears(it, { title: "Older", durationMs: 190_000 }),
  ]);
  const { title, fetchedAt, durationMs } = await it.now();
  expect([title, fetchedAt, durationMs >= 181_000]).toEqual(["Newer", unlock + 500, true]);
});

/** One run of the monthly look, a month after the songs of these tests were read. */
function look(track: Spotify["track"], at = month, clientIds = ["one"]) {
  const services = { db, mailQueue: noteQueued(), now: () => at, random: () => 0 };
  return lookAtOldSongs({
    ...{ ...services, clientIds, catalogue: () => stubSpotify({ track }) },
    letRest: (one) => writeRest(services, one),
  });
}

const resting = async () => (await rows("songs")).filter(({ restingSince }) => restingSince);

test("songs are looked at once a month, forty in a run, and each once", async () => {
  const made = await songs(45, { owner: await someone() });
  // All were read at the same time, and stand in another order than that of their ids.
  await env.DB.prepare("UPDATE songs SET rowid = 1000 - rowid").run();
  const { track } = catalogue(...made);
  expect(await look(track, month - 1)).toEqual(nothing);
  expect(await look(track)).toEqual({ ...nothing, looked: 40 });
  const left = idsOf(await rows("songs", { fetchedAt: baseTime }));
  expect(left.sort()).toEqual(idsOf(made.slice(40)));
  expect(await look(track)).toEqual({ ...nothing, looked: 5 });
  expect(await look(track)).toEqual(nothing);
});

test("the look writes what has changed, names and shorter lengths as well", async () => {
  const it = await song();
  const changed = { artists: ["New name"], artistIds: ["1new"], durationMs: 60_000 };
  const { track } = catalogue({ ...it, ...changed });
  expect(await look(track)).toEqual({ looked: 1, changed: 1, gone: 0 });
  expect(await it.now()).toMatchObject({ ...changed, fetchedAt: month });
});

test("a song that Spotify no longer knows rests, and its owner is told once", async () => {
  const owner = await someone();
  const [gone, there] = [await song({ owner }), await song({ owner })];
  const { track } = catalogue(there);
  expect(await look(track)).toEqual({ looked: 2, changed: 0, gone: 1 });
  expect(await resting()).toMatchObject([{ id: gone.id }]);
  const mail = { userId: owner.id, kind: "resting", subjectId: gone.id };
  expect(await row("outbox")).toMatchObject(mail);
  expect(await look(track, month + 60 * dayMs)).toMatchObject({ gone: 1 });
  expect(await rows("outbox")).toHaveLength(1);
});

test("where Spotify knows no song at all, none rests", async () => {
  const it = await song();
  const fresh = await song({ owner: it.owner, submittedAt: [month - 1] });
  await untouched(async () => expect(await look(async () => null)).toEqual(nothing));
  // Another song that it knows makes the answer certain.
  expect(await look(catalogue(fresh).track)).toMatchObject({ gone: 1 });
});

test("where Spotify suddenly knows hardly any of the songs, none rests, and it is asked again of some a day", async () => {
  const made = await songs(9, { owner: await someone() });
  const { track } = catalogue(...made.slice(0, 2));
  expect(await look(track)).toEqual({ ...nothing, looked: 2 });
  expect([await resting(), await rows("outbox")]).toEqual([[], []]);
  const all = catalogue(...made).track;
  expect(await look(all)).toMatchObject({ looked: 0 });
  expect(await look(all, month + dayMs + 1)).toMatchObject({ looked: 5, gone: 0 });
  expect(await look(all, month + 2 * dayMs + 1)).toMatchObject({ looked: 2, gone: 0 });
});

test("many songs that Spotify has dropped at once rest within days", async () => {
  const made = await songs(9, { owner: await someone() });
  const { track } = catalogue(...made.slice(0, 2));
  const gone: number[] = [];
  for (const days of [0, 1, 2]) gone.push((await look(track, month + 1 + days * (dayMs + 1))).gone);
  expect(gone).toEqual([0, 5, 2]);
});

test.each([
  ["down", 0],
  ["faulty", 503],
  ["sending garbage", 502],
  ["refusing the app", 401],
])("with Spotify %s nothing changes, and the next run goes on", async (_what, status) => {
  const { track } = catalogue(...(await songs(5, { owner: await someone() })));
  await untouched(async () => {
    const failed = await look(() => Promise.reject(new SpotifyError(status, "no answer")));
    expect(failed).toEqual({ ...nothing, status });
  });
  expect(await look(track)).toMatchObject({ looked: 5 });
});

/** Has that song, and answers of all others what cannot be read. */
function unreadableBut(good: Song): Spotify["track"] {
  return async (id) => {
    if (id !== good.trackId) throw new SpotifyError(502, "Spotify's answer could not be read");
    return catalogue(good).track(id);
  };
}

test("a song whose answer cannot be read keeps no other waiting", async () => {
  const bad = await song();
  const track = unreadableBut(await song({ owner: bad.owner }));
  expect(await look(track)).toEqual({ ...nothing, looked: 1 });
  expect(await look(track)).toEqual(nothing);
  expect(await look(catalogue(bad).track, month + dayMs + 1)).toMatchObject({ looked: 1 });
});

test("as many as end a run keep no other waiting, where Spotify knows another song", async () => {
  const owner = await someone();
  await songs(3, { owner });
  const good = await song({ owner });
  await change("songs", { id: good.id }, { fetchedAt: baseTime + 1 });
  const track = unreadableBut(good);
  expect(await look(track, month + 1)).toMatchObject({ looked: 0, status: 502 });
  expect(await look(track, month + 1)).toMatchObject({ looked: 1 });
});

test("a limit ends the run, and is waited for as long as Spotify says", async () => {
  const { track } = catalogue(...(await songs(2)));
  let asked = 0;
  const limited = await look(async () => {
    asked += 1;
    throw new SpotifyError(429, "API rate limit exceeded", { retryAfterSeconds: 3600 });
  });
  expect([asked, limited]).toEqual([1, { ...nothing, status: 429 }]);
  const waited = month + 3_599_000;
  expect(await look(track, waited)).toMatchObject({ looked: 0 });
  // The limit is the one app's alone.
  expect(await look(track, waited, ["one", "two"])).toMatchObject({ looked: 2 });
});

test.each(["extended", "development"])(
  "an app's own token opens the catalogue of a Spotify in the mode %s",
  async (mode) => {
    const client = "sandbox-client-b";
    await control("mode", { client, mode });
    const { trackId } = trackOf("thaddeus-vane", 1);
    const title = "Sung anew";
    await control("track", { trackId, name: title });
    const access = (later: number) =>
      createCatalogueAccess(readConfig(env), () => Date.now() + later)(client);
    expect(await access(0).track(trackId)).toMatchObject({ trackId, title });
    await control("track", { trackId, gone: true });
    expect(await access(6000).track(trackId)).toBeNull();
    await control("track", { trackId });
    await control("mode", { client, mode: "extended" });
  },
);
