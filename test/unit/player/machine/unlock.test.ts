import { expect, test } from "vitest";
import type { PlayerState } from "~/player/machine/state";
import {
  after,
  begin,
  type Happening,
  pausedAt,
  playback,
  plays,
  type Story,
  shortSong as short,
  song,
  wrongTrack,
} from "../support.ts";

type Row = [title: string, story: Story, after: Partial<PlayerState>];

const started = begin(song);
const accepted = begin(song, "accepted");
const hour = 3_600_000;
const ticks = Array.from({ length: 60 }, (_, second) => [2_000 + second * 1_000, "tick"] as const);
const silence = Array.from({ length: 17 }, (_, n) => [3_000 + n * 2_000, "unanswered"] as const);

test.each<Row>([
  [
    "a song does not unlock before the required seconds plus one",
    [15_000, plays(14_000), 29_000, plays(28_000), 35_999, "tick"],
    { phase: "playing", reachedMs: 34_999 },
  ],
  [
    "a song unlocks at the required seconds plus one, by the clock",
    [15_000, plays(14_000), 29_000, plays(28_000), 36_000, "tick"],
    { phase: "confirming" },
  ],
  [
    "without a report 15 seconds count, however many ticks there are",
    ticks.flat(),
    { phase: "playing", reachedMs: 15_000 },
  ],
  [
    "without a report 15 seconds count, however long the page sleeps",
    [hour, "tick"],
    { phase: "playing", reachedMs: 15_000 },
  ],
  [
    "time without a report counts in full once one shows that the song has played on",
    [30_000, plays(29_500)],
    { phase: "playing", reachedMs: 29_000 },
  ],
  [
    "such time unlocks the song",
    [30_000, plays(29_500), 41_000, plays(40_000)],
    { phase: "confirming" },
  ],
  [
    "time without a report counts in full though a tick comes before the report",
    [30_000, "tick", 30_100, plays(29_100)],
    { phase: "playing", reachedMs: 29_100 },
  ],
  [
    "no more counts than the song has progressed, where it stood",
    [hour, plays(0)],
    { phase: "playing", reachedMs: 500 },
  ],
  [
    "no more counts than the song has progressed, where it plays",
    [hour, plays(20_000)],
    { phase: "playing", reachedMs: 20_500 },
  ],
  [
    "no more counts than the song has progressed, where it was paused",
    [hour, pausedAt(20_000)],
    { phase: "interrupted", reachedMs: 20_500 },
  ],
  [
    "the clock alone counts while Spotify does not answer",
    silence.flat().slice(0, -2),
    { phase: "playing", reachedMs: 32_000 },
  ],
  [
    "a song unlocks by the clock alone where Spotify never answers",
    [...silence.flat(), 36_000, "tick"],
    { phase: "confirming" },
  ],
  [
    "a player that loads the song again at its beginning does not reduce the heard time",
    [2_000, pausedAt(0)],
    { phase: "playing", reachedMs: 1_000, countingFrom: null },
  ],
  [
    "a song that was loaded again counts on from what was heard",
    [2_000, pausedAt(0), 3_000, plays(1_000), 4_000, "tick"],
    { phase: "playing", reachedMs: 2_000 },
  ],
  [
    "a report from before the last one does not make the time between them count twice",
    [3_000, plays(2_000), 2_500, plays(1_500), 4_000, "tick"],
    { phase: "playing", reachedMs: 3_000 },
  ],
  [
    "a confirmation is called off by a pause before the unlock point",
    [25_000, plays(24_000), 36_000, "tick", 36_200, pausedAt(33_000)],
    { phase: "interrupted", errorType: "pause", reachedMs: 33_500 },
  ],
  [
    "a confirmation continues after a pause behind the unlock point",
    [25_000, plays(24_000), 36_000, "tick", 36_200, pausedAt(35_100)],
    { phase: "confirming" },
  ],
  [
    "a confirmation continues where nothing plays",
    [25_000, plays(24_000), 36_000, "tick", 36_200, null],
    { phase: "confirming" },
  ],
  [
    "a song has not ended where the listener skipped to its end",
    [11_000, pausedAt(199_990)],
    { phase: "interrupted", errorType: "pause" },
  ],
])("%s", (_title, story, to) => {
  expect(after(started, ...story)).toMatchObject(to);
});

test.each([
  ["it was paused", pausedAt(35_050)],
  ["another track plays", wrongTrack],
  ["nothing plays any more", null],
])("a song unlocks at its unlock point though the next report is that %s", (_name, report) => {
  const heard = after(started, 15_000, plays(14_000), 29_000, plays(28_000));
  expect(after(heard, 36_100, report).phase).toBe("confirming");
});

test.each<Row>([
  [
    "a first report that comes after the time limit still adds what was played",
    [10_901, "tick", 13_900, plays(12_800)],
    { phase: "playing", reachedMs: 12_800 },
  ],
  [
    "what was played since the acceptance counts, though the player still loaded at the poll before",
    [1_500, pausedAt(0), 2_400, plays(800)],
    { phase: "playing", reachedMs: 800 },
  ],
  [
    "a first report counts what was played, though Spotify did not answer before",
    [3_000, "unanswered", 10_901, "tick", 11_500, "unanswered", 13_900, plays(12_800)],
    { phase: "playing", reachedMs: 12_800 },
  ],
])("%s", (_title, story, to) => {
  expect(after(accepted, ...story)).toMatchObject(to);
});

const shortly = { durationMs: 4_000 };

test.each<[string, Happening]>([
  ["back at its start", pausedAt(0, shortly)],
  ["just short of its end", pausedAt(3_980, shortly)],
  ["half a second short of its end", pausedAt(3_500, shortly)],
  ["followed by another track", { ...wrongTrack, ...shortly, progressMs: 200 }],
  ["followed by nothing", null],
  ["playing again from its start", plays(200, shortly)],
])("a song that ends before its unlock point is counted on by the clock: %s", (_name, report) => {
  const ended = after(begin(short), 4_800, report);
  expect(ended).toMatchObject({ phase: "playing", ended: true, reachedMs: 3_800 });
  const silent = after(ended, 4_900, null);
  expect(silent.phase).toBe("playing");
  expect(after(silent, 4_999, "tick").phase).toBe("playing");
  expect(after(silent, 5_000, "tick").phase).toBe("confirming");
});

const replaced = { phase: "interrupted", errorType: "wrongSong" } as const;
const furtherOn = { ...wrongTrack, progressMs: 1_500 };

test.each<Row>([
  ["it has not ended where another track is too far on", [4_800, furtherOn], replaced],
  ["nor where that is seen while it is confirmed", [5_000, "tick", 5_300, furtherOn], replaced],
  [
    "it has ended where another track began after the clock had reached the unlock point",
    [5_000, "tick", 5_900, { ...wrongTrack, progressMs: 1_200 }],
    { phase: "confirming", ended: true, pauses: 0 },
  ],
  ["it may not stop more than a second and a half early", [3_499, null], { phase: "interrupted" }],
  ["it may stop a second and a half early", [3_500, null], { ended: true }],
  [
    "it is confirmed even if another track plays by then",
    [4_800, wrongTrack, 5_000, "tick", 5_100, wrongTrack],
    { phase: "confirming" },
  ],
])("of a song that is over before its unlock point: %s", (_title, story, to) => {
  expect(after(begin(short), ...story)).toMatchObject(to);
});

test.each<[title: string, durationMs: number, story: Story, after: Partial<PlayerState>]>([
  [
    "a song shorter than the minimum to be heard unlocks",
    2_000,
    [2_950, pausedAt(0, { durationMs: 2_000 }), 5_000, "tick"],
    { phase: "confirming" },
  ],
  [
    "a song shorter than the minimum keeps its heard time when it begins again",
    2_000,
    [2_950, null, 4_000, plays(1_600, { durationMs: 2_000 })],
    { phase: "playing", reachedMs: 3_000 },
  ],
  [
    "a song has not ended before any of it was heard, however short it is",
    1_400,
    [1_000, null],
    { phase: "playing", reachedMs: 0, ended: false },
  ],
])("%s", (_title, durationMs, story, to) => {
  expect(after(begin({ ...short, durationMs }), ...story)).toMatchObject(to);
});

test.each([
  ["before its end", 4_000, 3_600, 2_600],
  ["after a jump back", 4_000, 4_800, 1_600],
  ["a second and a half in", 4_000, 4_800, 1_500],
  ["early, and very short", 2_000, 2_600, 700],
])("a song has not ended where it is paused %s", (_name, durationMs, now, progressMs) => {
  const paused = playback({ playing: false, progressMs, durationMs });
  expect(after(begin({ ...short, durationMs }), now, paused)).toMatchObject({
    phase: "interrupted",
    errorType: "pause",
  });
});
