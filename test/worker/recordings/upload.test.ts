import { env } from "cloudflare:workers";
import { beforeEach, expect, test, vi } from "vitest";
import { maxFileBytes } from "~/sources/files/audio-file";
import { maxCoverBytes } from "~/sources/files/cover-file";
import { maxAttemptsPerDay, maxUploadsPerDay } from "~/sources/files/take-in.server";
import { counts, gives, hides, holds, leads, says, shows } from "../../support/answers";
import { passTime } from "../../support/clock";
import { insert } from "../../support/database/factories";
import { change, row, rows } from "../../support/database/rows";
import { someone, song } from "../../support/people";
import { browser } from "../../support/people/logins";
import { living, uploader } from "../../support/people/uploader";
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
  smallJpeg,
  smallPng,
  smallWebp,
  uploadForm,
} from "../../support/recordings/uploads";

beforeEach(emptyBucket);

async function hashOf(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  const text = btoa(String.fromCharCode(...digest));
  return text.replaceAll("+", "-").replaceAll("/", "_").replace("=", "");
}

async function expectNothingKept(): Promise<void> {
  expect([await living(), await bucketKeys()]).toEqual([[], []]);
}

/** A form as its browser sends it. */
async function sentForm() {
  const whole = new Response(uploadForm());
  const headers = { "Content-Type": whole.headers.get("Content-Type") ?? "" };
  return { headers, bytes: new Uint8Array(await whole.arrayBuffer()) };
}

const boundary = { "Content-Type": "multipart/form-data; boundary=b" };

test.each([
  ["wav", makeWav(6), "audio/wav", 6000, 44, "png", smallPng],
  [
    "mp3",
    makeMp3(6, { before: id3(new Uint8Array(90)) }),
    "audio/mpeg",
    6008,
    100,
    "jpeg",
    smallJpeg,
  ],
  ["m4a", makeM4a(6, { indexFirst: true }), "audio/mp4", 5991, 540, "webp", smallWebp],
] as const)(
  "a %s becomes a draft with what its bytes say, and its cover as well",
  async (...made) => {
    const [type, file, mediaType, durationMs, audioStart, coverType, cover] = made;
    const who = await uploader();
    // Name and type are the browser's word, which counts for nothing.
    const id = await who.drafts({ file, cover, fileName: "song.exe", fileType: "text/html" });
    await holds("recordings", {
      ...{ id, ownerId: who.id, state: "draft", hash: await hashOf(file), type, durationMs },
      ...{ bytes: file.length, audioStart, title: "First light", artist: who.displayName },
      ...{ coverType, coverBytes: cover.length },
    });
    expect(await bucketKeys()).toEqual([`${id}/audio`, `${id}/cover`]);
    const path = `/recordings/${id}`;
    await shows(who, path, `src="${path}/audio"`, `name="recording" value="${id}"`);
    const { status, headers } = await who.gets(`${path}/audio`);
    expect([status, headers.get("Content-Type")]).toEqual([200, mediaType]);
    expect(headers.get("X-Content-Type-Options")).toBe("nosniff");
    expect(headers.get("Cache-Control")).toContain("no-store");
    const picture = (await who.gets(`${path}/cover`)).headers;
    expect(picture.get("Content-Type")).toBe(`image/${coverType}`);
    expect(picture.get("Cache-Control")).toBe("private, no-store");
    expect(await who.bytesOf(`${path}/audio`)).toEqual(file);
    expect(await who.bytesOf(`${path}/cover`)).toEqual(cover);
  },
);

test("an M4A that has its index behind the sound is kept with it in front", async () => {
  const who = await uploader();
  const tail = box("free", "behind");
  const file = makeM4a(6, { tail });
  const kept = await who.bytesOf(`/recordings/${await who.drafts({ file })}/audio`);
  expect(kept).toEqual(makeM4a(6, { indexFirst: true, tail }));
  const audioEnd = file.length - 14;
  // The same bytes are one song, however they are kept.
  await holds("recordings", {
    ...{ hash: await hashOf(file), audioStart: audioEnd - 258 * 6, audioEnd },
  });
});

test("what was taken as a FLAC once is served as one", async () => {
  const who = await uploader();
  const path = `/recordings/${await who.drafts({ file: makeMp3(6) })}/audio`;
  await change("recordings", {}, { type: "flac" });
  expect((await who.gets(path)).headers.get("Content-Type")).toBe("audio/flac");
});

test("a program gets the address as JSON, and fields may come in any order", async () => {
  const who = await uploader();
  const body = new FormData();
  body.set("file", new File([makeWav(6)], "x"));
  for (const [name, value] of uploadForm({ file: null, artist: "Ada" })) body.append(name, value);
  const response = await who.gets("/recordings", { body, headers: { Accept: "application/json" } });
  const { id: recordingId, artist } = await row("recordings");
  expect(artist).toBe("Ada");
  const answer = { ok: true, recordingId, to: `/recordings/${recordingId}` };
  expect(await response.json()).toEqual(answer);
});

test("its owner hears any part of a draft", async () => {
  const who = await uploader();
  const file = makeWav(6);
  const { length } = file;
  const path = `/recordings/${await who.drafts({ file })}/audio`;
  for (const [range, ifRange, status, says, bytes, first] of [
    ["bytes=0-1", "", 206, `bytes 0-1/${length}`, 2, 82],
    ["bytes=0-", "", 206, `bytes 0-${length - 1}/${length}`, length, 82],
    ["bytes=-4", "", 206, `bytes ${length - 4}-${length - 1}/${length}`, 4, file.at(-4)],
    [`bytes=${length}-`, "", 416, `bytes */${length}`],
    ["pages=1-2", "", 200, null, length, 82],
    ["bytes=0-1", `"another"`, 200, null, length, 82],
  ] as const) {
    const headers = { Range: range, ...(ifRange && { "If-Range": ifRange }) };
    const part = await who.gets(path, { headers });
    const heard = new Uint8Array(await part.arrayBuffer());
    expect([range, part.status, part.headers.get("Content-Range")]).toEqual([range, status, says]);
    if (bytes) expect([heard.length, heard[0]]).toEqual([bytes, first]);
  }
  const head = await who.gets(path, { method: "HEAD", headers: { Range: "bytes=0-1" } });
  expect([head.status, head.headers.get("Content-Length")]).toEqual([200, String(length)]);
});

test("of a cover only what one sees is kept, and a broken one is refused", async () => {
  const who = await uploader();
  const place = joined(u32(8), "tEXt", "GPS home", u32(0));
  const cover = joined(smallPng.subarray(0, 33), place, smallPng.subarray(33));
  const id = await who.drafts({ cover });
  expect(await who.bytesOf(`/recordings/${id}/cover`)).toEqual(smallPng);
  await says(who.uploads({ cover: cover.subarray(0, 60) }), 422, /no picture/);
});

test("the largest file and the largest cover come in together and whole, and a form with more does not", async () => {
  const who = await uploader();
  const rate = { wavRate: 48_000, channels: 2 };
  const seconds = Math.floor((maxFileBytes - 44) / (4 * rate.wavRate));
  const file = joined(makeWav(seconds, rate), new Uint8Array(maxFileBytes)).slice(0, maxFileBytes);
  new DataView(file.buffer).setUint32(40, maxFileBytes - 44, true);
  const rest = maxCoverBytes - smallPng.length - 12;
  const picture = joined(u32(rest), "IDAT", new Uint8Array(rest), u32(0));
  const cover = joined(smallPng.subarray(0, 33), picture, smallPng.subarray(33));
  expect(cover.length).toBe(maxCoverBytes);
  const names = { title: "\u{1f3b5}".repeat(99), fileName: `${"x".repeat(200)}.wav` };
  const id = await who.drafts({ file, cover, ...names });
  const hash = await hashOf(file);
  const sizes = { bytes: maxFileBytes, coverBytes: maxCoverBytes };
  await holds("recordings", { hash, ...sizes });
  const stored = (await env.RECORDINGS.get(`${id}/audio`)) as R2ObjectBody;
  expect(await hashOf(new Uint8Array(await stored.arrayBuffer()))).toBe(hash);
  const body = new FormData();
  const length = maxFileBytes + maxCoverBytes + 64 * 1024;
  body.set("title", new File([new Uint8Array(length)], ""));
  await says(who.gets("/recordings", { body }), 413, /40 MB at most/);
});

test.each([
  ["a cover first", "cover"],
  ["any field first", "title"],
])("a form that sends %s is counted while it comes", async (_what, field) => {
  const who = await uploader();
  await who.login();
  const head = `--b\r\nContent-Disposition: form-data; name="${field}"\r\n\r\nbytes`;
  const held: (() => void)[] = [];
  const slow = [1, 2, 3].map(() => {
    const body = new ReadableStream({
      type: "bytes",
      async start(controller) {
        controller.enqueue(new TextEncoder().encode(head));
        await new Promise<void>((resolve) => held.push(resolve));
        controller.close();
      },
    });
    return who.gets("/recordings", { body, headers: boundary });
  });
  await vi.waitFor(async () => expect(await living()).toHaveLength(3));
  await says(who.uploads(), 409, /3 songs/);
  for (const end of held) end();
  for (const { status } of await Promise.all(slow)) expect(status).toBe(400);
  expect(await living()).toEqual([]);
});

test("what is refused at once uses up none of the twenty, sixty times a day; what takes long does", async () => {
  const who = await uploader();
  const insertEnded = (count: number, lastedMs: number) =>
    env.DB.prepare(
      `WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?1)
       INSERT INTO recordings (id, owner_id, state, title, artist, created_at, file_ended_at)
       SELECT ?2 || n, ?3, 'arriving', '', '', ?4, ?4 + ?5 FROM numbers`,
    )
      .bind(count, `ended-${lastedMs}-`, who.id, Date.now() - 60_000, lastedMs)
      .run();
  await insertEnded(maxUploadsPerDay, 29_000);
  await says(who.uploads({ file: null }), 422, /Choose the file/);
  await insertEnded(maxUploadsPerDay - 1, 30_000);
  await who.drafts();
  await says(who.uploads(), 409, /tomorrow/);
  await env.DB.prepare(
    "DELETE FROM recordings WHERE id LIKE 'ended-30000-%' OR state = 'draft'",
  ).run();
  await insertEnded(maxAttemptsPerDay - maxUploadsPerDay - 2, 1);
  await who.drafts();
  await gives(who.uploads(), 409);
});

test.each(["key", "title"])(
  "a form with a second %s, or one that an upload does not have, is refused whole",
  async (name) => {
    const who = await uploader();
    const body = uploadForm();
    body.append(name, "1");
    await says(who.gets("/recordings", { body }), 400, /twice/);
    await expectNothingKept();
  },
);

test.each([
  ["without a file", { file: null }, /Choose the file/],
  ["with an empty one", { file: new Uint8Array() }, /Choose the file/],
  ["without a title", { title: " \u200b\n" }, /Give your song a title/],
  ["with a title without end", { title: "x".repeat(201) }, /too long/],
  ["without the tick", { rights: null }, /Tick/],
  ["that does not say how it was made", { made: null }, /Say how this recording was made/],
  ["that says it oddly", { made: "it was" }, /Say how this recording was made/],
  ["with a page", { file: joined("<html>", makeWav(6)) }, /This is no song.*MP3, M4A/],
  [
    "with an MP3 behind a mark",
    { file: joined([239, 187, 191], makeMp3(6)) },
    /front of its sound/,
  ],
  ["with a WAV of eleven minutes", { file: makeWav(660) }, /11 minutes.*Cut it/],
  ["with a cover that is a page", { cover: joined("<svg onload=alert(1)>") }, /no picture/],
  [
    "with a cover of six megabytes",
    { cover: joined(smallPng, new Uint8Array(6e6)) },
    /5 MB at most/,
  ],
  ["with 41 MB", { file: makeWav(240, { wavRate: 44_100, channels: 2 }) }, /40 MB at most.*MP3/],
])("an upload %s is refused in a sentence, and nothing stays", async (_what, fields, says) => {
  const response = await (await uploader()).uploads(fields);
  expect([422, 413]).toContain(response.status);
  const text = await response.text();
  expect(text).toMatch(says);
  expect(text).toContain("Back to the upload");
  await expectNothingKept();
});

test("names that would do harm are shown as text", async () => {
  const who = await uploader();
  const script = `"><script>alert(1)</script>`;
  const artist = `'; DROP TABLE users; --`;
  const id = await who.drafts({ title: `${script}\u202e`, artist });
  await hides(who, `/recordings/${id}`, "<script>alert");
  await holds("recordings", { title: script, artist });
});

/** A long upload of which only the first piece is understood. `beforeLast` is called before the last one. */
function longUpload(beforeLast: () => Promise<unknown> = async () => undefined) {
  const head = '--b\r\nContent-Disposition: form-data; name="file"\r\n\r\nfLaC and so on';
  const pieces = 150;
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
  return { asked: { body, headers: boundary, bindings: env }, isSent: () => sent === pieces };
}

test("who is refused while a large file still comes is answered once all of it has, and it holds nothing meanwhile", async () => {
  const who = await uploader();
  let held: unknown;
  const { asked, isSent } = longUpload(async () => {
    held = await living();
  });
  await says(who.gets("/recordings", asked), 422, /FLAC/);
  expect([held, isSent()]).toEqual([[], true]);
});

test("who may not submit uploads nothing, and what comes is thrown away", async () => {
  await song();
  const { asked, isSent } = longUpload();
  await says((await someone()).gets("/recordings", asked), 409, /more song/);
  expect(isSent()).toBe(true);
  await leads(browser().gets("/recordings", { body: uploadForm() }), "/?ended");
  const locked = await uploader();
  const lock = { id: "lock", user_id: locked.id, reason: "Noise.", locked_at: 1 };
  await insert("submission_locks", lock).run();
  await gives(locked.uploads(), 409);
  await gives((await uploader()).uploads({}, { ...env, UPLOADS: "off" }), 503);
  expect([await rows("recordings"), await bucketKeys()]).toEqual([[], []]);
});

test.each([
  ["logs out", "DELETE FROM sessions"],
  ["spends the credits", "UPDATE users SET credits = 0, rated_count = 0, rated_withdrawn = 0"],
  ["deletes the account", "DELETE FROM users"],
])("who %s while the file comes gets no draft", async (_what, meanwhile) => {
  await song();
  const who = await uploader();
  const { headers, bytes } = await sentForm();
  const body = new ReadableStream({
    type: "bytes",
    async start(controller) {
      controller.enqueue(bytes.slice(0, 20_000));
      await new Promise((resolve) => setTimeout(resolve, 300));
      await env.DB.prepare(meanwhile).run();
      controller.enqueue(bytes.slice(20_000));
      controller.close();
    },
  });
  await says(who.gets("/recordings", { body, headers }), 409, /Nothing was kept/);
  expect([await living(), await rows("fileDeletions")]).toEqual([
    [],
    [expect.anything(), expect.anything()],
  ]);
});

test("a form that breaks off, or is none, leaves nothing", async () => {
  const who = await uploader();
  const { headers, bytes } = await sentForm();
  for (const [body, type] of [
    [bytes.slice(0, 50_000)],
    [bytes.slice(0, -4)],
    [bytes, "multipart/form-data; boundary=another"],
    [bytes, "text/plain"],
    [new Uint8Array(50_000_000)],
  ] as [BodyInit, string?][]) {
    const sent = type ? { "Content-Type": type } : headers;
    const response = await who.gets("/recordings", { body, headers: sent });
    expect([400, 413]).toContain(response.status);
    expect(await response.text()).toMatch(/Nothing was (kept|changed)/);
  }
  await expectNothingKept();
});

test("the same bytes once more are one draft, with the newest words", async () => {
  const who = await uploader();
  await who.drafts({ title: "Frist light" });
  const again = await who.uploads({ title: "First light" });
  const { id, state, title } = (await living())[0] ?? {};
  expect([state, title, (await living()).length]).toEqual(["draft", "First light", 1]);
  await leads(again, `/recordings/${id}?again`);
  await shows(who, `/recordings/${id}?again`, "taken that one&#x27;s place");
  await hides(who, `/recordings/${id}`, "that one&#x27;s place");
  const both = await Promise.all([who.uploads(), who.uploads()]);
  expect(both.map(({ status }) => status)).toEqual([303, 303]);
  expect(await living()).toHaveLength(1);
  // Another owner's is another.
  await (await uploader()).drafts();
  expect(await living()).toHaveLength(2);
});

test("there are three drafts at a time, also for who uploads several at once", async () => {
  const who = await uploader();
  await who.login();
  const files = [5, 6, 7, 8, 9].map((seconds) => makeWav(seconds));
  const answers = await Promise.all(files.map((file) => who.uploads({ file })));
  expect(answers.map(({ status }) => status).sort()).toEqual([303, 303, 303, 409, 409]);
  const screen = await who.reads("/?menu=addownsong");
  expect(screen.match(/href="\/recordings\/[0-9a-f-]{36}"/g)).toHaveLength(3);
  const id = (await living())[0]?.id ?? "";
  expect([await who.deletes(id), await who.deletes(id)]).toEqual([303, 404]);
  await gives(who.gets(`/recordings/${id}/audio`), 404);
  await who.drafts({ file: makeWav(10) });
});

test("twenty uploads a day are enough, deleted ones included", async () => {
  const who = await uploader();
  for (let n = 0; n < maxUploadsPerDay; n += 1) await who.deletes(await who.drafts());
  await counts("fileDeletions", 2 * maxUploadsPerDay);
  await says(who.uploads(), 409, /tomorrow/);
  await counts("recordings", maxUploadsPerDay);
  passTime(24 * 60 * 60 * 1000);
  await who.drafts();
});
