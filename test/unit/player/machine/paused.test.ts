/** A song that the listener pauses in the player bar, and one that stops without that. */
import { describe, expect, test } from "vitest";
import type { PlayerState } from "~/player/machine/state";
import { elapsed, playback, report, type Step, statesIn, wrongTrack } from "../support.ts";

const stops = report(playback({ playing: false, progressMs: 10_000 }));
const goesOn = report(playback({ progressMs: 10_100 }));

describe.each(["page", "app"] as const)("in the %s", (place) => {
  const { playing, confirming } = statesIn(place);
  const asked: Step = [10_900, { type: "steered" }];
  const paused = elapsed([asked, [11_000, stops]], playing);

  test("a pause that was asked for is no error", () => {
    expect(paused).toMatchObject({
      ...{ phase: "interrupted", held: true, sounding: false, heardMs: 10_000 },
      // What is left stands with the choices.
      status: { text: "Paused.", tone: "ok" },
      ...{ errorType: null, dialogOpen: false, showRestart: false },
    });
    expect(elapsed([[60_000, { type: "tick" }]], paused).heardMs).toBe(10_000);
  });

  test("so is one right after the first sound", () => {
    const early: Step[] = [
      [1_200, { type: "steered" }],
      [1_400, report(playback({ playing: false, progressMs: 300 }))],
    ];
    expect(elapsed(early, playing)).toMatchObject({ phase: "interrupted", held: true });
  });

  test("a report from before the pause changes nothing", () => {
    const late = report(playback({ progressMs: 9_950 }));
    expect(elapsed([asked, [10_950, late], [11_000, stops]], playing)).toMatchObject({
      phase: "interrupted",
      status: { tone: "ok" },
    });
  });

  test.each<[string, Step[]]>([
    ["nobody asked for", [[11_000, stops]]],
    [
      "comes long after",
      [
        [1_200, { type: "steered" }],
        [16_300, stops],
      ],
    ],
  ])("a pause that %s is an error", (_name, steps) => {
    expect(elapsed(steps, playing)).toMatchObject({
      ...{ phase: "interrupted", held: false, errorType: "pause", showRestart: true },
      ...{ status: { tone: "error" }, dialogOpen: place === "app" },
    });
  });

  test("resumed, it counts on from where it was", () => {
    const resumed = elapsed([[60_000, { type: "resumed" }]], paused);
    expect(resumed).toMatchObject({ phase: "starting", held: true, heardMs: 10_000, attempt: 2 });
    const on: Step[] = [
      [60_500, { type: "play-accepted", attempt: 2 }],
      [60_600, goesOn],
      [63_600, { type: "tick" }],
    ];
    const state = elapsed(on, resumed);
    expect(state).toMatchObject({ phase: "playing", held: false, heardMs: 13_000 });
    // What stops it now was not asked for.
    expect(elapsed([[64_000, report(null)]], state)).toMatchObject({ status: { tone: "error" } });
  });

  test("resumed elsewhere, it counts on too", () => {
    const state = elapsed(
      [
        [40_000, goesOn],
        [43_000, { type: "tick" }],
      ],
      paused,
    );
    expect(state).toMatchObject({ phase: "playing", held: false, heardMs: 13_000 });
  });

  test("what is played meanwhile is the listener's own choice", () => {
    const state = elapsed(
      [
        [20_000, report(wrongTrack)],
        [22_000, report(wrongTrack)],
      ],
      paused,
    );
    expect(state).toMatchObject({ phase: "interrupted", held: true, pauses: 0 });
    expect(state.status).toEqual(paused.status);
  });

  test("paused while it is being confirmed, it can go on", () => {
    const stopped = report(playback({ playing: false, progressMs: 35_200 }));
    const steps: Step[] = [
      [36_100, { type: "steered" }],
      [36_200, stopped],
      [36_500, { type: "confirmed", attempt: 1 }],
    ];
    const state: PlayerState = elapsed(steps, confirming);
    expect(state).toMatchObject({ phase: "unlocked", unlocked: true, sounding: false, held: true });
  });
});
