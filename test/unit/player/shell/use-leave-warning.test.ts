import { expect, test } from "vitest";
import { type PlayerState, toSnapshot } from "~/player/machine/state";
import { losesListen } from "~/player/shell/use-leave-warning";
import { after, choose, song, statesIn } from "../support.ts";

const asks = (state: PlayerState) => losesListen(toSnapshot(state));
const { idle, playing, broken } = statesIn("page");

test.each([
  ["page", ["starting", "accepted", "playing", "confirming"]],
  ["app", []],
] as const)("leaving would stop a listen that is under way: %s", (place, names) => {
  const asking = Object.entries(statesIn(place)).filter(([, state]) => asks(state));
  expect(asking.map(([name]) => name)).toEqual(names);
  expect(losesListen(null)).toBe(false);
});

test("leaving loses nothing where a reload has paused the song, until it goes on", () => {
  const paused = after(idle, { type: "returned", song, reachedMs: 9_000 });
  expect(asks(paused)).toBe(false);
  expect(asks(after(paused, 1_000, "resumed"))).toBe(true);
});

test("leaving loses nothing once the song was rated, here or elsewhere", () => {
  expect(asks(after(playing, 5_000, "rated"))).toBe(false);
});

test("leaving loses nothing where the player never played, though it was set up anew", () => {
  const anew = { type: "reconnecting", place: "page" } as const;
  expect(asks(after(broken, 1_000, choose(song), 2_000, anew, 3_000, "ready"))).toBe(false);
});
