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
  ["page", ["starting", "accepted", "playing", "confirming"]],
  ["app", []],
])("leaving would stop a listen that is under way: %s", (place, names) => {
  expect(asks(statesIn(place))).toEqual(names);
  expect(losesListen(null)).toBe(false);
});

test("leaving loses nothing where a reload has paused the song, until it goes on", () => {
  const paused = elapsed([[0, { type: "returned", song, heardMs: 9_000 }]], statesIn("page").idle);
  expect(losesListen(toSnapshot(paused))).toBe(false);
  const resumed = elapsed([[1_000, { type: "resumed" }]], paused);
  expect(losesListen(toSnapshot(resumed))).toBe(true);
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
