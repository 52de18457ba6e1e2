import fc from "fast-check";
import { expect, test } from "vitest";
import { requiredListeningSeconds } from "~/exchange/listening/listening";
import type { Playback } from "~/sources/listen";
import { remainingMs, unlockMs, unlockTime } from "~/sources/listen";
import {
  type CheckAnswer,
  judgeListen,
  measureProgress,
  type Observation,
  spotCheck,
  spotCheckDelay,
  type TrackListen,
} from "~/sources/spotify/progress";

const startedAt = Date.UTC(2026, 10, 1);
const track = "0songs0songs0songs0son";
const fresh: TrackListen = {
  ...{ startedAt, requiredSeconds: 55, trackId: track, isrc: null, durationMs: 400_000 },
  ...{ observedAt: null, heardMs: 0, positionMs: 0, recheckAt: null },
};
const needed = unlockMs(55);

function at(seconds: number): number {
  return startedAt + seconds * 1000;
}

function song(seconds: number, playing = true): Playback {
  return { playing, progressMs: seconds * 1000, trackIds: [track], isrc: null };
}

const other: Playback = { playing: true, progressMs: 90_000, trackIds: ["0other"], isrc: null };

/** The observation of a spot check to which Spotify responded. */
function observe(listen: TrackListen, now: number, answer: CheckAnswer, random: number) {
  return spotCheck(listen, now, answer, random).seen as Observation;
}

/** A listen after spot checks at these seconds, with these responses. */
function checked(...checks: [seconds: number, answer: Playback | null][]): TrackListen {
  let listen = fresh;
  for (const [seconds, answer] of checks) {
    listen = { ...listen, ...observe(listen, at(seconds), answer, 0.5) };
  }
  return listen;
}

test("a spot check is somewhere in the middle of the remaining time, at a whole second", () => {
  expect(spotCheckDelay(needed, 0)).toBe(5);
  expect(spotCheckDelay(needed, 0.5)).toBe(28);
  expect(spotCheckDelay(needed, 0.999)).toBe(50);
  expect([0, 0.5, 0.999].map((random) => spotCheckDelay(4000, random))).toEqual([1, 2, 3]);
  expect(spotCheckDelay(200, 0.9)).toBe(1);
});

test.each([
  ["playing settles it", song(30), [30_000, 30_000, null]],
  ["lagging allows a second", song(27), [28_000, 27_000, null]],
  ["skipped ahead counts the time", song(90), [30_000, 90_000, null]],
  ["paused keeps what was heard", song(20, false), [21_000, 20_000, 47]],
  ["paused far ahead keeps the time", song(50, false), [30_000, 50_000, 43]],
  ["another song counts nothing", other, [0, 0, 58]],
  ["without telling what plays counts nothing", null, [0, 0, 58]],
  [
    "playing at an unknown position counts the time",
    { ...song(0), progressMs: null },
    [30_000, 30_000, null],
  ],
  [
    "paused at an unknown position counts nothing",
    { ...song(0, false), progressMs: null },
    [0, 0, 58],
  ],
])("a spot check %s", (_name, answer, [heardMs, positionMs, recheck]) => {
  expect(observe(fresh, at(30), answer, 0.5)).toMatchObject({
    observedAt: at(30),
    heardMs,
    positionMs,
    recheckAt: typeof recheck === "number" ? at(recheck) : null,
  });
});

test("a spot check after the end of the song has no effect, though it began before the listen", () => {
  const short = { ...fresh, requiredSeconds: 3, durationMs: 4_600 };
  for (const second of [3.6, 5]) {
    expect(observe(short, at(second), song(0, false), 0.5).recheckAt).toBeNull();
  }
  expect(observe(short, at(3.599), song(0, false), 0.5).recheckAt).not.toBeNull();
  const next = { ...other, progressMs: 300 };
  expect(spotCheck(short, at(5), next, 0.5)).toMatchObject({ kind: "gone-on", nextAt: null });
});

test.each([
  [3, 33],
  [null, 35],
  [3600, 50],
])(
  "a spot check that meets a limit of %s s is repeated at second %i, and the listen waits for it",
  (limitedSeconds, until) => {
    expect(spotCheck(fresh, at(30), { limitedSeconds }, 0.5)).toEqual({
      ...{ kind: "limited", seen: { recheckAt: at(until) }, nextAt: at(until) },
    });
  },
);

test("a spot check during an outage is repeated, and the listen only waits for it if it waited before", () => {
  const nextAt = at(58);
  expect(spotCheck(fresh, at(30), "unreachable", 0.5)).toEqual({
    ...{ kind: "unreachable", seen: { recheckAt: null }, nextAt },
  });
  const waiting = { ...fresh, recheckAt: at(30) };
  expect(spotCheck(waiting, at(30), "unreachable", 0.5)).toMatchObject({
    seen: { recheckAt: nextAt },
  });
});

const early = { is: "early" };
const skipped: Parameters<typeof checked> = [
  [28, song(50, false)],
  [40, song(50, false)],
];

test.each([
  ["silence before the expected position does not count", checked([28, null]), 56, song(56), 28],
  ["nor does another song before it", checked([28, other]), 56, song(56), 28],
  ["nor do a skip and a pause before it", checked(...skipped), 56, song(57), expect.any(Number)],
  ["what was skipped back over has to be heard again", checked([30, song(30)]), 56, song(16), 40],
])("at the end, %s", (_title, listen, second, says, secondsLeft) => {
  expect(judgeListen(listen, at(second), says)).toMatchObject({ ...early, secondsLeft });
});

test.each([
  ["a pause found by a check", checked([25, song(20, false)], [40, song(30)]), 66, 56],
  ["a pause that no check found", checked([10, song(10)]), 76, 56],
  ["a skip that no check found", checked([10, song(10)]), 56, 200],
  ["seeking back, once it was heard again,", checked([30, song(30)]), 97, 56],
])("at the end, %s costs nothing", (_title, listen, second, position) => {
  const heard = { is: "heard", evidence: "spotify" };
  expect(judgeListen(listen, at(second), song(position))).toEqual(heard);
});

test("at the end, a listen found silent continues from the present position, if no later check has found it playing", () => {
  const listen = checked([25, song(20, false)]);
  expect(judgeListen(listen, at(300), song(60))).toEqual({
    ...{ is: "found again", secondsLeft: 35, positionMs: 60_000 },
  });
  expect(judgeListen(listen, at(300), song(60, false))).toMatchObject({ is: "paused" });
});

test("the message to the listener does not depend on any check before the required time is over", () => {
  fc.assert(
    fc.property(fc.nat(54), fc.nat(54), fc.boolean(), (checkedAt, position, playing) => {
      const listen = checked([checkedAt, song(position, playing)]);
      for (const second of [0, 20, 40, 55]) {
        expect(unlockTime(listen, at(second))).toBe(at(56));
        const told = judgeListen(listen, at(second), song(second));
        expect(told).toEqual(judgeListen(fresh, at(second), song(second)));
      }
    }),
  );
});

test("the message to the listener does not reveal afterwards when a check is due", () => {
  const silent = checked([25, song(20, false)]);
  for (const recheckAt of [at(90), at(95), at(200)]) {
    const judged = judgeListen({ ...silent, recheckAt }, at(85), song(60));
    expect(judged).toEqual({ ...early, secondsLeft: 5 });
  }
});

test("a song that is paused at its beginning does not pass for one that has ended", () => {
  const limited = { ...fresh, ...observe(fresh, at(30), { limitedSeconds: 20 }, 0.5) };
  const later = observe({ ...limited, durationMs: 40_000 }, at(50), song(0, false), 0.5);
  expect(later).toMatchObject({ heardMs: expect.toSatisfy((ms: number) => ms <= 1000) });
  expect(later.recheckAt).not.toBeNull();
});

/** Something that a listener does for a number of milliseconds. */
type Action = { does: "plays" | "pauses" | "skips" | "plays another"; ms: number };

/** What Spotify says, and what has been heard, at any time, if the listener acts so from the start. */
function simulate(actions: Action[]) {
  function moment(now: number) {
    let left = now - startedAt;
    let positionMs = 0;
    let heardMs = 0;
    let doing: Action["does"] = "plays";
    for (const { does, ms } of [
      ...actions,
      { does: "plays", ms: Number.MAX_SAFE_INTEGER },
    ] as Action[]) {
      if (does === "skips") {
        if (left > 0) positionMs += ms;
        continue;
      }
      doing = does;
      const passed = Math.min(ms, left);
      if (does === "plays") {
        positionMs += passed;
        heardMs += passed;
      }
      left -= passed;
      if (left <= 0) break;
    }
    return { positionMs, heardMs, doing };
  }
  return {
    heardAt: (now: number) => moment(now).heardMs,
    says(now: number): Playback {
      const { positionMs, doing } = moment(now);
      if (doing === "plays another") return other;
      return { playing: doing === "plays", progressMs: positionMs, trackIds: [track], isrc: null };
    },
  };
}

/** Runs the spot checks before `end`, with these random numbers. */
function checksUntil(end: number, says: (now: number) => Playback, chances: number[]) {
  let listen: TrackListen = { ...fresh, durationMs: 10_000_000 };
  let due: number | null = startedAt + spotCheckDelay(remainingMs(listen), chances[0] ?? 0) * 1000;
  for (let n = 1; due !== null && due < end; n += 1) {
    const chance = chances[n % chances.length] ?? 0;
    listen = { ...listen, ...observe(listen, due, says(due), chance) };
    due = listen.recheckAt;
  }
  return listen;
}

const chances = fc.array(fc.double({ min: 0, max: 0.999, noNaN: true }), { minLength: 12 });
const ms = fc.integer({ min: 1, max: 40_000 });

test("everybody who really listens is confirmed, with any pauses and skips", () => {
  const action = fc.record({ does: fc.constantFrom("plays", "pauses", "skips"), ms });
  fc.assert(
    fc.property(
      fc.array(action as fc.Arbitrary<Action>, { maxLength: 8 }),
      chances,
      (actions, drawn) => {
        const { heardAt, says } = simulate(actions);
        let now = at(56);
        while (heardAt(now) < needed) now += 500;
        // While a check is due, the listen has to wait for it; then what was heard is enough.
        let listen = checksUntil(now, says, drawn);
        while (listen.recheckAt !== null) {
          now = unlockTime(listen, now);
          listen = checksUntil(now, says, drawn);
        }
        now = Math.max(now, unlockTime(listen, now));
        expect(judgeListen(listen, now, says(now))).toEqual({ is: "heard", evidence: "spotify" });
      },
    ),
  );
});

test("everybody who listens to a song that a crossfade ends is confirmed", () => {
  const durations = fc.integer({ min: 26_000, max: 120_000 });
  const lags = fc.integer({ min: 0, max: 2_500 });
  fc.assert(
    fc.property(durations, fc.integer({ min: 0, max: 12_000 }), lags, chances, (...drawn) => {
      const [durationMs, crossfade, lagMs, random] = drawn;
      const requiredSeconds = requiredListeningSeconds(55, durationMs);
      let listen: TrackListen = { ...fresh, durationMs, requiredSeconds };
      const says = (now: number): Playback => {
        const position = Math.max(0, now - startedAt - lagMs);
        const next = position - (durationMs - crossfade);
        return next < 0 ? { ...song(0), progressMs: position } : { ...other, progressMs: next };
      };
      const due = startedAt + spotCheckDelay(remainingMs(listen), random[0] ?? 0) * 1000;
      listen = { ...listen, ...observe(listen, due, says(due), 0.5) };
      let now = unlockTime(listen, due);
      let judged = judgeListen(listen, now, says(now));
      // The player asks again when the song has caught up.
      while (judged.is === "early" && now < at(130)) {
        now += judged.secondsLeft * 1000;
        judged = judgeListen(listen, now, says(now));
      }
      expect(judged).toMatchObject({ is: "heard" });
    }),
  );
});

test("nobody who lets the clock run in silence is confirmed, wherever they start the song at the end", () => {
  const silence = fc.constantFrom("pauses", "plays another");
  fc.assert(
    fc.property(silence, fc.nat(400_000), chances, (does, positionMs, drawn) => {
      const { says } = simulate([{ does: does as Action["does"], ms: 10_000_000 }]);
      const listen = checksUntil(at(56), says, drawn);
      const started = { ...song(0), progressMs: positionMs };
      for (const late of [0, 1, 2]) {
        expect(judgeListen(listen, at(56 + late), started)).not.toMatchObject({ is: "heard" });
      }
    }),
  );
});

test("the time counted as heard never exceeds the time that passed or the song's position", () => {
  const look = fc.record({
    passed: ms,
    positionMs: fc.nat(400_000),
    playing: fc.boolean(),
    right: fc.boolean(),
  });
  const nearItsEnd = { passed: 1, positionMs: 360_002, playing: true, right: true };
  const overSince = { passed: 39_998, positionMs: 0, playing: false, right: true };
  fc.assert(
    fc.property(fc.array(look, { minLength: 1, maxLength: 6 }), (looks) => {
      let listen = fresh;
      let now = startedAt;
      for (const { passed, positionMs, playing, right } of looks) {
        now += passed;
        const said = right ? { ...song(0, playing), progressMs: positionMs } : other;
        const { found, heardMs, surelyHeardMs } = measureProgress(listen, now, said);
        expect(heardMs).toBeLessThanOrEqual(listen.heardMs + passed);
        expect(surelyHeardMs).toBeLessThanOrEqual(heardMs);
        // A song that is over was at its end, although the player shows its beginning.
        const reached = found === "ended" ? listen.durationMs : positionMs;
        if (right) expect(heardMs).toBeLessThanOrEqual(reached + 1000);
        listen = { ...listen, ...observe(listen, now, said, 0.5) };
      }
    }),
    { examples: [[[nearItsEnd, overSince]]] },
  );
});
