import { env } from "cloudflare:workers";
import { beforeEach, expect, test, vi } from "vitest";
import { maxFileBytes } from "~/sources/files/audio-file";
import { maxCoverBytes } from "~/sources/files/cover-file";
import { maxAttemptsPerDay, maxUploadsPerDay } from "~/sources/files/take-in.server";
import { passTime } from "../../support/clock";
import { rowsOf } from "../../support/database/contents";
import { insert, makeSong, makeUser } from "../../support/database/factories";
import { makeMember } from "../../support/login";
import {
  box,
  id3,
  joined,
  makeM4a,
  makeMp3,
  makeWav,
  u32,
} from "../../support/recordings/sound-files";
import {
  bucketKeys,
  emptyBucket,
  makeUploader,
  smallJpeg,
  smallPng,
  smallWebp,
  upload,
  uploaded,
  uploadForm,
} from "../../support/recordings/uploads";
import { request } from "../../support/request";

beforeEach(emptyBucket);

const living = "SELECT id, state FROM recordings WHERE file_ended_at IS NULL";

async function hashOf(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return btoa(String.fromCharCode(...digest))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace("=", "");
}

test.each([
  ["wav", makeWav(6), "audio/wav", 6000, 44],
  ["mp3", makeMp3(6, { before: id3(new Uint8Array(90)) }), "audio/mpeg", 6008, 100],
  ["m4a", makeM4a(6, { indexFirst: true }), "audio/mp4", 5991, 540],
])("a %s becomes a draft with what its bytes say", async (type, file, mediaType, ms, start) => {
  const { user, cookie } = await makeUploader();
  // Name and type are the browser's word, which counts for nothing.
  const names = { fileName: "song.exe", fileType: "text/html" };
  const id = await uploaded(cookie, { file, cover: smallPng, ...names });
  expect(
    await rowsOf(
      `SELECT owner_id, state, hash, type, bytes, duration_ms, audio_start, title, artist,
         cover_type, cover_bytes FROM recordings`,
    ),
  ).toEqual([
    {
      ...{ owner_id: user.id, state: "draft", hash: await hashOf(file), type, bytes: file.length },
      ...{ duration_ms: ms, audio_start: start, title: "First light", artist: user.displayName },
      ...{ cover_type: "png", cover_bytes: smallPng.length },
    },
  ]);
  expect(await bucketKeys()).toEqual([`${id}/audio`, `${id}/cover`]);
  const page = await (await request(`/recordings/${id}`, { cookie })).text();
  expect(page).toContain(`src="/recordings/${id}/audio"`);
  expect(page).toContain(`name="recording" value="${id}"`);
  const sound = await request(`/recordings/${id}/audio`, { cookie });
  expect([sound.status, sound.headers.get("Content-Type")]).toEqual([200, mediaType]);
  expect(sound.headers.get("X-Content-Type-Options")).toBe("nosniff");
  expect(sound.headers.get("Cache-Control")).toContain("no-store");
  expect(new Uint8Array(await sound.arrayBuffer())).toEqual(file);
  const cover = await request(`/recordings/${id}/cover`, { cookie });
  expect(cover.headers.get("Content-Type")).toBe("image/png");
  expect(cover.headers.get("Cache-Control")).toBe("private, no-store");
  expect(new Uint8Array(await cover.arrayBuffer())).toEqual(smallPng);
});

test("an M4A that has its index behind the sound is kept with it in front", async () => {
  const { cookie } = await makeUploader();
  const file = makeM4a(6, { tail: box("free", "behind") });
  const path = `/recordings/${await uploaded(cookie, { file })}/audio`;
  const kept = new Uint8Array(await (await request(path, { cookie })).arrayBuffer());
  expect(kept).toEqual(makeM4a(6, { indexFirst: true, tail: box("free", "behind") }));
  const end = file.length - 14;
  // The same bytes are one song, however they are kept.
  expect(await rowsOf("SELECT hash, audio_start, audio_end FROM recordings")).toEqual([
    { hash: await hashOf(file), audio_start: end - 258 * 6, audio_end: end },
  ]);
});

test("what was taken as a FLAC once is served as one", async () => {
  const { cookie } = await makeUploader();
  const path = `/recordings/${await uploaded(cookie, { file: makeMp3(6) })}/audio`;
  await env.DB.prepare("UPDATE recordings SET type = 'flac'").run();
  expect((await request(path, { cookie })).headers.get("Content-Type")).toBe("audio/flac");
});

test("a program gets the address as JSON, and fields may come in any order", async () => {
  const { cookie } = await makeUploader();
  const body = new FormData();
  body.set("file", new File([makeWav(6)], "x"));
  for (const [name, value] of uploadForm({ file: null, artist: "Ada" })) body.append(name, value);
  const headers = { Accept: "application/json" };
  const response = await request("/recordings", { cookie, body, headers });
  const [{ id, artist }] = (await rowsOf("SELECT id, artist FROM recordings")) as [
    { id: string; artist: string },
  ];
  expect(artist).toBe("Ada");
  expect(await response.json()).toEqual({ ok: true, recordingId: id, to: `/recordings/${id}` });
});

test("a file of thirty megabytes comes in whole, in several parts", async () => {
  const { cookie } = await makeUploader();
  const file = makeWav(170, { wavRate: 44_100, channels: 2 });
  const id = await uploaded(cookie, { file });
  expect(await rowsOf("SELECT bytes, hash FROM recordings")).toEqual([
    { bytes: file.length, hash: await hashOf(file) },
  ]);
  const stored = await env.RECORDINGS.get(`${id}/audio`);
  expect(await hashOf(new Uint8Array(await (stored as R2ObjectBody).arrayBuffer()))).toBe(
    await hashOf(file),
  );
});

test("its owner hears any part of it", async () => {
  const { cookie } = await makeUploader();
  const file = makeWav(6);
  const path = `/recordings/${await uploaded(cookie, { file })}/audio`;
  const part = async (range: string, ifRange?: string) => {
    const headers = { Range: range, ...(ifRange ? { "If-Range": ifRange } : {}) };
    const response = await request(path, { cookie, headers });
    const bytes = new Uint8Array(await response.arrayBuffer());
    return [response.status, response.headers.get("Content-Range"), bytes.length, bytes[0]];
  };
  const { length } = file;
  expect(await part("bytes=0-1")).toEqual([206, `bytes 0-1/${length}`, 2, 82]);
  expect(await part("bytes=0-")).toEqual([206, `bytes 0-${length - 1}/${length}`, length, 82]);
  expect(await part("bytes=-4")).toEqual([
    206,
    `bytes ${length - 4}-${length - 1}/${length}`,
    4,
    file.at(-4),
  ]);
  expect((await part(`bytes=${length}-`)).slice(0, 2)).toEqual([416, `bytes */${length}`]);
  expect((await part("pages=1-2")).slice(0, 3)).toEqual([200, null, length]);
  expect((await part("bytes=0-1", `"another"`)).slice(0, 3)).toEqual([200, null, length]);
  const head = await request(path, { cookie, method: "HEAD", headers: { Range: "bytes=0-1" } });
  expect([head.status, head.headers.get("Content-Length")]).toEqual([200, String(length)]);
});

test("of a cover only what one sees is kept, and a broken one is refused", async () => {
  const { cookie } = await makeUploader();
  const place = joined(u32(8), "tEXt", "GPS home", u32(0));
  const cover = joined(smallPng.subarray(0, 33), place, smallPng.subarray(33));
  const id = await uploaded(cookie, { cover });
  const stored = await request(`/recordings/${id}/cover`, { cookie });
  expect(new Uint8Array(await stored.arrayBuffer())).toEqual(smallPng);
  const refused = await upload(cookie, { cover: cover.subarray(0, 60) });
  expect([refused.status, await refused.text()]).toEqual([
    422,
    expect.stringMatching(/no picture/),
  ]);
});

test.each([
  ["image/jpeg", smallJpeg],
  ["image/png", smallPng],
  ["image/webp", smallWebp],
])("a cover that is %s by its bytes is kept and given back as that", async (mediaType, cover) => {
  const { cookie } = await makeUploader();
  const id = await uploaded(cookie, { cover });
  const stored = await request(`/recordings/${id}/cover`, { cookie });
  expect([stored.status, stored.headers.get("Content-Type")]).toEqual([200, mediaType]);
  expect(new Uint8Array(await stored.arrayBuffer())).toEqual(cover);
});

test("the largest file and the largest cover come in together, and a form with more does not", async () => {
  const { cookie } = await makeUploader();
  const rate = { wavRate: 48_000, channels: 2 };
  const seconds = Math.floor((maxFileBytes - 44) / (4 * rate.wavRate));
  const file = joined(makeWav(seconds, rate), new Uint8Array(maxFileBytes)).slice(0, maxFileBytes);
  new DataView(file.buffer).setUint32(40, maxFileBytes - 44, true);
  const head = smallPng.subarray(0, 33);
  const rest = maxCoverBytes - smallPng.length - 12;
  const cover = joined(
    head,
    u32(rest),
    "IDAT",
    new Uint8Array(rest),
    u32(0),
    smallPng.subarray(33),
  );
  expect(cover.length).toBe(maxCoverBytes);
  const title = "\u{1f3b5}".repeat(99);
  await uploaded(cookie, { file, cover, title, fileName: `${"x".repeat(200)}.wav` });
  expect(await rowsOf("SELECT bytes, cover_bytes FROM recordings")).toEqual([
    { bytes: maxFileBytes, cover_bytes: maxCoverBytes },
  ]);
  const body = new FormData();
  const length = maxFileBytes + maxCoverBytes + 64 * 1024;
  body.set("title", new File([new Uint8Array(length)], ""));
  const more = await request("/recordings", { cookie, body });
  expect([more.status, await more.text()]).toEqual([413, expect.stringMatching(/40 MB at most/)]);
});

test.each([
  ["a cover first", "cover"],
  ["any field first", "title"],
])("a form that sends %s is counted while it comes", async (_what, field) => {
  const { cookie } = await makeUploader();
  const bytes = new TextEncoder().encode(
    `--b\r\nContent-Disposition: form-data; name="${field}"\r\n\r\nbytes`,
  );
  const held: (() => void)[] = [];
  const slow = [1, 2, 3].map(() => {
    const body = new ReadableStream({
      type: "bytes",
      async start(controller) {
        controller.enqueue(bytes.slice());
        await new Promise<void>((resolve) => held.push(resolve));
        controller.close();
      },
    });
    const headers = { "Content-Type": "multipart/form-data; boundary=b" };
    return request("/recordings", { cookie, body, headers });
  });
  const counts = "SELECT count(*) AS rows FROM recordings WHERE file_ended_at IS NULL";
  await vi.waitFor(async () => expect(await rowsOf(counts)).toEqual([{ rows: 3 }]));
  const fourth = await upload(cookie);
  expect([fourth.status, await fourth.text()]).toEqual([409, expect.stringMatching(/3 songs/)]);
  for (const end of held) end();
  for (const { status } of await Promise.all(slow)) expect(status).toBe(400);
  expect(await rowsOf(counts)).toEqual([{ rows: 0 }]);
});

test("what is refused at once uses up none of the twenty, sixty times a day; what takes long does", async () => {
  const { user, cookie } = await makeUploader();
  const insertEnded = (count: number, lastedMs: number) =>
    env.DB.prepare(
      `WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?1)
       INSERT INTO recordings (id, owner_id, state, title, artist, created_at, file_ended_at)
       SELECT ?2 || n, ?3, 'arriving', '', '', ?4, ?4 + ?5 FROM numbers`,
    )
      .bind(count, `ended-${lastedMs}-`, user.id, Date.now() - 60_000, lastedMs)
      .run();
  await insertEnded(maxUploadsPerDay, 29_000);
  const none = await upload(cookie, { file: null });
  expect([none.status, await none.text()]).toEqual([422, expect.stringMatching(/choose the file/)]);
  await insertEnded(maxUploadsPerDay - 1, 30_000);
  await uploaded(cookie);
  const more = await upload(cookie);
  expect([more.status, await more.text()]).toEqual([409, expect.stringMatching(/tomorrow/)]);
  await env.DB.prepare(
    "DELETE FROM recordings WHERE id LIKE 'ended-30000-%' OR state = 'draft'",
  ).run();
  await insertEnded(maxAttemptsPerDay - maxUploadsPerDay - 2, 1);
  await uploaded(cookie);
  expect((await upload(cookie)).status).toBe(409);
});

test("a form with a field that an upload does not have, or with one twice, is refused whole", async () => {
  const { cookie } = await makeUploader();
  for (const [name, value] of [
    ["key", "1"],
    ["title", "Another"],
  ] as const) {
    const body = uploadForm();
    body.append(name, value);
    const answer = await request("/recordings", { cookie, body });
    expect([answer.status, await answer.text()]).toEqual([400, expect.stringMatching(/twice/)]);
  }
  expect(await rowsOf(living)).toEqual([]);
  expect(await bucketKeys()).toEqual([]);
});

test.each([
  ["without a file", { file: null }, /choose the file/],
  ["with an empty one", { file: new Uint8Array() }, /choose the file/],
  ["without a title", { title: " \u200b\n" }, /give your song a title/],
  ["with a title without end", { title: "x".repeat(201) }, /too long/],
  ["without the tick", { rights: null }, /Please tick/],
  ["with a page", { file: joined("<html>", makeWav(6)) }, /This is no song.*MP3, M4A/],
  [
    "with an MP3 behind a mark",
    { file: joined([239, 187, 191], makeMp3(6)) },
    /front of its sound/,
  ],
  ["with a WAV of eleven minutes", { file: makeWav(660) }, /11 minutes.*cut it/],
  ["with a cover that is a page", { cover: joined("<svg onload=alert(1)>") }, /no picture/],
  [
    "with a cover of six megabytes",
    { cover: joined(smallPng, new Uint8Array(6e6)) },
    /5 MB at most/,
  ],
  ["with 41 MB", { file: makeWav(240, { wavRate: 44_100, channels: 2 }) }, /40 MB at most.*MP3/],
])("an upload %s is refused in a sentence, and nothing stays", async (_what, fields, says) => {
  const { cookie } = await makeUploader();
  const response = await upload(cookie, fields);
  expect([422, 413]).toContain(response.status);
  const text = await response.text();
  expect(text).toMatch(says);
  expect(text).toContain("Back to the upload");
  expect(await rowsOf(living)).toEqual([]);
  expect(await bucketKeys()).toEqual([]);
});

test("names that would do harm are shown as text", async () => {
  const { cookie } = await makeUploader();
  const title = `"><script>alert(1)</script>\u202e`;
  const id = await uploaded(cookie, { title, artist: `'; DROP TABLE users; --` });
  const page = await (await request(`/recordings/${id}`, { cookie })).text();
  expect(page).not.toContain("<script>alert");
  expect(await rowsOf("SELECT title, artist FROM recordings")).toEqual([
    { title: `"><script>alert(1)</script>`, artist: `'; DROP TABLE users; --` },
  ]);
});

/** So many pieces of an upload of which only the first is understood. `beforeLast` is called before the last one. */
function longUpload(pieces: number, beforeLast: () => Promise<unknown>) {
  const head = '--b\r\nContent-Disposition: form-data; name="file"\r\n\r\nfLaC and so on';
  let sent = 0;
  const body = new ReadableStream({
    type: "bytes",
    async pull(controller) {
      sent += 1;
      if (sent === pieces) await beforeLast();
      controller.enqueue(sent === 1 ? new TextEncoder().encode(head) : new Uint8Array(60_000));
      if (sent === pieces) controller.close();
    },
  });
  const headers = { "Content-Type": "multipart/form-data; boundary=b" };
  return { options: { body, headers, bindings: env }, sent: () => sent };
}

test("who is refused while a large file still comes is answered once all of it has, and it holds nothing meanwhile", async () => {
  const { cookie } = await makeUploader();
  let rows: unknown;
  const long = longUpload(150, async () => {
    rows = await rowsOf(living);
  });
  const refused = await request("/recordings", { cookie, ...long.options });
  expect([refused.status, await refused.text()]).toEqual([422, expect.stringMatching(/FLAC/)]);
  expect([rows, long.sent()]).toEqual([[], 150]);
});

test("who may not submit uploads nothing, and what comes is thrown away", async () => {
  await makeSong(await makeUser());
  const { cookie } = await makeMember();
  const long = longUpload(150, async () => undefined);
  const poor = await request("/recordings", { cookie, ...long.options });
  expect([poor.status, await poor.text()]).toEqual([409, expect.stringMatching(/more song/)]);
  expect(long.sent()).toBe(150);
  const visitor = await request("/recordings", { body: uploadForm() });
  expect(visitor.headers.get("Location")).toBe("/?ended");
  const other = await makeUploader();
  const lock = { id: "lock", user_id: other.user.id, reason: "Noise.", locked_at: 1 };
  await insert("submission_locks", lock).run();
  expect((await upload(other.cookie)).status).toBe(409);
  expect((await upload((await makeUploader()).cookie, {}, { ...env, UPLOADS: "off" })).status).toBe(
    503,
  );
  expect(await rowsOf("SELECT id FROM recordings")).toEqual([]);
  expect(await bucketKeys()).toEqual([]);
});

test.each([
  ["logs out", "DELETE FROM sessions"],
  ["spends the credits", "UPDATE users SET credits = 0, rated_count = 0, rated_withdrawn = 0"],
  ["deletes the account", "DELETE FROM users"],
])("who %s while the file comes gets no draft", async (_what, change) => {
  await makeSong(await makeUser());
  const { cookie } = await makeUploader();
  const whole = new Response(uploadForm());
  const type = whole.headers.get("Content-Type") ?? "";
  const bytes = new Uint8Array(await whole.arrayBuffer());
  const body = new ReadableStream({
    type: "bytes",
    async start(controller) {
      controller.enqueue(bytes.slice(0, 20_000));
      await new Promise((resolve) => setTimeout(resolve, 300));
      await env.DB.prepare(change).run();
      controller.enqueue(bytes.slice(20_000));
      controller.close();
    },
  });
  const response = await request("/recordings", {
    cookie,
    body,
    headers: { "Content-Type": type },
  });
  expect([response.status, await response.text()]).toEqual([
    409,
    expect.stringMatching(/Nothing was kept/),
  ]);
  expect(await rowsOf(living)).toEqual([]);
  expect(await rowsOf("SELECT count(*) AS files FROM file_deletions")).toEqual([{ files: 2 }]);
});

test("a form that breaks off, or is none, leaves nothing", async () => {
  const { cookie } = await makeUploader();
  const whole = new Response(uploadForm());
  const type = whole.headers.get("Content-Type") ?? "";
  const bytes = new Uint8Array(await whole.arrayBuffer());
  for (const [body, header] of [
    [bytes.slice(0, 50_000), type],
    [bytes.slice(0, -4), type],
    [bytes, "multipart/form-data; boundary=another"],
    [bytes, "text/plain"],
    [new Uint8Array(50_000_000), type],
  ] as const) {
    const response = await request("/recordings", {
      cookie,
      body,
      headers: { "Content-Type": header },
    });
    expect([400, 413]).toContain(response.status);
    expect(await response.text()).toMatch(/Nothing was (kept|changed)/);
  }
  expect(await rowsOf(living)).toEqual([]);
  expect(await bucketKeys()).toEqual([]);
});

test("the same bytes once more are one draft, with the newest words", async () => {
  const { cookie } = await makeUploader();
  await uploaded(cookie, { title: "Frist light" });
  const again = await upload(cookie, { title: "First light" });
  const path = again.headers.get("Location") ?? "";
  const [{ id }] = (await rowsOf(living)) as [{ id: string }];
  expect([await rowsOf(living), path]).toEqual([
    [{ id, state: "draft" }],
    `/recordings/${id}?again`,
  ]);
  expect(await (await request(path, { cookie })).text()).toContain("taken that one&#x27;s place");
  const plain = await (await request(`/recordings/${id}`, { cookie })).text();
  expect(plain).not.toContain("that one&#x27;s place");
  const both = await Promise.all([upload(cookie), upload(cookie)]);
  expect(both.map(({ status }) => status)).toEqual([303, 303]);
  expect((await rowsOf(living)).length).toBe(1);
  // Another owner's is another.
  await uploaded((await makeUploader()).cookie);
  expect((await rowsOf(living)).length).toBe(2);
});

test("there are three drafts at a time, also for who uploads several at once", async () => {
  const { cookie } = await makeUploader();
  const files = [5, 6, 7, 8, 9].map((seconds) => makeWav(seconds));
  const answers = await Promise.all(files.map((file) => upload(cookie, { file })));
  expect(answers.map(({ status }) => status).sort()).toEqual([303, 303, 303, 409, 409]);
  const screen = await (await request("/?menu=addownsong", { cookie })).text();
  expect(screen.match(/href="\/recordings\/[0-9a-f-]{36}"/g)?.length).toBe(3);
  const [{ id }] = (await rowsOf(living)) as [{ id: string }];
  expect((await request(`/recordings/${id}/delete`, { cookie, form: {} })).status).toBe(303);
  expect((await request(`/recordings/${id}/delete`, { cookie, form: {} })).status).toBe(404);
  expect((await request(`/recordings/${id}/audio`, { cookie })).status).toBe(404);
  await uploaded(cookie, { file: makeWav(10) });
});

test("twenty uploads a day are enough, deleted ones included", async () => {
  const { cookie } = await makeUploader();
  const press = async () => {
    const id = await uploaded(cookie);
    await request(`/recordings/${id}/delete`, { cookie, form: {} });
  };
  for (let n = 0; n < maxUploadsPerDay; n += 1) await press();
  expect((await rowsOf("SELECT key FROM file_deletions")).length).toBe(2 * maxUploadsPerDay);
  const more = await upload(cookie);
  expect([more.status, await more.text()]).toEqual([409, expect.stringMatching(/tomorrow/)]);
  expect((await rowsOf("SELECT id FROM recordings")).length).toBe(maxUploadsPerDay);
  passTime(24 * 60 * 60 * 1000);
  await press();
});
