import fc from "fast-check";
import { expect, test } from "vitest";
import { isRejection } from "~/platform/rejection";
import { readCover } from "~/sources/files/cover-file";
import { joined, u32 } from "../../../support/recordings/sound-files";

const png = (width: number, height = width) =>
  joined("\x89PNG\r\n\x1a\n", u32(13), "IHDR", u32(width, height), new Uint8Array(20));
const sides = (width: number) => [8, width >> 8, width & 255, width >> 8, width & 255];
const frame = (width: number) => joined([0xff, 0xc2, 0, 17], sides(width), new Uint8Array(10));
const scan = [0xff, 0xda, 0, 8, 1, 1, 0, 0, 63, 0, 1, 2, 0xff, 0xd9];
const jpeg = (...widths: number[]) =>
  joined([0xff, 0xd8, 0xff, 0xe1, 0, 6], "Exif", ...widths.map(frame), scan);
const webp = (kind: string, ...rest: number[]) =>
  joined("RIFF", u32(0), "WEBP", kind, u32(0).slice(), rest, new Uint8Array(20));

test.each([
  ["jpeg", jpeg(640)],
  ["png", png(640)],
  ["webp", webp("VP8 ", 0, 0, 0, 0x9d, 1, 0x2a, 64, 0, 64, 0)],
  ["webp", webp("VP8L", 0x2f, 63, 0xc0, 15, 0)],
  ["webp", webp("VP8X", 0, 0, 0, 0, 63, 0, 0, 63, 0, 0)],
])("a picture is a %s by its bytes", (type, bytes) => {
  expect(readCover(bytes)).toBe(type);
});

test.each([
  ["a page", joined("<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'>")],
  ["GIF", joined("GIF89a", new Uint8Array(99))],
  ["a picture of a hundred million pixels", png(10_000)],
  ["a picture without width", png(0, 64)],
  ["a JPEG of sixty thousand lines", jpeg(60_000)],
  ["a JPEG without a frame", jpeg()],
  ["a JPEG without a picture", jpeg(640).subarray(0, -scan.length)],
  ["a JPEG of two sizes", jpeg(64, 65_000)],
  ["a JPEG that is cut", jpeg(640).subarray(0, -2)],
  ["a picture of one point", png(1)],
  ["a hairline", png(4000, 64)],
  ["six megabytes", joined(png(64), new Uint8Array(6_000_000))],
])("%s is refused", (_what, bytes) => {
  const read = readCover(bytes);
  expect(isRejection(read) && read.error).toMatch(/Choose/);
});

test("a cover has 64 pixels on its short side, and is at most three times as long", () => {
  for (const taken of [png(64, 192), png(192, 64)]) expect(readCover(taken)).toBe("png");
  for (const refused of [png(63), png(64, 193), png(193, 64)]) {
    const read = readCover(refused);
    expect(isRejection(read) && read.error).toMatch(/64 pixels on each side.*three times/);
  }
});

test.each(["heic", "heix", "hevc", "heim", "mif1", "msf1"])(
  "a photo of an iPhone (%s) is named",
  (brand) => {
    const read = readCover(joined(u32(24), "ftyp", brand, u32(0), "mif1heic"));
    expect(isRejection(read) && read.error).toMatch(/HEIC.*JPEG.*Most Compatible/);
  },
);

test("another file of that family is no photo of an iPhone", () => {
  const read = readCover(joined(u32(24), "ftyp", "avif", u32(0), "mif1"));
  expect(isRejection(read) && read.error).toMatch(/no picture/);
});

test("whatever follows a signature is read or refused", () => {
  const starts = fc.constantFrom("\xff\xd8\xff", "\x89PNG\r\n\x1a\n", "RIFF....WEBPVP8X");
  fc.assert(
    fc.property(starts, fc.uint8Array({ maxLength: 200 }), (start, rest) => {
      const read = readCover(joined(start, rest));
      expect(["jpeg", "png", "webp", "object"]).toContain(isRejection(read) ? typeof read : read);
    }),
  );
});
