/** Answers of Spotify's that do not tell what plays, or where. */
import { expect, test } from "vitest";
import { wantsReport, wantsTicks } from "~/player/machine/machine";
import { canResume, type PlayerState } from "~/player/machine/state";
import { after, begin, plays, type Story, song, statesIn, wrongTrack } from "../support.ts";

const states = statesIn("app");
const asked = after(states.playing, 4_000, "unknown");
const isLost = { phase: "interrupted", errorType: "noDevice", dialogOpen: true };
const isReplaced = { phase: "interrupted", errorType: "wrongSong" } as const;

test("where Spotify does not tell what plays, the clock counts for a moment, and each tick asks again", () => {
  expect(asked).toMatchObject({ phase: "playing", reachedMs: 3_000, errorType: null });
  expect(wantsReport(asked, 5_000, 2_000)).toBe(true);
  expect(after(asked, 8_999, "unknown")).toMatchObject({ phase: "playing", reachedMs: 7_999 });
});

test("what Spotify tells then counts as if it had told it all along", () => {
  const known = after(asked, 7_000, plays(6_000));
  expect(known).toMatchObject({ phase: "playing", reachedMs: 6_000, unknownSince: null });
  expect(wantsReport(known, 8_000, 2_000)).toBe(false);
  // The five seconds begin anew.
  expect(after(known, 11_900, "unknown").phase).toBe("playing");
  expect(after(asked, 7_000, wrongTrack)).toMatchObject(isReplaced);
});

test("after five seconds nothing is taken to play, and what was heard stays", () => {
  const silent = after(asked, 9_000, "unknown");
  expect(silent).toMatchObject({ ...isLost, reachedMs: 8_000 });
  expect(canResume(silent)).toBe(true);
  expect(after(silent, 12_000, plays(11_000))).toMatchObject({
    phase: "playing",
    dialogOpen: false,
    unknownSince: null,
  });
});

test("while it is unknown what plays, a song that is confirmed is left to the server", () => {
  expect(after(states.confirming, 36_100, "unknown", 45_000, "unknown").phase).toBe("confirming");
});

test("while it is unknown what plays, a song that was rated plays on", () => {
  const asked = after(states.unlocked, 37_000, "rated", 201_000, "unknown");
  expect(asked).toMatchObject({ rated: true, sounding: true });
  expect(after(asked, 206_000, "unknown")).toMatchObject({ phase: "idle", song: null });
});

test("a song of whose start nothing is known asks for the app, not for another try", () => {
  const asked = after(states.accepted, 1_000, "unknown", 4_000, "unknown", 8_000, "unknown");
  const late = after(asked, 11_000, "tick");
  expect(late).toMatchObject(isLost);
  expect(wantsTicks(late, 12_000)).toBe(true);
});

const lengthened = { ...song, durationMs: 30_000, requiredSeconds: 29 };
const shown = plays(16_000, { durationMs: 30_000 });
const next = (progressMs: number) => ({ ...wrongTrack, progressMs });
const nowhere = plays(null);

test.each<[string, PlayerState, Story, Partial<PlayerState>]>([
  [
    "at an unknown position, the clock counts while the song plays",
    states.accepted,
    [1_000, nowhere, 3_000, nowhere, 5_000, nowhere, 7_000, nowhere],
    { phase: "playing", reachedMs: 6_000 },
  ],
  [
    "at an unknown position, a paused song keeps what was heard",
    states.playing,
    [6_000, { ...nowhere, playing: false }],
    { phase: "interrupted", errorType: "pause", reachedMs: 5_000 },
  ],
  [
    "at an unknown position, another track is the wrong one",
    states.playing,
    [6_000, { ...wrongTrack, progressMs: null }],
    isReplaced,
  ],
  [
    "a crossfade begins the next song up to twelve seconds early",
    begin(lengthened),
    [17_000, shown, 19_500, next(500)],
    { phase: "playing", ended: true, pauses: 0, errorType: null },
  ],
  [
    "after a crossfade, the clock counts the rest",
    begin(lengthened),
    [17_000, shown, 19_500, next(500), 31_000, "tick"],
    { phase: "confirming" },
  ],
  [
    "a crossfade does not explain a song that began earlier",
    begin(lengthened),
    [16_000, next(500)],
    isReplaced,
  ],
  [
    "a crossfade does not explain a song that is further on",
    begin(lengthened),
    [17_000, shown, 19_500, next(4_000)],
    isReplaced,
  ],
])("%s", (_title, from, story, to) => {
  expect(after(from, ...story)).toMatchObject(to);
});

test("a confirmation that the server may still give leaves what was heard, to be asked about again", () => {
  const failed = { type: "confirm-failed", text: "Not known.", kept: true } as const;
  const kept = after(states.confirming, 40_000, failed);
  expect(kept).toMatchObject({
    ...{ phase: "interrupted", attempt: 2, reachedMs: 35_000, dialogOpen: false },
    status: { text: "Not known.", tone: "error" },
  });
  expect(canResume(kept)).toBe(true);
  // It does not ask by itself for ever.
  expect(wantsTicks(kept, 41_000)).toBe(false);
  const resumed = after(kept, 50_000, "resumed", 50_500, "play-accepted");
  expect(after(resumed, 51_000, plays(35_400), 52_000, "tick").phase).toBe("confirming");
});
