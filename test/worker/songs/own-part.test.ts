/** Songs that credit the listener: nobody rates what they have a part in. */
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { createDatabase } from "~/db/client.server";
import { loadCarousel } from "~/exchange/carousel/carousel.server";
import { loadAddSong } from "~/exchange/submission/add-song.server";
import { submitSong } from "~/exchange/submission/submit.server";
import type { Viewer } from "~/members/viewer.server";
import { readConfig } from "~/platform/env";
import * as index from "~/routes/_index/route";
import { trackOf } from "../../support/catalogue";
import { rowsOf } from "../../support/database/contents";
import {
  baseTime,
  freePrice,
  makePackage,
  makeSong,
  makeUser,
  type TestSong,
  unique,
} from "../../support/database/factories";
import { putInRotation, rateSongs } from "../../support/database/rotation";
import { makeSession, makeViewer, viewerOf } from "../../support/login";
import { measure } from "../../support/measure";
import { dataOf, request } from "../../support/request";
import { control } from "../../support/sandbox";
import { servicesAt } from "../../support/services";
import { catalogue, openCatalogue, stubSpotify } from "../../support/spotify/stub";

const db = createDatabase(env.DB);
const { sessionSecret: secret } = readConfig(env);
const now = baseTime + 1;

async function carousel({ session }: Viewer) {
  const asked = { sessionId: session.id, ratedSongId: null };
  const services = { now, random: () => 0, secret, isActivity: false, isSpotifyOpen: true };
  const loaded = await loadCarousel(db, asked, services);
  if (!loaded) throw new Error("no carousel");
  return loaded.view;
}

async function offered(viewer: Viewer): Promise<string[]> {
  return (await carousel(viewer)).songs.map(({ songId }) => songId);
}

function addSong({ session }: Viewer) {
  const none = async () => ({ items: [], more: false });
  const spotify = stubSpotify({ searchTracks: none, searchCatalogue: none });
  const services = {
    db,
    lookUp: openCatalogue(spotify),
    secret,
    isActivity: false,
    isSpotifyOpen: true,
  };
  const place = { albumId: null, artistId: null, page: 1 };
  const asked = { sessionId: session.id, term: null, trackId: null, place };
  return loadAddSong({ ...services, now: () => now }, asked);
}

/** Gives the account another name at Spotify. */
async function rename({ userId }: Viewer, displayName: string): Promise<void> {
  const update = env.DB.prepare("UPDATE users SET display_name = ? WHERE id = ?");
  await update.bind(displayName, userId).run();
}

test("a song that credits the listener by name, first or last, is offered to others alone", async () => {
  const viewer = await makeViewer(await makeUser({ displayName: "Mara  LIND" }));
  const credited = [
    await makeSong(await makeUser(), { artists: ["Mara Lind"] }),
    await makeSong(await makeUser(), { artists: ["Somebody", "mara lind"] }),
  ];
  const other = await makeSong(await makeUser(), { artists: ["Mara Lindt"] });
  expect(await offered(viewer)).toEqual([other.id]);
  const ids = (songs: TestSong[]) => songs.map(({ id }) => id).sort();
  const somebody = await makeViewer(await makeUser());
  expect((await offered(somebody)).sort()).toEqual(ids([...credited, other]));
});

test("a submission makes known who the listener is at Spotify", async () => {
  const viewer = await makeViewer(await makeUser({ credits: freePrice }));
  const track = { ...trackOf("mara-lind", 3), artists: ["Mara", "A star"] };
  const spotify = catalogue({ ...track, artistIds: ["0mara", "0star"] });
  const services = servicesAt(now, { spotify });
  const form = { trackId: track.trackId, requestKey: unique("form") };
  expect(await submitSong(services, viewer, form)).toMatchObject({ title: track.title });
  expect(await rowsOf("SELECT artist_ids FROM songs WHERE owner_id = ?", viewer.userId)).toEqual([
    { artist_ids: '["0mara","0star"]' },
  ]);
  expect(await rowsOf("SELECT own_artists FROM users WHERE id = ?", viewer.userId)).toEqual([
    { own_artists: '{"0mara":"Mara"}' },
  ]);

  await makeSong(await makeUser(), { artists: ["Another", "M."], artistIds: ["0x", "0mara"] });
  const star = await makeSong(await makeUser(), { artists: ["A star"], artistIds: ["0star"] });
  expect(await offered(viewer)).toEqual([star.id]);
});

test("submitting the song again stores the ids of one that had none, and adds to those known", async () => {
  const user = await makeUser({ credits: freePrice });
  const track = { ...trackOf("mara-lind", 3), artists: ["Mara"] };
  const first = await makeSong(user, { artistIds: ["0band"], artists: ["My Band"] });
  const old = await makeSong(user, track);
  const viewer = await makeViewer(user);
  const spotify = catalogue({ ...track, artistIds: ["0mara"] });
  const services = servicesAt(now, { spotify });
  const form = { trackId: track.trackId, requestKey: unique("form") };
  await submitSong(services, viewer, form);
  expect(
    await rowsOf("SELECT id, artist_ids FROM songs WHERE owner_id = ? ORDER BY id", user.id),
  ).toEqual([
    { id: first.id, artist_ids: '["0band"]' },
    { id: old.id, artist_ids: '["0mara"]' },
  ]);
  expect(await rowsOf("SELECT own_artists FROM users WHERE id = ?", user.id)).toEqual([
    { own_artists: '{"0band":"My Band","0mara":"Mara"}' },
  ]);
});

test("where only such songs are left, there is nothing to rate and a submission costs nothing", async () => {
  const user = await makeUser({ displayName: "Mara Lind" });
  // A submission of long ago, so that the terms of a scarce pool apply.
  await makeSong(user, { submittedAt: [1], received: 5 });
  const viewer = await makeViewer(user);
  for (let n = 0; n < 3; n += 1) await makeSong(await makeUser(), { artists: ["Mara Lind"] });
  const { state, eligibility } = await carousel(viewer);
  expect(state).toBe("empty");
  expect(eligibility).toMatchObject({ eligible: true, cost: 0, limited: true });
  const screen = await addSong(viewer);
  expect(screen).toMatchObject({ noneAvailable: true });
  await rename(viewer, "Another Name");
  expect((await carousel(viewer)).songs).toHaveLength(3);
  const next = await addSong(viewer);
  expect(next).toMatchObject({ noneAvailable: false });
});

test("an owner's third song is found where the two in line credit the listener", async () => {
  const viewer = await makeViewer(await makeUser({ displayName: "Mara Lind" }));
  const owner = await makeUser();
  for (const at of [1, 2]) {
    await makeSong(owner, { artists: ["Mara Lind"], submittedAt: [baseTime + at] });
  }
  const third = await makeSong(owner, { submittedAt: [baseTime + 3] });
  expect(await offered(viewer)).toEqual([third.id]);
});

test("what the walk remembers holds such a song ready for the day the name changes", async () => {
  const user = await makeUser({ displayName: "Mara Lind" });
  await putInRotation(1, 400);
  await rateSongs(user, 1, 150);
  const update = "UPDATE songs SET artists = '[\"Mara Lind\"]' WHERE id = ?";
  const id = "song-00000151";
  await env.DB.prepare(update).bind(id).run();
  const session = await makeSession(user, { lastSeenAt: Date.now() - 120_000 });
  const look = () => measure(index.loader, { path: "/", cookie: session.cookie });
  await look();
  expect(await rowsOf("SELECT seen_to FROM pool_windows")).toHaveLength(1);
  const viewer = await viewerOf(session.id);
  await rateSongs(user, 152, 400);
  await env.DB.prepare("DELETE FROM packages").run();
  await env.DB.prepare("UPDATE sessions SET last_seen_at = 0").run();
  await look();
  expect(await rowsOf("SELECT id FROM packages")).toEqual([]);
  await rename(viewer, "Another Name");
  expect(await offered(viewer)).toEqual([id]);
});

test("a song in a package drawn before may be played all the same", async () => {
  const musician = "tomoe-kazahaya";
  await control("reset", { musician });
  await control("openApp", { musician });
  const listener = await makeUser({ displayName: "Mara Lind" });
  const song = await makeSong(await makeUser(), trackOf("mara-lind", 3));
  await makePackage(listener, [song]);
  const { cookie } = await makeSession(listener, { musician });
  const response = await request(`/songs/${song.id}/play`, { cookie, json: {} });
  expect(response.status).toBe(200);
});

test("no page tells the ids of artists", async () => {
  const user = await makeUser();
  await makeSong(await makeUser(), { artistIds: ["0of-an-artist"] });
  await makeSong(user, { artistIds: ["0of-an-artist-too"] });
  const { cookie } = await makeSession(user);
  for (const path of ["/", ...["/", "/ratings-of-my-songs", "/account"].map(dataOf)]) {
    const text = await (await request(path, { cookie })).text();
    expect(text).not.toContain("0of-an-artist");
  }
});
