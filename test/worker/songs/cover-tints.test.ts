/** The colour of a song's cover is kept with it, and follows the cover. */
import { env } from "cloudflare:workers";
import { encode } from "jpeg-js";
import { expect, test } from "vitest";
import { readTints } from "~/covers/cover-tints.server";
import { drawCover } from "~/covers/drawn-cover";
import { tintOf } from "~/covers/tint";
import { grey } from "~/db/rules";
import { dayMs } from "~/platform/dates";
import { coverKey } from "~/sources/files/files";
import { trackOf } from "../../support/catalogue";
import { baseTime } from "../../support/database/factories";
import { change, db, row } from "../../support/database/rows";
import { ownSong, someone, song } from "../../support/people";
import { catalogue } from "../../support/spotify/stub";

const services = { db, files: env.RECORDINGS };
const pictures = `${env.SANDBOX_ORIGIN}/spotify/images`;

type Made = { now: () => Promise<{ tint: number | null }> };
const tintIn = async (it: Made) => (await it.now()).tint;

/** The colour of an own recording that has this cover in the bucket. */
async function tintOfOwn(cover: Uint8Array | null, type: "jpeg" | "png" = "jpeg") {
  const it = await ownSong();
  const { id } = it.recording;
  await change("recordings", { id }, { coverType: type, coverBytes: 9 });
  if (cover) await env.RECORDINGS.put(coverKey(id), cover);
  await readTints(services);
  return { it, tint: await tintIn(it) };
}

function blueJpeg(): Uint8Array {
  const data = Buffer.from(Array.from({ length: 64 }, () => [30, 80, 200, 255]).flat());
  return encode({ data, width: 8, height: 8 }, 90).data;
}
const blue = tintOf(Uint8Array.of(30, 80, 200, 255));

test("a song gets the colour of its cover at Spotify once, and another with another cover", async () => {
  const it = await song({
    artUrl: `${pictures}/album-one-640`,
    smallerArt: { 300: `${pictures}/album-one-300`, 64: `${pictures}/album-one-64` },
  });
  expect(await readTints(services)).toEqual({ count: 1 });
  const first = await tintIn(it);
  expect(first).toEqual(expect.any(Number));
  expect(await readTints(services)).toEqual({ count: 0 });

  await change("songs", {}, { title: "Another", artUrl: it.artUrl });
  expect(await tintIn(it)).toBe(first);
  await change("songs", {}, { artUrl: `${pictures}/album-two-640` });
  expect(await tintIn(it)).toBeNull();
  expect(await readTints(services)).toEqual({ count: 1 });
});

test.each([
  ["no cover", null],
  ["a cover that is gone", `${pictures}/nothing`],
])("a song with %s is grey", async (_name, artUrl) => {
  const it = await song({ artUrl });
  await readTints(services);
  expect(await tintIn(it)).toBe(grey);
});

test("a cover that cannot be reached is read later, and holds up no other", async () => {
  const [unread, plain] = [await song({ artUrl: lost }), await song()];
  expect(await readTints(services)).toEqual({ count: 1 });
  expect([await tintIn(unread), await tintIn(plain)]).toEqual([null, grey]);
});

test("an own recording has the colour of its drawn cover's ground", async () => {
  const drawnFrom = "00".repeat(32);
  const it = await ownSong({ drawnFrom });
  await readTints(services);
  const ground = [1, 3, 5].map((at) =>
    Number.parseInt(drawCover(drawnFrom).ground.slice(at, at + 2), 16),
  );
  expect(await tintIn(it)).toBe(tintOf(Uint8Array.of(...ground, 255)));
});

test("an own recording has the colour of the JPEG that came with it, until its files go", async () => {
  const { it, tint } = await tintOfOwn(blueJpeg());
  expect(tint).toBe(blue);
  await change("recordings", { id: it.recording.id }, { fileEndedAt: 1 });
  expect(await tintIn(it)).toBeNull();
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
  const owner = (await someone({ tier: "premium", credits: 12 })).at(baseTime + dayMs);
  if (known) await song({ ...track, artUrl: known, tint: 7, received: 5, owner });
  const spotify = catalogue({ ...track, smallerArt: {}, ...picture });
  expect(await owner.submits(track, { spotify })).toMatchObject({ title: track.title });
  expect((await row("songs")).tint).toEqual(tint);
});
