import fc from "fast-check";
import { expect, test } from "vitest";
import { askedRange } from "~/sources/files/ranges";

test.each([
  ["bytes=0-1", { from: 0, to: 2 }],
  ["bytes=0-", { from: 0, to: 1000 }],
  ["bytes=999-", { from: 999, to: 1000 }],
  ["bytes=200-5000", { from: 200, to: 1000 }],
  ["bytes=-1", { from: 999, to: 1000 }],
  ["bytes=-5000", { from: 0, to: 1000 }],
  ["Bytes=7-7", { from: 7, to: 8 }],
  [" bytes=0-0 ", { from: 0, to: 1 }],
  ["bytes=0-99999999999999999999999999", { from: 0, to: 1000 }],
])("%j asks for a part", (header, range) => {
  expect(askedRange(header, 1000)).toEqual(range);
});

test.each(["bytes=1000-", "bytes=1000-1001", "bytes=-0", "bytes=99999999999999999999999999-"])(
  "%j is beyond the end",
  (header) => {
    expect(askedRange(header, 1000)).toBe("none");
  },
);

test.each([
  null,
  "",
  "bytes",
  "bytes=",
  "bytes=-",
  "bytes=5-2",
  "bytes=a-b",
  "bytes=0-1,5-6",
  "bytes=1--2",
  "bytes=0x1-2",
  "bytes=1.5-2",
  "bytes= 0-1",
  "items=0-1",
])("%j is answered with the whole file", (header) => {
  expect(askedRange(header, 1000)).toBe("whole");
});

test("whatever is asked, the answer is within the file and not empty", () => {
  const part = fc.oneof(fc.nat().map(String), fc.constant(""), fc.string({ maxLength: 4 }));
  fc.assert(
    fc.property(part, part, fc.integer({ min: 1, max: 1e8 }), (first, last, bytes) => {
      const range = askedRange(`bytes=${first}-${last}`, bytes);
      if (typeof range === "string") return;
      expect(range.from).toBeGreaterThanOrEqual(0);
      expect(range.to).toBeGreaterThan(range.from);
      expect(range.to).toBeLessThanOrEqual(bytes);
    }),
  );
});
