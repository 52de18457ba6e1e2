import fc from "fast-check";
import { encode } from "jpeg-js";
import { expect, test } from "vitest";
import { readTint, tintOfJpeg } from "~/covers/cover-picture.server";
import { tintOf } from "~/covers/tint";
import { grey } from "~/db/rules";
import { joinBytes } from "~/platform/bytes";
import { isFrame, type JpegSegment, startOfScan, walkJpeg } from "~/platform/jpeg";

type Rgb = [number, number, number];

function picture(...parts: { colour: Rgb; share: number }[]): Uint8Array {
  const pixels = 64 * 64;
  const data = new Uint8Array(pixels * 4);
  let from = 0;
  for (const { colour, share } of parts) {
    const to = Math.min(pixels, from + Math.round(pixels * share));
    for (let n = from; n < to; n += 1) data.set([...colour, 255], n * 4);
    from = to;
  }
  return data;
}

const whole = (colour: Rgb) => picture({ colour, share: 1 });
const red: Rgb = [220, 30, 40];
const blue: Rgb = [30, 80, 200];

test.each<[string, Rgb]>([
  ["black", [0, 0, 0]],
  ["white", [255, 255, 255]],
  ["grey", [128, 128, 128]],
  ["a grey with a breath of colour", [128, 126, 124]],
])("%s has no tint", (_name, colour) => {
  expect(tintOf(whole(colour))).toBe(grey);
});

test("a picture without pixels has no tint", () => {
  expect(tintOf(new Uint8Array())).toBe(grey);
});

test("the hue of most of what is coloured counts, whatever the grey around it", () => {
  const mostly = picture(
    { colour: [20, 20, 20], share: 0.6 },
    { colour: blue, share: 0.3 },
    { colour: red, share: 0.1 },
  );
  expect(tintOf(mostly)).toBe(tintOf(whole(blue)));
  expect(tintOf(whole(blue))).not.toBe(tintOf(whole(red)));
});

test("a speck of colour on grey is no tint", () => {
  expect(
    tintOf(picture({ colour: [200, 200, 200], share: 0.97 }, { colour: [255, 0, 0], share: 0.03 })),
  ).toBe(grey);
});

test("pale and strong colours of one hue differ in strength alone", () => {
  const [pale, strong] = [tintOf(whole([235, 205, 200])), tintOf(whole(red))];
  expect(pale % 2).toBe(0);
  expect(strong % 2).toBe(1);
});

test("every picture has a tint within the scale, or is grey", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 400 }), (data) => {
      const tint = tintOf(data);
      expect(Number.isInteger(tint)).toBe(true);
      expect(tint).toBeGreaterThanOrEqual(0);
      expect(tint).toBeLessThanOrEqual(grey);
    }),
  );
});

const blueJpeg = new Uint8Array(
  encode({ data: Buffer.from(whole(blue)), width: 64, height: 64 }, 80).data,
);
const segments: JpegSegment[] = [];
walkJpeg(blueJpeg, { left: 99 }, (segment) => segments.push(segment));
const jpegOf = (parts: { bytes: Uint8Array }[]) =>
  joinBytes([
    Uint8Array.of(0xff, 0xd8),
    ...parts.map(({ bytes }) => bytes),
    Uint8Array.of(0xff, 0xd9),
  ]);
const scan = segments.filter(({ marker }) => marker === startOfScan);
const change = (at: number, value: number, which: typeof isFrame) =>
  segments.map((segment) => {
    const bytes = segment.bytes.slice();
    if (which(segment)) bytes[at] = value;
    return { bytes };
  });

test.each([
  ["twelve scans", [...segments, ...Array(11).fill(scan).flat()], tintOf(whole(blue))],
  ["a scan more", [...segments, ...Array(12).fill(scan).flat()], grey],
  ["a scan of more parts than it has", change(4, 4, ({ marker }) => marker === startOfScan), grey],
  ["fifteen lines for one", change(11, 0x1f, isFrame), grey],
  ["no line for one", change(11, 0x10, isFrame), grey],
  ["five parts", change(9, 5, isFrame), grey],
  ["two sizes", [...segments.filter(isFrame), ...segments], grey],
])("a JPEG that has %s costs the decoder no more than others", (_what, parts, tint) => {
  expect(tintOfJpeg(jpegOf(parts))).toBe(tint);
});

const answering = (answer: () => Response) => (async () => answer()) as typeof fetch;

test("a JPEG is read as it looks", async () => {
  const fetch = answering(() => new Response(blueJpeg));
  expect(await readTint(fetch, "https://pictures.example/1", 1000)).toBe(tintOf(whole(blue)));
});

test.each([
  ["no picture", () => new Response("Not found", { status: 404 })],
  ["no JPEG", () => new Response("<svg/>")],
  ["an empty file", () => new Response(new Uint8Array())],
  ["a huge file", () => new Response(new Uint8Array(400_000))],
  ["a JPEG that claims to be huge", () => new Response(hugeJpeg())],
])("%s has no tint, and is not asked for again", async (_name, answer) => {
  expect(await readTint(answering(answer), "https://pictures.example/1", 1000)).toBe(grey);
});

test.each([
  ["an outage", () => new Response("", { status: 503 })],
  ["a limit", () => new Response("", { status: 429 })],
  [
    "no answer",
    () => {
      throw new TypeError("network");
    },
  ],
])("after %s it is asked for again", async (_name, answer) => {
  expect(await readTint(answering(answer), "https://pictures.example/1", 1000)).toBeNull();
});

/** The size in its header is 65,500 by 65,500. */
function hugeJpeg(): Uint8Array<ArrayBuffer> {
  const bytes = blueJpeg.slice();
  for (let at = 0; at < bytes.length; at += 1) {
    if (bytes[at] === 0xff && bytes[at + 1] === 0xc0) {
      bytes.set([0xff, 0xdc, 0xff, 0xdc], at + 5);
      break;
    }
  }
  return bytes;
}
