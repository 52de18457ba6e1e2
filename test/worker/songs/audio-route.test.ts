import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { rowsOf } from "../../support/database/contents";
import { countingDatabase } from "../../support/database/counting-database";
import {
  insert,
  makeListen,
  makePackage,
  makeRating,
  makeSong,
  makeUser,
  type TestUser,
  unique,
} from "../../support/database/factories";
import { makeMember, makeSession } from "../../support/login";
import { makeOperator } from "../../support/operator";
import {
  bytesOf,
  giveNewMix,
  hear,
  makeSongWithFile,
  type SongWithFile,
  threeMinutes,
} from "../../support/recordings/own-song";
import { request } from "../../support/request";

const audioOf = (song: { id: string }) => `/songs/${song.id}/audio`;
const { bytes } = threeMinutes;
/** What an open listen may have been delivered at once: ten seconds, and what is before them. */
const atOnce = 164_000;

async function ready() {
  const owner = await makeUser();
  const song = await makeSongWithFile(owner);
  const listener = await makeUser();
  await makePackage(listener, [song]);
  const { cookie } = await makeSession(listener);
  return { owner, song, listener, cookie };
}

async function listening() {
  const made = await ready();
  const listenId = await makeListen(made.listener, made.song, { startedAt: Date.now() });
  return { ...made, listenId };
}

async function cookieOf(user: TestUser): Promise<string> {
  return (await makeSession(user)).cookie;
}

async function readSome(response: Response, length: number): Promise<number[]> {
  const reader = response.body?.getReader();
  const read: number[] = [];
  while (reader && read.length < length) {
    const { value, done } = await reader.read();
    if (done) break;
    read.push(...value);
  }
  await reader?.cancel();
  return read.slice(0, length);
}

async function report(song: SongWithFile): Promise<void> {
  await insert("reports", {
    id: unique("report"),
    song_id: song.id,
    words: "not theirs",
    created_at: Date.now(),
  }).run();
}

/** What tells two answers apart, but for the request's own id. */
async function shown(response: Response) {
  const headers = Object.fromEntries(response.headers);
  delete headers["x-request-id"];
  const nonce = /nonce[-=]"?([\w-]+)/g;
  const text = (await response.text()).replace(nonce, "nonce");
  return {
    status: response.status,
    headers: {
      ...headers,
      "content-security-policy": headers["content-security-policy"]?.replace(nonce, "nonce"),
    },
    text: text.replaceAll(/\/songs\/[\w-]+\/(audio|nothing)/g, "/songs/it/there"),
  };
}

test("a listener gets the sound of the song that they listen to", async () => {
  const { song, cookie } = await listening();
  const answer = await request(audioOf(song), { cookie, headers: { Accept: "*/*" } });
  expect(answer.status).toBe(200);
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    "accept-ranges": "bytes",
    "cache-control": "no-store",
    "content-disposition": "inline",
    "content-length": String(bytes),
    "content-type": "audio/mpeg",
    "cross-origin-resource-policy": "same-origin",
    etag: `"${song.recording.id}"`,
    "x-content-type-options": "nosniff",
  });
  expect(answer.headers.has("Set-Cookie")).toBe(false);
  expect(await readSome(answer, 5000)).toEqual([...bytesOf({ from: 0, to: 5000 })]);
});

test("it takes two round trips to the database to begin", async () => {
  const { song, cookie } = await listening();
  const counting = countingDatabase(env.DB);
  const bindings = { ...env, DB: counting.binding };
  const answer = await request(audioOf(song), { cookie, bindings });
  expect(answer.status).toBe(200);
  await readSome(answer, 5000);
  expect(counting.roundTrips()).toBe(2);
});

test.each([
  ["bytes=0-1", 0, 1],
  ["bytes=4000-4099", 4000, 4099],
  [`bytes=100000-${atOnce - 1}`, 100_000, atOnce - 1],
])("%s gets exactly that part", async (range, first, last) => {
  const { song, cookie } = await listening();
  const answer = await request(audioOf(song), { cookie, headers: { Range: range } });
  expect(answer.status).toBe(206);
  expect(answer.headers.get("Content-Range")).toBe(`bytes ${first}-${last}/${bytes}`);
  expect(answer.headers.get("Content-Length")).toBe(String(last - first + 1));
  const body = new Uint8Array(await answer.arrayBuffer());
  expect(body).toEqual(bytesOf({ from: first, to: last + 1 }));
});

test.each([
  ["bytes=0-", 0, bytes - 1],
  ["bytes=-500", bytes - 500, bytes - 1],
])("%s announces the rest of the file", async (range, first, last) => {
  const { song, cookie } = await listening();
  const answer = await request(audioOf(song), { cookie, headers: { Range: range } });
  expect(answer.status).toBe(206);
  expect(answer.headers.get("Content-Range")).toBe(`bytes ${first}-${last}/${bytes}`);
  await answer.body?.cancel();
});

test("a range beyond the end is told the file's length", async () => {
  const { song, cookie } = await listening();
  const answer = await request(audioOf(song), { cookie, headers: { Range: `bytes=${bytes}-` } });
  expect([answer.status, answer.headers.get("Content-Range")]).toEqual([416, `bytes */${bytes}`]);
});

test.each([
  ["one that cannot be read", { Range: "bytes=x-y" }],
  ["several", { Range: "bytes=0-1,5-6" }],
  ["one of another file", { Range: "bytes=0-1", "If-Range": '"another"' }],
])("for a range that is %s, the whole file is the answer", async (_what, headers) => {
  const { song, cookie } = await listening();
  const answer = await request(audioOf(song), { cookie, headers });
  expect([answer.status, answer.headers.get("Content-Length")]).toEqual([200, String(bytes)]);
  await answer.body?.cancel();
});

test("a part of the same file goes on where it was", async () => {
  const { song, cookie } = await listening();
  const headers = { Range: "bytes=5000-5001", "If-Range": `"${song.recording.id}"` };
  const answer = await request(audioOf(song), { cookie, headers });
  expect(answer.status).toBe(206);
  await answer.body?.cancel();
});

test("HEAD tells the length and delivers nothing", async () => {
  const { song, cookie } = await listening();
  const answer = await request(audioOf(song), { cookie, method: "HEAD" });
  expect([answer.status, answer.headers.get("Content-Type")]).toEqual([200, "audio/mpeg"]);
  expect(await answer.text()).toBe("");
});

test("who has heard the song gets it as fast as it goes", async () => {
  const { song, listener, cookie } = await ready();
  await hear(listener, song);
  const answer = await request(audioOf(song), { cookie });
  expect(answer.headers.get("Content-Length")).toBe(String(bytes));
  expect(new Uint8Array(await answer.arrayBuffer())).toEqual(bytesOf({ from: 0, to: bytes }));
});

test("but only as long as it is in the package: a heard one that is there no more is not fetched", async () => {
  const { song, listener, cookie } = await ready();
  await hear(listener, song);
  for (const range of ["bytes=0-", "bytes=100-199"]) {
    expect((await request(audioOf(song), { cookie, headers: { Range: range } })).status).toBe(206);
  }
  await env.DB.prepare("DELETE FROM packages WHERE user_id = ?").bind(listener.id).run();
  await makePackage(listener, [await makeSong(await makeUser())]);
  // Somebody else's package does not count.
  await makePackage(await makeUser(), [song]);
  for (const headers of [{}, { Range: "bytes=0-" }, { Range: "bytes=100-199" }]) {
    expect((await request(audioOf(song), { cookie, headers })).status).toBe(404);
  }
});

test("so does its owner, in parts too", async () => {
  const { song, owner } = await ready();
  const cookie = await cookieOf(owner);
  const headers = { Range: "bytes=-3" };
  const answer = await request(audioOf(song), { cookie, headers });
  expect(answer.status).toBe(206);
  const body = new Uint8Array(await answer.arrayBuffer());
  expect(body).toEqual(bytesOf({ from: bytes - 3, to: bytes }));
});

test("and the operator, once the song was reported", async () => {
  const { song } = await ready();
  const operator = await makeOperator();
  expect((await operator.ask(audioOf(song))).status).toBe(404);
  await report(song);
  const answer = await operator.ask(audioOf(song));
  expect(answer.status).toBe(200);
  await answer.body?.cancel();
});

test("a page that names its listen gets that one's sound alone", async () => {
  const { song, cookie, listenId } = await listening();
  const mine = await request(`${audioOf(song)}?listen=${listenId}`, { cookie });
  expect(mine.status).toBe(200);
  await mine.body?.cancel();
  expect((await request(`${audioOf(song)}?listen=old`, { cookie })).status).toBe(404);
});

test.each<
  [string, () => Promise<{ path: string; cookie?: string; headers?: Record<string, string> }>]
>([
  ["visitors", async () => ({ path: audioOf((await ready()).song) })],
  [
    "who was not drawn the song",
    async () => ({ path: audioOf((await ready()).song), cookie: (await makeMember()).cookie }),
  ],
  [
    "who does not listen to it",
    async () => {
      const { song, cookie } = await ready();
      return { path: audioOf(song), cookie };
    },
  ],
  [
    "who listens, without having been drawn it",
    async () => {
      const { song } = await ready();
      const { user, cookie } = await makeMember();
      await makeListen(user, song, { startedAt: Date.now() });
      return { path: audioOf(song), cookie };
    },
  ],
  [
    "whose listen was ended by another",
    async () => {
      const { song, listener, cookie } = await ready();
      await makeListen(listener, song, { startedAt: Date.now(), closedAt: Date.now() });
      return { path: audioOf(song), cookie };
    },
  ],
  [
    "who names somebody else's listen",
    async () => {
      const { song, listenId } = await listening();
      const other = await makeUser();
      await makePackage(other, [song]);
      await makeListen(other, song, { startedAt: Date.now() });
      return { path: `${audioOf(song)}?listen=${listenId}`, cookie: await cookieOf(other) };
    },
  ],
  [
    "other sites",
    async () => {
      const { song, cookie } = await listening();
      return { path: audioOf(song), cookie, headers: { "Sec-Fetch-Site": "cross-site" } };
    },
  ],
  [
    "everybody, once the file has ended",
    async () => {
      const { song, cookie } = await listening();
      await env.DB.prepare("UPDATE recordings SET file_ended_at = 1 WHERE id = ?")
        .bind(song.recording.id)
        .run();
      return { path: audioOf(song), cookie };
    },
  ],
  [
    "everybody, while the file is missing",
    async () => {
      const { song, cookie } = await listening();
      await env.RECORDINGS.delete(`${song.recording.id}/audio`);
      return { path: audioOf(song), cookie };
    },
  ],
  [
    "everybody, for a song of Spotify's",
    async () => {
      const { listener, cookie } = await ready();
      const song = await makeSong(await makeUser());
      await makePackage(listener, [song]);
      await makeListen(listener, song, { startedAt: Date.now() });
      return { path: audioOf(song), cookie };
    },
  ],
])("it leads nowhere for %s", async (_who, prepare) => {
  const { path, ...asked } = await prepare();
  const answer = await request(path, asked);
  const nowhere = await request(path.replace("/audio", "/nothing"), asked);
  expect(answer.status).toBe(404);
  expect(await shown(answer)).toEqual(await shown(nowhere));
});

test.each(["heard", "delivered"])(
  "who was %s a mix and has not rated it hears the new one first",
  async (how) => {
    const { song, listener, cookie } = await ready();
    if (how === "heard") await hear(listener, song);
    else {
      const id = await makeListen(listener, song, { startedAt: Date.now() - 60_000 });
      await env.DB.prepare("UPDATE listens SET delivered_ms = 60000 WHERE id = ?").bind(id).run();
    }
    for (let rater = 1; rater <= 5; rater += 1) await makeRating(await makeUser(), song);
    await giveNewMix(song);
    const json = { score: 4 };
    const refused = await request(`/songs/${song.id}/rating`, { cookie, json });
    expect([refused.status, await refused.json()]).toMatchObject([
      409,
      { error: "Please listen to this song first. Then you can rate it." },
    ]);
    const kept = await rowsOf("SELECT id FROM listens WHERE user_id <> ?", listener.id);
    expect(kept).toHaveLength(5);
  },
);

test("more connections than a browser has are asked to come back", async () => {
  const { song, cookie } = await listening();
  const held = await Promise.all(
    Array.from({ length: 8 }, () => request(audioOf(song), { cookie })),
  );
  expect(held.map(({ status }) => status)).toEqual(Array(8).fill(200));
  const another = await request(audioOf(song), { cookie });
  expect([another.status, another.headers.get("Retry-After")]).toEqual([503, "5"]);
  await Promise.all([...held, another].map(({ body }) => body?.cancel()));
});
