import fc from "fast-check";
import { expect, test } from "vitest";
import { isTrack } from "~/player/driver";
import { reduce } from "~/player/machine";
import type { PlayerInput } from "~/player/state";
import { elapsed, playing, song, startOf } from "./support.ts";

const unlock = (song.requiredSeconds + 1) * 1000;

const report = fc.oneof(
  { weight: 9, arbitrary: fc.constant("in step" as const) },
  {
    weight: 2,
    arbitrary: fc.record({
      trackId: fc.constantFrom("track-1", "track-9"),
      paused: fc.boolean(),
      positionMs: fc.nat(200_000),
    }),
  },
  { weight: 1, arbitrary: fc.constant(null) },
);

const step = fc.tuple(
  fc.integer({ min: 0, max: 12_000 }),
  fc.oneof(
    { weight: 4, arbitrary: fc.constant("tick" as const) },
    { weight: 4, arbitrary: report },
    { weight: 1, arbitrary: fc.constant("autoplay-failed" as const) },
  ),
);

/** A list of steps as events; "in step" is a report whose position agrees with the clock. */
function toInput(what: unknown, now: number): PlayerInput {
  if (what === "tick" || what === "autoplay-failed") return { type: what };
  if (what === null) return { type: "report", report: null };
  if (what === "in step") return { type: "report", report: playing({ positionMs: now }) };
  return { type: "report", report: playing(what as object) };
}

test("a long song never unlocks before its time of playing was reported", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      let state = elapsed(startOf(song));
      let now = 1000;
      let runningSince: number | null = 1000;
      let played = 0;
      for (const [delay, what] of steps) {
        now += delay;
        const input = toInput(what, now);
        state = reduce(state, { ...input, now });
        if (runningSince !== null) played += now - runningSince;
        if (input.type === "report") {
          const runs = input.report && !input.report.paused && isTrack(input.report, song);
          runningSince = runs ? now : null;
        } else if (input.type === "autoplay-failed") {
          runningSince = null;
        } else if (runningSince !== null) {
          runningSince = now;
        }
        expect(state.heardMs).toBeGreaterThanOrEqual(0);
        expect(state.heardMs).toBeLessThanOrEqual(unlock);
        if (state.phase === "confirming") {
          // The tenth of a second between accepting and the first report may count, too.
          expect(played + 100).toBeGreaterThanOrEqual(unlock);
          return;
        }
      }
    }),
    { numRuns: 1000 },
  );
});

const short = { ...song, songId: "song-2", durationMs: 4_000, requiredSeconds: 3 };

const anyStep = fc.oneof(
  { weight: 6, arbitrary: fc.constant("tick" as const) },
  { weight: 6, arbitrary: report },
  {
    weight: 2,
    arbitrary: fc.constantFrom<PlayerInput>(
      { type: "ready", deviceId: "device" },
      { type: "not-ready" },
      { type: "driver-failed", failure: "script" },
      { type: "driver-failed", failure: "authentication" },
      { type: "autoplay-failed" },
      { type: "playback-error" },
      { type: "stopped" },
      { type: "chosen", song },
      { type: "chosen", song: short },
    ),
  },
  {
    weight: 3,
    arbitrary: fc.oneof(
      fc.nat(4).map((attempt): PlayerInput => ({ type: "play-accepted", attempt })),
      fc.nat(4).map((attempt): PlayerInput => ({ type: "confirmed", attempt })),
      fc.nat(4).map(
        (attempt): PlayerInput => ({
          type: "listen-opened",
          attempt,
          requiredSeconds: 3,
        }),
      ),
    ),
  },
);

test("whatever comes, heard time stays in its bounds and unlocking takes its time", () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.integer({ min: -50, max: 2_000 }), anyStep), { maxLength: 60 }),
      (steps) => {
        let state = elapsed(startOf(short));
        let now = 1000;
        let latest = now;
        let acceptedAt = 900;
        for (const [delay, what] of steps) {
          now += delay;
          latest = Math.max(latest, now);
          const input = what !== null && typeof what === "object" && "type" in what;
          const previous = state;
          state = reduce(state, { ...(input ? what : toInput(what, now)), now });
          if (state.accepted && !previous.accepted) acceptedAt = now;
          const limit = (state.requiredSeconds + 1) * 1000;
          expect(state.heardMs).toBeGreaterThanOrEqual(0);
          expect(state.heardMs).toBeLessThanOrEqual(limit);
          if (state.phase === "confirming" && previous.phase !== "confirming") {
            expect(latest - acceptedAt).toBeGreaterThanOrEqual(limit);
          }
          if (state.phase === "unlocked" && previous.phase !== "unlocked") {
            expect(previous.phase).toBe("confirming");
          }
        }
      },
    ),
    { numRuns: 2000 },
  );
});
