import { describe, expect, test } from "vitest";
import type { PlaybackReport } from "~/player/drivers/driver";
import type { PlayerInput } from "~/player/machine/state";
import {
  elapsed,
  playback,
  type Step,
  shortSong as short,
  song,
  startOf,
  wrongTrack,
} from "../support.ts";

const report = (progressMs: number, change: Partial<PlaybackReport> = {}): PlayerInput => ({
  type: "report",
  report: playback({ progressMs, ...change }),
});
const tick: PlayerInput = { type: "tick" };
const unanswered: PlayerInput = { type: "unanswered" };
const started = elapsed(startOf(song));

test("a song unlocks at the required seconds plus one, by the clock", () => {
  const almost = elapsed(
    [
      [15_000, report(14_000)],
      [29_000, report(28_000)],
      [35_999, tick],
    ],
    started,
  );
  expect(almost).toMatchObject({ phase: "playing", heardMs: 34_999 });
  expect(elapsed([[36_000, tick]], almost).phase).toBe("confirming");
});

describe("time without a report", () => {
  test("counts for 15 seconds, however many ticks there are and however long the page sleeps", () => {
    const ticks = Array.from({ length: 60 }, (_, second): Step => [2_000 + second * 1_000, tick]);
    expect(elapsed(ticks, started)).toMatchObject({ phase: "playing", heardMs: 15_000 });
    const woken = elapsed([[3_600_000, tick]], started);
    expect(woken).toMatchObject({ phase: "playing", heardMs: 15_000 });
  });

  test("counts in full once a report shows that the song has played on", () => {
    const woken = elapsed([[30_000, report(29_500)]], started);
    expect(woken).toMatchObject({ phase: "playing", heardMs: 29_000 });
    expect(elapsed([[41_000, report(40_000)]], started).phase).toBe("confirming");
  });

  test("counts in full even when a tick comes before that report", () => {
    const steps: Step[] = [
      [30_000, tick],
      [30_100, report(29_100)],
    ];
    expect(elapsed(steps, started)).toMatchObject({ phase: "playing", heardMs: 29_100 });
  });

  test("counts no more than the song has progressed", () => {
    expect(elapsed([[3_600_000, report(0)]], started)).toMatchObject({
      phase: "playing",
      heardMs: 500,
    });
    expect(elapsed([[3_600_000, report(20_000)]], started)).toMatchObject({ heardMs: 20_500 });
    const paused = elapsed([[3_600_000, report(20_000, { playing: false })]], started);
    expect(paused).toMatchObject({ phase: "interrupted", heardMs: 20_500 });
  });

  test("counts by the clock alone while Spotify does not answer", () => {
    const silent = Array.from({ length: 17 }, (_, n): Step => [3_000 + n * 2_000, unanswered]);
    expect(elapsed(silent.slice(0, -1), started)).toMatchObject({
      phase: "playing",
      heardMs: 32_000,
    });
    expect(elapsed([...silent, [36_000, tick]], started).phase).toBe("confirming");
  });
});

test("a player that loads the song again at its beginning does not reduce the heard time", () => {
  const state = elapsed([[2_000, report(0, { playing: false })]], started);
  expect(state).toMatchObject({ phase: "playing", heardMs: 1_000, countingFrom: null });
  const continued = elapsed(
    [
      [3_000, report(1_000)],
      [4_000, tick],
    ],
    state,
  );
  expect(continued).toMatchObject({ phase: "playing", heardMs: 2_000 });
});

test("a report from before the last one does not make the time between them count twice", () => {
  const state = elapsed(
    [
      [3_000, report(2_000)],
      [2_500, report(1_500)],
      [4_000, tick],
    ],
    started,
  );
  expect(state).toMatchObject({ phase: "playing", heardMs: 3_000 });
});

test.each([
  { name: "it was paused", input: report(35_050, { playing: false }) },
  { name: "another track plays", input: { type: "report", report: wrongTrack } as const },
  { name: "nothing plays any more", input: { type: "report", report: null } as const },
])(
  "a song that reached its unlock point unlocks even if the next report is that $name",
  ({ input }) => {
    const heard = elapsed(
      [
        [15_000, report(14_000)],
        [29_000, report(28_000)],
      ],
      started,
    );
    expect(elapsed([[36_100, input]], heard).phase).toBe("confirming");
  },
);

describe("a song that ends before its unlock point", () => {
  const ends: [string, PlayerInput][] = [
    ["back at its start", { type: "report", report: playback({ playing: false }) }],
    [
      "just short of its end",
      { type: "report", report: playback({ playing: false, progressMs: 3_980 }) },
    ],
    [
      "half a second short of its end",
      { type: "report", report: playback({ playing: false, progressMs: 3_500 }) },
    ],
    ["another track", { type: "report", report: { ...wrongTrack, progressMs: 200 } }],
    ["nothing", { type: "report", report: null }],
    ["the song again from its start", { type: "report", report: playback({ progressMs: 200 }) }],
  ].map(([name, input]) => {
    const { type, report } = input as Extract<PlayerInput, { type: "report" }>;
    return [name as string, { type, report: report && { ...report, durationMs: 4_000 } }];
  });

  test.each(ends)("is counted by the clock from there on: %s", (_name, input) => {
    const state = elapsed([...startOf(short), [4_800, input]]);
    expect(state).toMatchObject({ phase: "playing", ended: true, heardMs: 3_800 });
    const again = elapsed([[4_900, { type: "report", report: null }]], state);
    expect(again).toMatchObject({ phase: "playing" });
    expect(elapsed([[4_999, { type: "tick" }]], again).phase).toBe("playing");
    expect(elapsed([[5_000, { type: "tick" }]], again).phase).toBe("confirming");
  });

  test("has not ended where another track is further on than its end allows", () => {
    const other: PlayerInput = { type: "report", report: { ...wrongTrack, progressMs: 1_500 } };
    const replaced = elapsed([...startOf(short), [4_800, other]]);
    expect(replaced).toMatchObject({ phase: "interrupted", errorType: "wrongSong" });
    const confirming = elapsed([...startOf(short), [5_000, { type: "tick" }]]);
    expect(confirming.phase).toBe("confirming");
    const late = elapsed([[5_300, other]], confirming);
    expect(late).toMatchObject({ phase: "interrupted", errorType: "wrongSong" });
  });

  test("has ended where another track began after the clock had reached the unlock point", () => {
    const state = elapsed([
      ...startOf(short),
      [5_000, { type: "tick" }],
      [5_900, { type: "report", report: { ...wrongTrack, progressMs: 1_200 } }],
    ]);
    expect(state).toMatchObject({ phase: "confirming", ended: true, pauses: 0 });
  });

  test("unlocks even if it is shorter than the minimum to be heard", () => {
    const tiny = { ...song, durationMs: 2_000, requiredSeconds: 3 };
    const state = elapsed([
      ...startOf(tiny),
      [2_950, { type: "report", report: playback({ playing: false, durationMs: 2_000 }) }],
      [5_000, { type: "tick" }],
    ]);
    expect(state.phase).toBe("confirming");
  });

  test("keeps its heard time when it begins again", () => {
    const tiny = { ...song, durationMs: 2_000, requiredSeconds: 3 };
    const state = elapsed([
      ...startOf(tiny),
      [2_950, { type: "report", report: null }],
      [4_000, { type: "report", report: playback({ progressMs: 1_600, durationMs: 2_000 }) }],
    ]);
    expect(state).toMatchObject({ phase: "playing", heardMs: 3_000 });
  });

  test("does not count as ended when the listener skipped to the end", () => {
    const state = elapsed([
      ...startOf(song),
      [11_000, { type: "report", report: playback({ playing: false, progressMs: 199_990 }) }],
    ]);
    expect(state).toMatchObject({ phase: "interrupted", errorType: "pause" });
  });

  test("may stop up to a second and a half early, but not earlier", () => {
    const stops: PlayerInput = { type: "report", report: null };
    expect(elapsed([...startOf(short), [3_499, stops]])).toMatchObject({ phase: "interrupted" });
    expect(elapsed([...startOf(short), [3_500, stops]])).toMatchObject({ ended: true });
  });

  test("has not ended before any of it was heard, however short it is", () => {
    const blink = { ...song, durationMs: 1_400, requiredSeconds: 3 };
    const state = elapsed([...startOf(blink), [1_000, { type: "report", report: null }]]);
    expect(state).toMatchObject({ phase: "playing", heardMs: 0, ended: false });
  });

  test("is confirmed even if another track plays by then", () => {
    const ended = elapsed([...startOf(short), [4_800, { type: "report", report: wrongTrack }]]);
    const confirming = elapsed([[5_000, { type: "tick" }]], ended);
    const state = elapsed([[5_100, { type: "report", report: wrongTrack }]], confirming);
    expect(state.phase).toBe("confirming");
  });

  test.each([
    { name: "paused before its end", durationMs: 4_000, now: 3_600, progressMs: 2_600 },
    { name: "paused after a jump back", durationMs: 4_000, now: 4_800, progressMs: 1_600 },
    { name: "paused a second and a half in", durationMs: 4_000, now: 4_800, progressMs: 1_500 },
    { name: "paused early, and very short", durationMs: 2_000, now: 2_600, progressMs: 700 },
  ])("does not count as ended when it is $name", ({ durationMs, now, progressMs }) => {
    const paused = playback({ playing: false, progressMs, durationMs });
    const state = elapsed([
      ...startOf({ ...short, durationMs }),
      [now, { type: "report", report: paused }],
    ]);
    expect(state).toMatchObject({ phase: "interrupted", errorType: "pause" });
  });
});

describe("a confirmation that began before the last report", () => {
  const confirming = elapsed(
    [
      [25_000, report(24_000)],
      [36_000, tick],
    ],
    started,
  );

  test("is called off if the song was paused before its unlock point", () => {
    expect(confirming.phase).toBe("confirming");
    expect(elapsed([[36_200, report(33_000, { playing: false })]], confirming)).toMatchObject({
      phase: "interrupted",
      errorType: "pause",
      heardMs: 33_500,
    });
  });

  test("continues if the song was paused after its unlock point, or nothing plays", () => {
    for (const input of [report(35_100, { playing: false }), { type: "report", report: null }]) {
      expect(elapsed([[36_200, input as PlayerInput]], confirming).phase).toBe("confirming");
    }
  });
});

test("a first report that comes after the time limit still adds what was played", () => {
  const accepted = elapsed(startOf(song).slice(0, 4));
  const late = elapsed([[10_901, tick]], accepted);
  expect(late).toMatchObject({ phase: "interrupted", errorType: null });
  expect(elapsed([[13_900, report(12_800)]], late)).toMatchObject({
    phase: "playing",
    heardMs: 12_800,
  });
});

test("what was played since the acceptance counts, though the player still loaded at the poll before", () => {
  const accepted = elapsed(startOf(song).slice(0, 4));
  const loading = elapsed([[1_500, report(0, { playing: false })]], accepted);
  expect(elapsed([[2_400, report(800)]], loading)).toMatchObject({
    phase: "playing",
    heardMs: 800,
  });
});

test("a first report counts what was played, though Spotify did not answer before", () => {
  const state = elapsed([
    ...startOf(song).slice(0, 4),
    [3_000, unanswered],
    [10_901, tick],
    [11_500, unanswered],
    [13_900, report(12_800)],
  ]);
  expect(state).toMatchObject({ phase: "playing", heardMs: 12_800 });
});
