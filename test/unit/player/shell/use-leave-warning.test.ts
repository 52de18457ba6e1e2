import { expect, test } from "vitest";
import type { PlaybackTarget } from "~/player/drivers/driver";
import { toSnapshot } from "~/player/machine/state";
import { losesListen } from "~/player/shell/use-leave-warning";
import { elapsed, song, statesIn } from "../support.ts";

const asks = (states: ReturnType<typeof statesIn>) =>
  Object.entries(states)
    .filter(([, state]) => losesListen(toSnapshot(state)))
    .map(([name]) => name);

test.each<[PlaybackTarget, string[]]>([
  ["page", ["starting", "accepted", "playing", "paused", "wrongTrackPlaying", "confirming"]],
  ["app", []],
])("leaving would lose a listen that is under way: %s", (place, names) => {
  expect(asks(statesIn(place))).toEqual(names);
  expect(losesListen(null)).toBe(false);
});

test("leaving loses nothing once the song was rated, here or elsewhere", () => {
  const rated = elapsed([[5_000, { type: "rated" }]], statesIn("page").playing);
  expect(losesListen(toSnapshot(rated))).toBe(false);
});

test("leaving loses nothing where the player never played, though it was set up anew", () => {
  const again = elapsed(
    [
      [1_000, { type: "chosen", song }],
      [2_000, { type: "reconnecting", place: "page" }],
      [3_000, { type: "ready" }],
    ],
    statesIn("page").broken,
  );
  expect(losesListen(toSnapshot(again))).toBe(false);
});
