import { describe, expect, test } from "vitest";
import type { PlayerInput } from "~/player/state";
import { elapsed, playing, song, startOf } from "./support.ts";

const wrong = playing({ trackId: "track-9" });
const short = { ...song, durationMs: 4_000, requiredSeconds: 3 };

describe("the unlock point", () => {
  test("is the required seconds plus one, by the clock", () => {
    const almost = elapsed(
      [
        [15_000, { type: "report", report: playing({ positionMs: 14_000 }) }],
        [29_000, { type: "report", report: playing({ positionMs: 28_000 }) }],
        [35_999, { type: "tick" }],
      ],
      elapsed(startOf(song)),
    );
    expect(almost).toMatchObject({ phase: "playing", heardMs: 34_999 });
    expect(elapsed([[36_000, { type: "tick" }]], almost).phase).toBe("confirming");
  });

  test("is not reached while the computer sleeps", () => {
    const woken = elapsed([[3_600_000, { type: "tick" }]], elapsed(startOf(song)));
    expect(woken).toMatchObject({ phase: "playing", heardMs: 15_000 });
    const late = elapsed(
      [[3_600_000, { type: "report", report: playing() }]],
      elapsed(startOf(song)),
    );
    expect(late.phase).toBe("playing");
  });
});

describe("a song that ends before its unlock point", () => {
  const ends: [string, PlayerInput][] = [
    ["back at its start", { type: "report", report: playing({ paused: true }) }],
    [
      "just short of its end",
      { type: "report", report: playing({ paused: true, positionMs: 3_980 }) },
    ],
    ["another track", { type: "report", report: wrong }],
    ["nothing", { type: "report", report: null }],
    ["once more from the start", { type: "report", report: playing({ positionMs: 200 }) }],
  ].map(([name, input]) => {
    const { type, report } = input as Extract<PlayerInput, { type: "report" }>;
    return [name as string, { type, report: report && { ...report, durationMs: 4_000 } }];
  });

  test.each(ends)("is counted on by the clock: %s", (_name, input) => {
    const state = elapsed([...startOf(short), [4_800, input]]);
    expect(state).toMatchObject({ phase: "playing", ended: true, heardMs: 3_800 });
    const again = elapsed([[4_900, { type: "report", report: null }]], state);
    expect(again).toMatchObject({ phase: "playing" });
    expect(elapsed([[4_999, { type: "tick" }]], again).phase).toBe("playing");
    expect(elapsed([[5_000, { type: "tick" }]], again).phase).toBe("confirming");
  });

  test("counts a song shorter than the least that must be heard", () => {
    const tiny = { ...song, durationMs: 2_000, requiredSeconds: 3 };
    const state = elapsed([
      ...startOf(tiny),
      [2_950, { type: "report", report: playing({ paused: true, durationMs: 2_000 }) }],
      [5_000, { type: "tick" }],
    ]);
    expect(state.phase).toBe("confirming");
  });

  test("is not excused when the listener went to the end", () => {
    const state = elapsed([
      ...startOf(song),
      [11_000, { type: "report", report: playing({ paused: true, positionMs: 199_990 }) }],
    ]);
    expect(state).toMatchObject({ phase: "interrupted", errorType: "pause" });
  });

  test("is not excused when a short song is paused on its way", () => {
    const report = playing({ paused: true, positionMs: 2_600, durationMs: 4_000 });
    const state = elapsed([...startOf(short), [3_600, { type: "report", report }]]);
    expect(state).toMatchObject({ phase: "interrupted", errorType: "pause" });
  });
});
