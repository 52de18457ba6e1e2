import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { proposeTitle, songsAmong } from "~/routes/_index/add-song/dropped";
import { findFault } from "~/routes/_index/add-song/find-fault";
import { sendUpload } from "~/routes/_index/add-song/send-upload";
import { joined, makeMp3, makeWav, u32 } from "../../support/recordings/sound-files";

const png = joined("\x89PNG\r\n\x1a\n", u32(13), "IHDR", u32(64, 64), new Uint8Array(20));

function formOf(fields: Record<string, string | Uint8Array<ArrayBuffer> | null> = {}): FormData {
  const form = new FormData();
  const words = { title: "Light", artist: "", rights: "yes", made: "people" };
  const song = { ...words, file: makeMp3(6), cover: null };
  for (const [name, value] of Object.entries({ ...song, ...fields })) {
    if (typeof value === "string") form.set(name, value);
    else if (value) form.set(name, new File([value], `${name}.bin`));
    // A browser has an empty file where none was chosen.
    else if (name === "file" || name === "cover") form.set(name, new File([], ""));
  }
  return form;
}

test("nothing is wrong with a song that the server takes", async () => {
  expect(await findFault(formOf(), false)).toBeNull();
  expect(await findFault(formOf({ cover: png, artist: "Mara" }), false)).toBeNull();
  expect(await findFault(formOf({ made: "partly" }), false)).toBeNull();
  expect(await findFault(formOf({ made: "generated" }), true)).toBeNull();
});

test.each([
  ["title", { title: " \u200b " }, /Give your song a title/],
  ["title", { title: "x".repeat(201) }, /too long/],
  ["artist", { artist: "x".repeat(201) }, /too long/],
  ["rights", { rights: null }, /Tick/],
  ["made", { made: null }, /Say how this recording was made/],
  ["made", { made: "it was" }, /Say how this recording was made/],
  ["made", { made: "generated" }, /only songs that people have made/],
  ["file", { file: null }, /Choose the file/],
  ["file", { file: new Uint8Array() }, /empty.*iCloud/],
  ["file", { file: joined("<html>", makeWav(6)) }, /This is no song/],
  ["file", { file: joined("OggS", new Uint8Array(99)) }, /Ogg is not played/],
  ["file", { file: makeWav(660) }, /11 minutes.*Cut it/],
  ["file", { file: makeWav(240, { wavRate: 44_100, channels: 2 }) }, /40 MB at most.*MP3/],
  ["file", { file: makeWav(6).slice(0, 50_000) }, /not whole/],
  ["cover", { cover: joined("GIF89a", new Uint8Array(99)) }, /no picture/],
  ["cover", { cover: new Uint8Array(6_000_000) }, /5 MB at most/],
])(
  "a fault of the field %s is found before anything travels, in the server's words",
  async (field, fields, says) => {
    expect(await findFault(formOf(fields), false)).toEqual({
      field,
      error: expect.stringMatching(says),
    });
  },
);

test("a file that has changed since it was chosen has to be chosen again", async () => {
  const form = formOf();
  vi.spyOn(File.prototype, "slice").mockImplementation(() => {
    throw new DOMException("changed", "NotReadableError");
  });
  expect(await findFault(form, false)).toEqual({
    field: "file",
    error: expect.stringMatching(/Choose it again/),
  });
});

test.each([
  ["Midnight Train FINAL.mp3", "Midnight Train"],
  ["My_Band-03_final.wav", "My Band 03"],
  ["Day-to-day (final v2).mp3", "Day-to-day"],
  ["final.mp3", "final"],
  ["Mix 1.2", "Mix 1.2"],
  ["Mix 1.2.WAV", "Mix 1.2"],
  ["Vol. 3.m4a", "Vol. 3"],
  [`${"e\u0301".repeat(250)}.mp3`, "\u00e9".repeat(200)],
  ["👍🏽".repeat(201), "👍🏽".repeat(200)],
])("the file %s proposes its name as far as it fits, without an ending", async (name, title) => {
  expect(proposeTitle(name)).toBe(title);
  expect(await findFault(formOf({ title }), false)).toBeNull();
});

test("what a Mac writes beside a song is no song where there is another file", () => {
  const files = ["._song.mp3", "song.mp3"].map((name) => new File([], name));
  expect(songsAmong(files).map(({ name }) => name)).toEqual(["song.mp3"]);
  expect(songsAmong(files.slice(0, 1)).map(({ name }) => name)).toEqual(["._song.mp3"]);
});

class StubRequest {
  static last: StubRequest;
  upload: { onprogress?: (event: { loaded: number; total: number }) => void } = {};
  onloadend = () => {};
  status = 0;
  responseText = "";
  open = vi.fn();
  send = vi.fn();
  setRequestHeader = vi.fn();
  constructor() {
    StubRequest.last = this;
  }
  abort() {
    this.status = 0;
    this.onloadend();
  }
  answer(status: number, body: unknown) {
    this.status = status;
    this.responseText = typeof body === "string" ? body : JSON.stringify(body);
    this.onloadend();
  }
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("XMLHttpRequest", StubRequest);
});
afterEach(() => {
  vi.useRealTimers();
});

function send() {
  const progress = vi.fn();
  const sent = sendUpload("/recordings", new FormData(), progress);
  const { last: request } = StubRequest;
  return {
    ...{ ...sent, progress, request },
    /** So many of nine bytes have left. */
    left: (loaded: number) => request.upload.onprogress?.({ loaded, total: 9 }),
  };
}

test.each([
  [200, { ok: true, to: "/recordings/1" }, "/recordings/1", expect.any(String), false],
  [422, { error: "Cut it." }, null, "Cut it.", false],
  [409, { error: "Too many." }, null, "Too many.", false],
  [503, { error: "Later." }, null, "Later.", true],
  [408, { error: "Late." }, null, "Late.", true],
  [502, "<h1>Bad gateway", null, expect.stringMatching(/try again/i), true],
  [200, "null", null, expect.any(String), false],
])("an answer of %s with %j is read", async (status, body, to, error, isBroken) => {
  const { answer, request } = send();
  request.answer(status, body);
  expect(await answer).toEqual({ to, error, isBroken, isLineGone: false });
});

test("a connection that breaks, or is broken off, can be tried again", async () => {
  const broken = send();
  broken.request.abort();
  const stopped = send();
  stopped.stop();
  const error = expect.stringMatching(/broke/);
  for (const { answer } of [broken, stopped]) {
    expect(await answer).toEqual({ to: null, isBroken: true, isLineGone: true, error });
  }
});

test("a connection that breaks once all has left may have brought the song, and says so", async () => {
  const late = send();
  late.left(8);
  late.left(9);
  late.request.abort();
  const read = await late.answer;
  expect(read).toMatchObject({ isBroken: true, error: expect.stringMatching(/may have arrived/) });
  expect(read?.error).not.toMatch(/nothing was kept/);
  const early = send();
  early.left(8);
  early.request.abort();
  expect((await early.answer)?.error).toMatch(/nothing was kept/);
});

test("a connection without a byte for a minute counts as broken, a slow one does not", async () => {
  const { answer, progress, left } = send();
  for (let n = 1; n <= 5; n += 1) {
    vi.advanceTimersByTime(59_000);
    left(n);
  }
  expect(progress).toHaveBeenLastCalledWith(5, 9);
  expect(await Promise.race([answer, "under way"])).toBe("under way");
  vi.advanceTimersByTime(61_000);
  expect(await answer).toMatchObject({ isBroken: true });
});
