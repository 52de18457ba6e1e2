import fc from "fast-check";
import { decode, encode } from "jpeg-js";
import { expect, test } from "vitest";
import { readCover } from "~/sources/files/cover-file";
import { withoutMetadata } from "~/sources/files/cover-metadata";
import { joined, u32, u32le } from "../../../support/recordings/sound-files";

const place = "52.5200 N, 13.4050 E";
const pixels = Uint8Array.from({ length: 64 * 64 * 4 }, (_, n) => (n * 37) % 256);
const plainJpeg = new Uint8Array(encode({ data: pixels, width: 64, height: 64 }, 80).data);

const segment = (marker: number, content: Uint8Array) =>
  joined([0xff, marker, (content.length + 2) >> 8, (content.length + 2) & 255], content);

/** A phone's EXIF: first how the picture has to be turned, then where it was taken. */
const exif = (orientation: number) =>
  joined("Exif\0\0MM\0*", u32(8), [0, 2, 1, 0x12, 0, 3], u32(1), [0, orientation, 0, 0], place);

const afterStart = (jpeg: Uint8Array, ...segments: Uint8Array[]) =>
  joined(jpeg.subarray(0, 2), ...segments, jpeg.subarray(2));

const text = (bytes: Uint8Array | null) => String.fromCharCode(...(bytes ?? []));
const pictureOf = (jpeg: Uint8Array) => Array.from(decode(jpeg, { useTArray: true }).data);

test.each([
  ["EXIF", segment(0xe1, exif(1))],
  ["XMP", segment(0xe1, joined(`http://ns.adobe.com/xap/1.0/\0<x>${place}</x>`))],
  ["a comment", segment(0xfe, joined(place))],
  ["a maker's block", segment(0xed, joined(`Photoshop 3.0\0${place}`))],
  ["an index of more pictures", segment(0xe2, joined(`MPF\0${place}`))],
])("of a JPEG %s goes, and its picture stays as it is", (_what, extra) => {
  const kept = withoutMetadata(afterStart(plainJpeg, extra), "jpeg") as Uint8Array;
  expect(text(kept)).not.toContain(place);
  expect(kept).toEqual(withoutMetadata(plainJpeg, "jpeg"));
  expect(pictureOf(kept)).toEqual(pictureOf(plainJpeg));
  expect(readCover(kept)).toBe("jpeg");
});

test.each([2, 3, 6, 8])("a JPEG that has to be turned (%i) still says so, and no more", (turn) => {
  const kept = withoutMetadata(afterStart(plainJpeg, segment(0xe1, exif(turn))), "jpeg");
  expect(text(kept)).not.toContain(place);
  const alone = joined("Exif\0\0MM\0*", u32(8), [0, 1, 1, 0x12, 0, 3], u32(1), [0, turn, 0, 0]);
  expect(text(kept).slice(2)).toContain(text(segment(0xe1, joined(alone, u32(0)))));
  expect(withoutMetadata(kept as Uint8Array, "jpeg")).toEqual(kept);
});

test("a JPEG written by a little-endian program is turned, too", () => {
  const little = joined("Exif\0\0II*\0", u32le(8), [1, 0, 0x12, 1, 3, 0], u32le(1), [6, 0, 0, 0]);
  const turned = withoutMetadata(afterStart(plainJpeg, segment(0xe1, exif(6))), "jpeg");
  expect(withoutMetadata(afterStart(plainJpeg, segment(0xe1, little)), "jpeg")).toEqual(turned);
});

test("what follows the end of a picture goes", () => {
  const kept = withoutMetadata(plainJpeg, "jpeg");
  expect(withoutMetadata(joined(plainJpeg, place, plainJpeg), "jpeg")).toEqual(kept);
  // One without its end was cut.
  expect(withoutMetadata(plainJpeg.subarray(0, -2), "jpeg")).toBeNull();
});

test("a JPEG's colours are kept, and the picture inside its header is not", () => {
  const colours = segment(0xe2, joined("ICC_PROFILE\0\x01\x01", new Uint8Array(20)));
  expect(text(withoutMetadata(afterStart(plainJpeg, colours), "jpeg"))).toContain("ICC_PROFILE");
  const small = segment(0xe0, joined("JFIF\0", [1, 1, 0, 0, 1, 0, 1, 1, 1], [9, 9, 9], place));
  const kept = withoutMetadata(afterStart(plainJpeg, small), "jpeg");
  expect(kept).toEqual(withoutMetadata(plainJpeg, "jpeg"));
});

test("of a PNG only what one sees stays", () => {
  const chunk = (name: string, content: string) =>
    joined(u32(content.length), name, content, u32(0));
  const start = joined("\x89PNG\r\n\x1a\n", chunk("IHDR", "\0\0\0\x08\0\0\0\x08\x08\x02\0\0\0"));
  const end = joined(chunk("IDAT", "pixels"), chunk("IEND", ""));
  const extra = ["tEXt", "iTXt", "eXIf", "tIME", "prVt"].map((name) => chunk(name, place));
  const gamma = chunk("gAMA", "\0\0\xb1\x8f");
  const kept = withoutMetadata(joined(start, ...extra, gamma, end, place), "png");
  expect(kept).toEqual(joined(start, gamma, end));
});

test("of a WebP only what one sees stays, and its length and flags say so", () => {
  const chunk = (name: string, content: string) =>
    joined(name, u32le(content.length), content, "\0".repeat(content.length % 2));
  const webp = (flags: string, ...chunks: Uint8Array[]) => {
    const body = joined("WEBP", chunk("VP8X", `${flags}\0\0\0\x3f\0\0\x3f\0\0`), ...chunks);
    return joined("RIFF", u32le(body.length), body);
  };
  const [alpha, picture] = [chunk("ALPH", "odd"), chunk("VP8 ", "picture")];
  const whole = webp("\x1c", alpha, picture, chunk("EXIF", place), chunk("XMP ", place));
  expect(withoutMetadata(whole, "webp")).toEqual(webp("\x10", alpha, picture));
});

test.each([
  ["a JPEG without a picture", "jpeg", plainJpeg.subarray(0, 100)],
  ["a JPEG that is none from the third byte", "jpeg", joined("\xff\xd8 and more text")],
  ["a PNG that was cut", "png", joined("\x89PNG\r\n\x1a\n", u32(13), "IHDR", u32(9, 9))],
] as const)("%s is broken", (_what, type, bytes) => {
  expect(withoutMetadata(bytes, type)).toBeNull();
});

test("whatever follows a signature is read to its end, and never grows", () => {
  const starts = fc.constantFrom(
    ["jpeg", "\xff\xd8\xff"] as const,
    ["jpeg", "\xff\xd8\xff\xe1\0\x40Exif\0\0II*\0"] as const,
    ["png", "\x89PNG\r\n\x1a\n"] as const,
    ["webp", "RIFF....WEBPVP8X"] as const,
  );
  fc.assert(
    fc.property(starts, fc.uint8Array({ maxLength: 300 }), ([type, start], rest) => {
      const bytes = joined(start, rest);
      const kept = withoutMetadata(bytes, type);
      expect(kept?.length ?? 0).toBeLessThanOrEqual(bytes.length + 40);
    }),
  );
});
