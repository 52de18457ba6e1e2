import { expect, test } from "vitest";
import { isSameTrack } from "~/sources/song";

const track = { trackId: "track-1", isrc: "ISRC1" };

test.each([
  ["its id", true, ["track-1"], null],
  ["the id it was linked from", true, ["copy", "track-1"], null],
  ["its recording code", true, ["copy"], "ISRC1"],
  ["another id", false, ["copy"], null],
  ["another recording code", false, ["copy"], "ISRC2"],
  ["the ids of another track", false, ["copy", "track-2"], null],
  ["no id", false, [], null],
])("a playback with %s is of the track: %j", (_name, same, trackIds, isrc) => {
  expect(isSameTrack({ trackIds, isrc }, track)).toBe(same);
});

test("two tracks without a recording code are not the same track for that reason", () => {
  const playback = { trackIds: ["copy"], isrc: null };
  expect(isSameTrack(playback, { ...track, isrc: null })).toBe(false);
});
