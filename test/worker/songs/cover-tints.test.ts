/** The colour of a song's cover is kept with it, and follows the cover. */
import { env } from "cloudflare:workers";
import { encode } from "jpeg-js";
import { expect, test } from "vitest";
import { readTints } from "~/covers/cover-tints.server";
import { drawCover } from "~/covers/drawn-cover";
import { tintOf } from "~/covers/tint";
import { createDatabase } from "~/db/client.server";
import { grey } from "~/db/rules";
import { submitSong } from "~/exchange/submission/submit.server";
import { coverKey } from "~/sources/files/files";
import { trackOf } from "../../support/catalogue";
import { baseTime, makeOwnSong, makeSong, makeUser } from "../../support/database/factories";
import { makeViewer } from "../../support/login";
import { servicesAt } from "../../support/services";
import { catalogue } from "../../support/spotify/stub";

const db = createDatabase(env.DB);
const services = { db, files: env.RECORDINGS };
const pictures = `${env.SANDBOX_ORIGIN}/spotify/images`;

async function tintIn(songId: string) {
  return env.DB.prepare("SELECT tint FROM songs WHERE id = ?").bind(songId).first("tint");
}

/** The colour of an own recording that has this cover in the bucket. */
async function tintOfOwn(cover: Uint8Array | null, type = "jpeg") {
  const song = await makeOwnSong(await makeUser());
  await env.DB.prepare("UPDATE recordings SET cover_type = ?, cover_bytes = 9 WHERE id = ?")
    .bind(type, song.recording.id)
    .run();
  if (cover) await env.RECORDINGS.put(coverKey(song.recording.id), cover);
  await readTints(services);
  return { song, tint: await tintIn(song.id) };
}

function blueJpeg(): Uint8Array {
  const data = Buffer.from(Array.from({ length: 64 }, () => [30, 80, 200, 255]).flat());
  return encode({ data, width: 8, height: 8 }, 90).data;
}
const blue = tintOf(Uint8Array.of(30, 80, 200, 255));

test("a song gets the colour of its cover at Spotify once, and another with another cover", async () => {
  const art = { 300: `${pictures}/album-one-300`, 64: `${pictures}/album-one-64` };
  const song = await makeSong(await makeUser(), {
    artUrl: `${pictures}/album-one-640`,
    smallerArt: art,
  });
  expect(await readTints(services)).toEqual({ count: 1 });
  const first = await tintIn(song.id);
  expect(first).toEqual(expect.any(Number));
  expect(await readTints(services)).toEqual({ count: 0 });

  await env.DB.prepare("UPDATE songs SET title = 'Another', art_url = art_url WHERE id = ?")
    .bind(song.id)
    .run();
  expect(await tintIn(song.id)).toBe(first);
  await env.DB.prepare("UPDATE songs SET art_url = ? WHERE id = ?")
    .bind(`${pictures}/album-two-640`, song.id)
    .run();
  expect(await tintIn(song.id)).toBeNull();
  expect(await readTints(services)).toEqual({ count: 1 });
});

test.each([
  ["no cover", null],
  ["a cover that is gone", `${pictures}/nothing`],
])("a song with %s is grey", async (_name, artUrl) => {
  const song = await makeSong(await makeUser(), { artUrl });
  await readTints(services);
  expect(await tintIn(song.id)).toBe(grey);
});

test("a cover that cannot be reached is read later, and holds up no other", async () => {
  const owner = await makeUser();
  const lost = await makeSong(owner, { artUrl: "http://127.0.0.1:1/picture" });
  const plain = await makeSong(owner);
  expect(await readTints(services)).toEqual({ count: 1 });
  expect(await tintIn(lost.id)).toBeNull();
  expect(await tintIn(plain.id)).toBe(grey);
});

test("an own recording has the colour of its drawn cover's ground", async () => {
  const drawnFrom = "00".repeat(32);
  const song = await makeOwnSong(await makeUser(), { drawnFrom });
  await readTints(services);
  const [red = 0, green = 0, blueByte = 0] = [1, 3, 5].map((at) =>
    Number.parseInt(drawCover(drawnFrom).ground.slice(at, at + 2), 16),
  );
  expect(await tintIn(song.id)).toBe(tintOf(Uint8Array.of(red, green, blueByte, 255)));
});

test("an own recording has the colour of the JPEG that came with it, until its files go", async () => {
  const { song, tint } = await tintOfOwn(blueJpeg());
  expect(tint).toBe(blue);
  await env.DB.prepare("UPDATE recordings SET file_ended_at = 1 WHERE id = ?")
    .bind(song.recording.id)
    .run();
  expect(await tintIn(song.id)).toBeNull();
});

test("other covers of own recordings are grey; one that is not there yet is read later", async () => {
  expect((await tintOfOwn(blueJpeg(), "png")).tint).toBe(grey);
  expect((await tintOfOwn(new TextEncoder().encode("no picture"))).tint).toBe(grey);
  expect((await tintOfOwn(null)).tint).toBeNull();
});

const lost = "http://127.0.0.1:1/picture";
const track = trackOf("mara-lind");

test.each([
  ["read", null, { artUrl: `${pictures}/album-one-64` }, expect.any(Number)],
  ["left to the job where it cannot be read", null, { artUrl: lost }, null],
  ["kept if it is known and cannot be read", lost, { artUrl: lost }, 7],
  ["forgotten with the cover", `${pictures}/album-one-64`, { artUrl: lost }, null],
])("at a submission the colour is %s", async (_name, known, picture, tint) => {
  const owner = await makeUser({ tier: "premium", credits: 12 });
  if (known) await makeSong(owner, { ...track, artUrl: known, tint: 7, received: 5 });
  const spotify = catalogue({ ...track, smallerArt: {}, ...picture });
  const asked = { trackId: track.trackId, requestKey: "form" };
  const services = servicesAt(baseTime + 86_400_000, { spotify });
  expect(await submitSong(services, await makeViewer(owner), asked)).toMatchObject({
    title: track.title,
  });
  expect(await env.DB.prepare("SELECT tint FROM songs").first("tint")).toEqual(tint);
});
