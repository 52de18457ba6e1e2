import { expect, test } from "vitest";
import { isFrame, walkJpeg } from "~/platform/jpeg";
import { joined } from "../../support/recordings/sound-files";

const start = [0xff, 0xd8];
const tables = [0xff, 0xc4, 0, 4, 1, 2];
const frame = (marker: number) => [0xff, marker, 0, 5, 8, 0, 1];
/** Its data hold a stuffed 0xff, each restart, and fill bytes before what follows. */
const scan = [0xff, 0xda, 0, 3, 1, 7, 0xff, 0, 9, 0xff, 0xd0, 9, 0xff, 0xd7, 8, 0xff];
const end = [0xff, 0xd9];

/** Marker and length of each part. */
function markersIn(...given: number[][]): [number, number][] | null {
  const seen: [number, number][] = [];
  const isWhole = walkJpeg(joined(start, ...given), { left: 99 }, ({ marker, bytes }) =>
    seen.push([marker, bytes.length]),
  );
  return isWhole ? seen : null;
}

test("a JPEG's parts are told, with fill bytes before one, up to its end", () => {
  const whole = [
    [0xc4, 6],
    [0xc2, 7],
    [0xda, 16],
    [0xc4, 6],
    [0xda, 16],
  ];
  const parts = [tables, [0xff, 0xff], frame(0xc2), scan, tables, scan];
  expect(markersIn(...parts, end, scan)).toEqual(whole);
});

test.each([
  ["no frame", [tables, scan, end]],
  ["two frames", [frame(0xc0), frame(0xcf), scan, end]],
  ["no scan", [frame(0xc0), tables, end]],
  ["something else between its parts", [frame(0xc0), [7, 0, 0, 2], scan, end]],
  ["no end, as one that was cut has", [frame(0xc0), scan]],
  ["nothing", []],
])("a JPEG of %s has none", (_what, parts) => {
  expect(markersIn(...parts)).toBeNull();
});

test("a frame says the size, whatever way it is coded; tables do not", () => {
  const told = (marker: number) => isFrame({ marker, bytes: new Uint8Array() });
  expect([0xc0, 0xc1, 0xc2, 0xc3, 0xc5, 0xcf].map(told)).toEqual(Array(6).fill(true));
  expect([0xbf, 0xc4, 0xc8, 0xcc, 0xd0, 0xda].map(told)).toEqual(Array(6).fill(false));
});

test("a JPEG has no more parts than whoever reads it may still look at", () => {
  const bytes = joined(start, tables, frame(0xc0), scan, end);
  for (const [left, isWhole] of [
    [3, true],
    [2, false],
  ] as const) {
    const budget = { left };
    let visited = 0;
    const walked = walkJpeg(bytes, budget, () => {
      visited += 1;
    });
    expect([walked, visited, budget.left]).toEqual([isWhole, left, isWhole ? 0 : -1]);
  }
});
