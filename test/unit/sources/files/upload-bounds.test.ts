/** What an attacker makes of the most bytes that are taken costs little memory, and each byte is looked at once. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { MalformedForm, readMultipart } from "~/platform/multipart";
import type { Rejection } from "~/platform/rejection";
import type { AudioUpload } from "~/sources/files/audio-upload.server";
import { type CoverType, coverParts, maxCoverBytes, readCover } from "~/sources/files/cover-file";
import { withoutMetadata } from "~/sources/files/cover-metadata";
import { type FormPiece, readUploadForm } from "~/sources/files/upload-form.server";
import { makeRoom } from "~/sources/files/upload-room";
import { joined, makeWav, u32, u32le } from "../../../support/recordings/sound-files";

const megabyte = 1024 * 1024;

/** The picture as it comes and as it is kept, and some for what else is going on. */
const mostGrown = 32 * megabyte;

function memory(): number {
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

/** So many times the same bytes between two others, `most` bytes in all. */
function filled(start: Uint8Array, part: Uint8Array, end: Uint8Array, most: number): Uint8Array {
  const bytes = new Uint8Array(most);
  bytes.set(start);
  let at = start.length;
  for (; at + part.length + end.length <= most; at += part.length) bytes.set(part, at);
  bytes.set(end, at);
  return bytes.subarray(0, at + end.length);
}

const song = makeWav(5);
const frame = [0xff, 0xc0, 0, 11, 8, 0, 64, 0, 64, 1, 1, 0x11, 0];
const scan = [0xff, 0xda, 0, 8, 1, 1, 0, 0, 63, 0];
const jpegEnd = joined(frame, scan, [1, 2, 0xff, 0xd9]);
const pngStart = joined("\x89PNG\r\n\x1a\n", u32(13), "IHDR", u32(64, 64), new Uint8Array(9));
const pngEnd = joined(u32(0), "IEND", u32(0));
const webpStart = joined(
  "RIFF",
  u32le(0),
  "WEBP",
  "VP8X",
  u32le(10),
  [0, 0, 0, 0, 63, 0, 0, 63, 0, 0],
);
const exif = joined("Exif\0\0II*\0", u32le(8), [255, 255], new Uint8Array(65_000));

const pictures: [string, CoverType, Uint8Array, Uint8Array, Uint8Array][] = [
  ["empty segments", "jpeg", joined([0xff, 0xd8]), joined([0xff, 0xee, 0, 2]), jpegEnd],
  ["comments", "jpeg", joined([0xff, 0xd8]), joined([0xff, 0xfe, 0, 3, 7]), jpegEnd],
  ["tables", "jpeg", joined([0xff, 0xd8]), joined([0xff, 0xdb, 0, 2]), jpegEnd],
  ["scans", "jpeg", joined([0xff, 0xd8], frame), joined([0xff, 0xda, 0, 2, 1]), jpegEnd],
  [
    "EXIF of many entries",
    "jpeg",
    joined([0xff, 0xd8]),
    joined([0xff, 0xe1, (exif.length + 2) >> 8, (exif.length + 2) & 255], exif),
    jpegEnd,
  ],
  ["empty chunks", "png", pngStart, joined(u32(0), "tEXt", u32(0)), pngEnd],
  ["empty pieces", "png", pngStart, joined(u32(0), "IDAT", u32(0)), pngEnd],
  ["empty chunks", "webp", webpStart, joined("EXIF", u32le(0)), new Uint8Array()],
  ["empty pieces", "webp", webpStart, joined("ANMF", u32le(0)), new Uint8Array()],
];

const words: [string, Uint8Array][] = [
  ["title", joined("A")],
  ["rights", joined("yes")],
  ["made", joined("people")],
];

test.each(pictures)(
  "a picture of %s (%s) is refused in a sentence, at a bounded cost",
  async (_what, type, start, part, end) => {
    const bytes = filled(start, part, end, maxCoverBytes);
    const before = memory();
    const told = await arrival().read(formOf(...words, ["file", song], ["cover", bytes]));
    expect(memory() - before).toBeLessThan(mostGrown);
    expect(told).toMatchObject({ status: 422, error: expect.stringMatching(/more parts/) });
    const parts = coverParts();
    expect(withoutMetadata(bytes, type, parts)).toBeNull();
    expect(parts.left).toBeGreaterThan(-5);
  },
);

test.each([
  ["fill bytes", [0xff]],
  ["escaped bytes in a scan", [0xff, 0]],
  ["restarts in a scan", [0xff, 0xd0]],
])("a JPEG of %s is read in steps that its bytes bound", (_what, part) => {
  const bytes = filled(
    joined([0xff, 0xd8], frame, scan),
    joined(part),
    joined([0xff, 0xd9]),
    maxCoverBytes,
  );
  const before = memory();
  const parts = coverParts();
  expect(readCover(bytes, parts)).toBe("jpeg");
  expect(withoutMetadata(bytes, "jpeg", parts)?.length).toBeLessThanOrEqual(bytes.length + 2);
  expect(memory() - before).toBeLessThan(mostGrown);
});

test.each([
  ["a PNG in pieces of a kilobyte", "png", pngStart, 1024, pngEnd],
  ["a PNG in pieces of half a kilobyte", "png", pngStart, 512, pngEnd],
] as const)("%s, as some programs write it, is taken whole", (_what, type, start, size, end) => {
  const piece = joined(u32(size), "IDAT", new Uint8Array(size).fill(5), u32(0));
  const bytes = filled(start, piece, end, maxCoverBytes);
  const parts = coverParts();
  expect(readCover(bytes, parts)).toBe(type);
  expect(Buffer.compare(withoutMetadata(bytes, type, parts) ?? new Uint8Array(), bytes)).toBe(0);
});

test("a JPEG with two hundred segments of a camera and programs is taken", () => {
  const segment = joined([0xff, 0xed, 0x40, 0], new Uint8Array(0x3ffe));
  const whole = joined([0xff, 0xd8], ...Array(200).fill(segment), jpegEnd);
  const parts = coverParts();
  expect(readCover(whole, parts)).toBe("jpeg");
  expect(withoutMetadata(whole, "jpeg", parts)).toEqual(joined([0xff, 0xd8], jpegEnd));
});

test("of a JPEG that says often how it has to be turned, only the first word is kept", () => {
  const tiff = joined("II*\0", u32le(8), [1, 0, 0x12, 1, 3, 0], u32le(1), [6, 0, 0, 0]);
  const segment = joined([0xff, 0xe1, 0, 2 + 6 + tiff.length], "Exif\0\0", tiff);
  const once = joined([0xff, 0xd8], segment, jpegEnd);
  const often = joined([0xff, 0xd8], ...Array(900).fill(segment), jpegEnd);
  expect(withoutMetadata(often, "jpeg")).toEqual(withoutMetadata(once, "jpeg"));
});

const head = (name: string) => `\r\n--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n`;

async function* inPieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** Counts how often a byte of a form is looked at. */
function counted(bytes: Uint8Array) {
  let looks = 0;
  const watched = (piece: Uint8Array): Uint8Array =>
    new Proxy(piece, {
      get(target, key) {
        if (typeof key === "string" && /^\d+$/.test(key)) looks += 1;
        if (key === "indexOf") throw new Error("restarts");
        if (key === "subarray") return target.subarray.bind(target);
        return Reflect.get(target, key, target);
      },
    });
  return { pieces: (size: number) => watchedPieces(size), looks: () => looks };

  async function* watchedPieces(size: number) {
    for await (const piece of inPieces(bytes, size)) yield watched(piece);
  }
}

test("each byte of a form is looked at once, whatever it holds and in whatever pieces", async () => {
  const tricky = fc.constantFrom("\r", "\r\n", "\r\n--", "\r\n--b\r\r\n", "-", "\n\n", "x");
  await fc.assert(
    fc.asyncProperty(tricky, fc.integer({ min: 1, max: 700 }), async (part, size) => {
      const start = joined(head("file").slice(2));
      const bytes = filled(start, joined(part), joined("\r\n--b--"), 20_000);
      const form = counted(bytes);
      let length = 0;
      try {
        for await (const piece of readMultipart(form.pieces(size), "b"))
          if (piece instanceof Uint8Array) length += piece.length;
      } catch (error) {
        // A boundary in its midst may make it another form.
        if (!(error instanceof MalformedForm)) throw error;
      }
      expect(length).toBeLessThan(bytes.length);
      expect(form.looks()).toBeLessThanOrEqual(bytes.length);
    }),
    { numRuns: 60 },
  );
});

test("a form of a million fields ends at the twenty-first, however they are called", async () => {
  const bytes = filled(new Uint8Array(), joined(head("x")), joined("\r\n--b--"), 40 * megabyte);
  let asked = 0;
  async function* body() {
    for await (const piece of inPieces(bytes, 65_536)) {
      asked += 1;
      yield piece;
    }
  }
  let fields = 0;
  const read = async () => {
    for await (const piece of readMultipart(body(), "b")) fields += Number("field" in piece);
  };
  await expect(read()).rejects.toThrow(MalformedForm);
  expect([fields, asked]).toEqual([20, 1]);
});

/** An upload's form, with a bucket that takes everything and a room of its own. */
function arrival({ obstacle = null }: { obstacle?: Rejection | null } = {}) {
  const room = makeRoom(12 * megabyte);
  const place = room.enter({ now: () => 0, wait: async () => undefined });
  const seen: string[] = [];
  let held = 0;
  return {
    seen,
    mostHeld: () => held,
    async read(form: AsyncIterable<FormPiece>) {
      const upload: AudioUpload = {
        size: () => 0,
        write: async () => null,
        finish: async () => "",
        abort: async () => undefined,
      };
      async function* watched() {
        for await (const piece of form) {
          yield piece;
          held = Math.max(held, room.held());
        }
      }
      return readUploadForm(watched(), {
        place,
        takesGenerated: false,
        async begin() {
          seen.push(`row, with ${room.held()} bytes held`);
          return obstacle;
        },
        async open() {
          seen.push("file");
          return upload;
        },
      });
    },
  };
}

async function* formOf(...fields: [string, Uint8Array][]): AsyncGenerator<FormPiece> {
  for (const [field, bytes] of fields) {
    yield { field };
    yield* inPieces(bytes, 4096);
  }
}

const no: Rejection = { rejected: true, status: 409, error: "No." };

test.each(["cover", "title", "artist", "song", "rights", "made"])(
  "a form that begins with its %s has its row before a byte of it is kept",
  async (field) => {
    const one = arrival({ obstacle: no });
    expect(await one.read(formOf([field, new Uint8Array(90).fill(65)]))).toBe(no);
    expect([one.seen, one.mostHeld()]).toEqual([["row, with 0 bytes held"], 0]);
  },
);

test("a form without a byte in it needs no row", async () => {
  const one = arrival();
  const fields = ["title", "file", "cover"].map((name): [string, Uint8Array] => [
    name,
    new Uint8Array(),
  ]);
  expect(await one.read(formOf(...fields))).toMatchObject({ error: /Choose the file/ });
  expect(one.seen).toEqual([]);
});

test.each([
  ["a field that an upload does not have", ["title", "key"]],
  ["one that every object has", ["constructor"]],
  ["a field twice", ["title", "artist", "title"]],
  ["its file twice", ["file", "file"]],
  ["its cover twice", ["cover", "cover"]],
])("a form with %s ends there", async (_what, names) => {
  const one = arrival();
  const fields = names.map((name): [string, Uint8Array] => [name, new Uint8Array(40).fill(65)]);
  expect(await one.read(formOf(...fields))).toMatchObject({ status: expect.any(Number) });
});

test("an upload holds no more than has come of its cover", async () => {
  const one = arrival();
  await one.read(formOf(["cover", new Uint8Array(200_000)]));
  expect(one.mostHeld()).toBeLessThan(320_000);
  const more = arrival();
  await more.read(formOf(["cover", new Uint8Array(6_000_000)]));
  expect(more.mostHeld()).toBe(maxCoverBytes);
});
