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
} from "../../support/database/factories";
import { makeMember, makeSession } from "../../support/login";
import { makeOperator } from "../../support/operator";
import {
  bytesOf,
  giveNewMix,
  hear,
  makeSongWithFile,
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
  const { user: listener, cookie } = await makeMember();
  await makePackage(listener, [song]);
  return { owner, song, listener, cookie, ...asking(song, cookie) };
}

function asking(song: { id: string }, cookie: string) {
  return {
    ask: (headers: Record<string, string> = {}, more: object = {}) =>
      request(audioOf(song), { cookie, headers, ...more }),
  };
}

async function listening() {
  const made = await ready();
  const listenId = await makeListen(made.listener, made.song, { startedAt: Date.now() });
  return { ...made, listenId };
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

function partOf({ status, headers }: Response) {
  return [status, headers.get("Content-Range"), headers.get("Content-Length")];
}

test("a listener gets the sound of the song that they listen to, in two round trips to the database", async () => {
  const { song, ask } = await listening();
  const counting = countingDatabase(env.DB);
  const answer = await ask({ Accept: "*/*" }, { bindings: { ...env, DB: counting.binding } });
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
  expect(counting.roundTrips()).toBe(2);
});

test.each([
  ["bytes=0-1", 0, 1],
  ["bytes=4000-4099", 4000, 4099],
  [`bytes=100000-${atOnce - 1}`, 100_000, atOnce - 1],
  ["bytes=0-", 0, bytes - 1],
  ["bytes=-500", bytes - 500, bytes - 1],
])(
  "%s gets exactly that part, as far as it may be delivered at once",
  async (range, first, last) => {
    const answer = await (await listening()).ask({ Range: range });
    const length = String(last - first + 1);
    expect(partOf(answer)).toEqual([206, `bytes ${first}-${last}/${bytes}`, length]);
    if (last >= atOnce) return answer.body?.cancel();
    const body = new Uint8Array(await answer.arrayBuffer());
    expect(body).toEqual(bytesOf({ from: first, to: last + 1 }));
  },
);

test("a range beyond the end is told the file's length", async () => {
  const answer = await (await listening()).ask({ Range: `bytes=${bytes}-` });
  expect(partOf(answer).slice(0, 2)).toEqual([416, `bytes */${bytes}`]);
});

test.each([
  ["one that cannot be read", { Range: "bytes=x-y" }],
  ["several", { Range: "bytes=0-1,5-6" }],
  ["one of another file", { Range: "bytes=0-1", "If-Range": '"another"' }],
])("for a range that is %s, the whole file is the answer", async (_what, headers) => {
  const answer = await (await listening()).ask(headers);
  expect(partOf(answer)).toEqual([200, null, String(bytes)]);
  await answer.body?.cancel();
});

test("a part of the same file goes on where it was, and HEAD tells the length and delivers nothing", async () => {
  const { song, ask } = await listening();
  const part = await ask({ Range: "bytes=5000-5001", "If-Range": `"${song.recording.id}"` });
  expect(part.status).toBe(206);
  await part.body?.cancel();
  const head = await ask({}, { method: "HEAD" });
  expect([head.status, head.headers.get("Content-Type"), await head.text()]).toEqual([
    200,
    "audio/mpeg",
    "",
  ]);
});

test("who has heard the song gets it as fast as it goes, as long as it is in the package", async () => {
  const { song, listener, ask } = await ready();
  await hear(listener, song);
  const answer = await ask();
  expect(answer.headers.get("Content-Length")).toBe(String(bytes));
  expect(new Uint8Array(await answer.arrayBuffer())).toEqual(bytesOf({ from: 0, to: bytes }));
  const parts = [{ Range: "bytes=0-" }, { Range: "bytes=100-199" }];
  for (const part of parts) expect((await ask(part)).status).toBe(206);
  await env.DB.prepare("DELETE FROM packages WHERE user_id = ?").bind(listener.id).run();
  await makePackage(listener, [await makeSong(await makeUser())]);
  // Somebody else's package does not count.
  await makePackage(await makeUser(), [song]);
  for (const part of [{}, ...parts]) expect((await ask(part)).status).toBe(404);
});

test("its owner gets it in parts too, and the operator once it was reported", async () => {
  const { song, owner } = await ready();
  const answer = await asking(song, (await makeSession(owner)).cookie).ask({ Range: "bytes=-3" });
  expect(answer.status).toBe(206);
  const body = new Uint8Array(await answer.arrayBuffer());
  expect(body).toEqual(bytesOf({ from: bytes - 3, to: bytes }));
  const operator = await makeOperator();
  expect((await operator.ask(audioOf(song))).status).toBe(404);
  await insert("reports", { id: "report", song_id: song.id, words: "", created_at: 1 }).run();
  const reported = await operator.ask(audioOf(song));
  expect(reported.status).toBe(200);
  await reported.body?.cancel();
});

test("a page that names its listen gets that one's sound alone", async () => {
  const { song, cookie, listenId } = await listening();
  const named = (listen: string) => request(`${audioOf(song)}?listen=${listen}`, { cookie });
  const mine = await named(listenId);
  expect(mine.status).toBe(200);
  await mine.body?.cancel();
  expect((await named("old")).status).toBe(404);
});

interface Asked {
  song: { id: string };
  cookie?: string;
  headers?: Record<string, string>;
  listen?: string;
}

test.each<[string, () => Promise<Asked>]>([
  ["visitors", async () => ({ song: (await ready()).song })],
  [
    "who was not drawn the song",
    async () => ({ song: (await ready()).song, cookie: (await makeMember()).cookie }),
  ],
  ["who does not listen to it", ready],
  [
    "who listens, without having been drawn it",
    async () => {
      const { song } = await ready();
      const { user, cookie } = await makeMember();
      await makeListen(user, song, { startedAt: Date.now() });
      return { song, cookie };
    },
  ],
  [
    "whose listen was ended by another",
    async () => {
      const { song, listener, cookie } = await ready();
      await makeListen(listener, song, { startedAt: Date.now(), closedAt: Date.now() });
      return { song, cookie };
    },
  ],
  [
    "who names somebody else's listen",
    async () => {
      const { song, listenId: listen } = await listening();
      const { user, cookie } = await makeMember();
      await makePackage(user, [song]);
      await makeListen(user, song, { startedAt: Date.now() });
      return { song, listen, cookie };
    },
  ],
  [
    "other sites",
    async () => ({ ...(await listening()), headers: { "Sec-Fetch-Site": "cross-site" } }),
  ],
  [
    "everybody, once the file has ended",
    async () => {
      const made = await listening();
      const end = "UPDATE recordings SET file_ended_at = 1 WHERE id = ?";
      await env.DB.prepare(end).bind(made.song.recording.id).run();
      return made;
    },
  ],
  [
    "everybody, while the file is missing",
    async () => {
      const made = await listening();
      await env.RECORDINGS.delete(`${made.song.recording.id}/audio`);
      return made;
    },
  ],
  [
    "everybody, for a song of Spotify's",
    async () => {
      const { listener, cookie } = await ready();
      const song = await makeSong(await makeUser());
      await makePackage(listener, [song]);
      await makeListen(listener, song, { startedAt: Date.now() });
      return { song, cookie };
    },
  ],
])("it leads nowhere for %s", async (_who, prepare) => {
  const { song, cookie = "", headers = {}, listen } = await prepare();
  const path = `${audioOf(song)}${listen ? `?listen=${listen}` : ""}`;
  const asked = { cookie, headers };
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
    else await makeListen(listener, song, { startedAt: Date.now() - 60_000, deliveredMs: 60_000 });
    for (let rater = 1; rater <= 5; rater += 1) await makeRating(await makeUser(), song);
    await giveNewMix(song);
    const refused = await request(`/songs/${song.id}/rating`, { cookie, json: { score: 4 } });
    expect([refused.status, await refused.json()]).toMatchObject([
      409,
      { error: "Listen to this song first. Then you can rate it." },
    ]);
    const kept = await rowsOf("SELECT id FROM listens WHERE user_id <> ?", listener.id);
    expect(kept).toHaveLength(5);
  },
);

test("more connections than a browser has are asked to come back", async () => {
  const { ask } = await listening();
  const held = await Promise.all(Array.from({ length: 8 }, () => ask()));
  expect(held.map(({ status }) => status)).toEqual(Array(8).fill(200));
  const another = await ask();
  expect([another.status, another.headers.get("Retry-After")]).toEqual([503, "5"]);
  await Promise.all([...held, another].map(({ body }) => body?.cancel()));
});
