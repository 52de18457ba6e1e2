import { expect, test } from "vitest";
import { isTrack } from "~/player/drivers/driver";
import { playing, song } from "../support.ts";

const copy = { trackId: "copy" };

test.each([
  { name: "its id", report: {}, is: true },
  { name: "the id it was linked from", report: { ...copy, linkedFromId: "track-1" }, is: true },
  { name: "its recording code", report: { ...copy, isrc: "ISRC1" }, is: true },
  { name: "another id", report: copy, is: false },
  { name: "another recording", report: { ...copy, isrc: "ISRC2" }, is: false },
  { name: "a copy of another", report: { ...copy, linkedFromId: "track-2" }, is: false },
  { name: "no id", report: { trackId: null }, is: false },
])("a track is known by $name: $is", ({ report, is }) => {
  expect(isTrack(playing(report), song)).toBe(is);
});

test("two tracks without a recording code are not the same for that", () => {
  expect(isTrack(playing(copy), { ...song, isrc: null })).toBe(false);
});
