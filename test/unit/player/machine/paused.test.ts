/** A song that the listener pauses in the player bar, and one that stops without that. */
import { expect, test } from "vitest";
import type { PlayerState } from "~/player/machine/state";
import { after, pausedAt, plays, type Story, statesIn, wrongTrack } from "../support.ts";

const stops = pausedAt(10_000);
const asked: Story = [10_900, "steered", 11_000, stops];
const held = { phase: "interrupted", held: true } as const;
const onAgain = { phase: "playing", held: false, reachedMs: 13_000 } as const;
const isError = { held: false, errorType: "pause", showRestart: true } as const;

test.each<[string, Story, Partial<PlayerState>]>([
  [
    "a pause that was asked for is no error",
    asked,
    // What is left stands with the choices.
    {
      ...{ ...held, sounding: false, reachedMs: 10_000, status: { text: "Paused.", tone: "ok" } },
      ...{ errorType: null, dialogOpen: false, showRestart: false },
    },
  ],
  ["a paused song counts nothing", [...asked, 60_000, "tick"], { reachedMs: 10_000 }],
  [
    "a pause that was asked for right after the first sound is no error",
    [1_200, "steered", 1_400, pausedAt(300)],
    { ...held, errorType: null },
  ],
  [
    "a report from before the pause changes nothing",
    [10_900, "steered", 10_950, plays(9_950), 11_000, stops],
    { ...held, errorType: null },
  ],
  ["a pause that nobody asked for is an error", [11_000, stops], isError],
  ["a pause long after it was asked for is an error", [1_200, "steered", 16_300, stops], isError],
  [
    "resumed, a song keeps what was heard",
    [...asked, 60_000, "resumed"],
    { phase: "starting", held: true, reachedMs: 10_000, attempt: 2 },
  ],
  [
    "resumed, it counts on from where it was",
    [...asked, 60_000, "resumed", 60_500, "play-accepted", 60_600, plays(10_100), 63_600, "tick"],
    onAgain,
  ],
  [
    "resumed elsewhere, it counts on too",
    [...asked, 40_000, plays(10_100), 43_000, "tick"],
    onAgain,
  ],
  [
    "what is played meanwhile is the listener's own choice",
    [...asked, 20_000, wrongTrack, 22_000, wrongTrack],
    { ...held, pauses: 0, status: { text: "Paused.", tone: "ok" } },
  ],
])("in the page and in the app, %s", (_title, story, to) => {
  for (const place of ["page", "app"] as const) {
    expect(after(statesIn(place).playing, ...story)).toMatchObject(to);
  }
});

test.each(["page", "app"] as const)(
  "in the %s, what stops a song after it was resumed was not asked for",
  (place) => {
    const resumed: Story = [60_000, "resumed", 60_500, "play-accepted", 60_600, plays(10_100)];
    const state = after(statesIn(place).playing, ...asked, ...resumed, 64_000, null);
    expect(state).toMatchObject({ status: { tone: "error" }, dialogOpen: place === "app" });
  },
);

test("paused while it is being confirmed, a song can go on", () => {
  const paused: Story = [36_100, "steered", 36_200, pausedAt(35_200), 36_500, "confirmed"];
  for (const place of ["page", "app"] as const) {
    expect(after(statesIn(place).confirming, ...paused)).toMatchObject({
      ...{ phase: "unlocked", unlocked: true, sounding: false, held: true },
    });
  }
});
