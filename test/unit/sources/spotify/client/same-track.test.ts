import { expect, test } from "vitest";
import { isSameTrack } from "~/sources/song";

const track = { trackId: "track-1", isrc: "ISRC1" };

test.each([
  { name: "its id", trackIds: ["track-1"], isrc: null, same: true },
  { name: "the id it was linked from", trackIds: ["copy", "track-1"], isrc: null, same: true },
  { name: "its recording code", trackIds: ["copy"], isrc: "ISRC1", same: true },
  { name: "another id", trackIds: ["copy"], isrc: null, same: false },
  { name: "another recording code", trackIds: ["copy"], isrc: "ISRC2", same: false },
  { name: "the ids of another track", trackIds: ["copy", "track-2"], isrc: null, same: false },
  { name: "no id", trackIds: [], isrc: null, same: false },
])("a playback with $name is of the track: $same", ({ trackIds, isrc, same }) => {
  expect(isSameTrack({ trackIds, isrc }, track)).toBe(same);
});

test("two tracks without a recording code are not the same track for that reason", () => {
  const playback = { trackIds: ["copy"], isrc: null };
  expect(isSameTrack(playback, { ...track, isrc: null })).toBe(false);
});
