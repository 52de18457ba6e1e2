/** A listen from before a reload, whose song may still be on in the listener's own app. */
import { expect, test } from "vitest";
import { wantsReport, wantsTicks } from "~/player/machine/machine";
import { type PlayerState, toSnapshot } from "~/player/machine/state";
import { after, pausedAt, plays, type Story, song, statesIn, wrongTrack } from "../support.ts";

const { idle, playing } = statesIn("app");
const follow = { type: "followed", song } as const;
const followed = after(idle, 10_000, follow);

test("until Spotify has answered, nothing is known of a song that is followed", () => {
  expect(followed).toMatchObject({ song, reachedMs: 0, dialogOpen: false, showRestart: false });
  expect(toSnapshot(followed)).toMatchObject({ busy: false, secondsLeft: null });
  expect(wantsTicks(followed, 10_500)).toBe(true);
  expect(wantsReport(followed, 10_500, 2_000)).toBe(true);
});

const nothing = { phase: "idle", song: null, pauses: 0, dialogOpen: false } as const;
const ready = { ...nothing, status: { text: "Ready", tone: "ok" } } as const;

test.each<[string, Story, Partial<PlayerState>]>([
  [
    "a song that still plays counts as far as it has come",
    [plays(12_000)],
    { phase: "playing", reachedMs: 12_000, countingFrom: 10_500 },
  ],
  ["a song that still plays counts on", [plays(12_000), 11_500, "tick"], { reachedMs: 13_000 }],
  [
    "a song that was heard for long enough is confirmed",
    [plays(90_000), 11_500, "tick"],
    { phase: "confirming" },
  ],
  [
    "a paused song that was heard for long enough is confirmed",
    [pausedAt(90_000), 11_500, "tick"],
    { phase: "confirming" },
  ],
  [
    "a song that was paused says so",
    [pausedAt(12_000)],
    {
      ...{ phase: "interrupted", reachedMs: 12_000, dialogOpen: true },
      status: {
        text: "The song was paused too early. Resume, and your time goes on.",
        tone: "error",
      },
    },
  ],
  [
    "a song that was paused can be resumed from there",
    [pausedAt(12_000), 12_000, "resumed"],
    { phase: "starting", reachedMs: 12_000 },
  ],
  [
    "what plays after a pause is the listener's own choice no more",
    [pausedAt(12_000), 11_000, wrongTrack],
    { pauses: 1 },
  ],
  ["where something else plays, the player is idle again", [wrongTrack], ready],
  ["where nothing plays, the player is idle again", [null], ready],
])("%s", (_title, story, to) => {
  expect(after(followed, 10_500, ...story)).toMatchObject(to);
});

test.each(["unknown", "unanswered"] as const)(
  "where it is %s what plays, Spotify is asked again, and the player idle after five seconds",
  (input) => {
    const asked = after(followed, 10_500, input);
    expect(asked).toMatchObject({ song, reachedMs: 0, dialogOpen: false });
    expect(wantsReport(asked, 11_500, 2_000)).toBe(true);
    expect(after(asked, 15_499, plays(12_000)).reachedMs).toBe(12_000);
    expect(after(asked, 15_500, input)).toMatchObject(nothing);
  },
);

test("a player that has a song keeps it", () => {
  expect(after(playing, 2_000, follow)).toBe(playing);
});
