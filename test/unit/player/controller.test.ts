import { beforeEach, expect, test } from "vitest";
import { createController, type PlayerController } from "~/player/controller";
import type { DriverEvent, PlaybackDriver, PlayOutcome } from "~/player/driver";
import type { ConfirmAnswer, ListenApi } from "~/player/listen-api";
import { failureMessages, messages } from "~/player/messages";
import { initialState, type PlayerState } from "~/player/state";
import { playing, song } from "./support.ts";

const short = { ...song, durationMs: 4_000, requiredSeconds: 3 };

let calls: string[];
let now: number;
let timers: { at: number; run: () => void }[];
let state: PlayerState;
let outcome: PlayOutcome;
let opened: Awaited<ReturnType<ListenApi["open"]>>;
let confirmations: ConfirmAnswer[];
let emit: (event: DriverEvent) => void;
let controller: PlayerController;

beforeEach(() => {
  calls = [];
  now = 0;
  timers = [];
  state = initialState;
  outcome = "started";
  opened = { ok: true, requiredSeconds: 3 };
  confirmations = [{ ok: true }];
  controller = createController({
    createDriver(given) {
      emit = given;
      return driver;
    },
    listens: {
      async open(songId, deviceId) {
        calls.push(`open ${songId} ${deviceId}`);
        return opened;
      },
      async confirm() {
        calls.push(`confirm at ${now}`);
        return confirmations.shift() ?? { ok: false, error: "No.", secondsLeft: null };
      },
    },
    now: () => now,
    setTimer(run, ms) {
      const timer = { at: now + ms, run };
      timers.push(timer);
      return () => {
        timers = timers.filter((other) => other !== timer);
      };
    },
    onState(next) {
      state = next;
    },
  });
});

const driver: PlaybackDriver = {
  pollMs: 10_000,
  connect: async () => undefined,
  activate: () => void calls.push("activate"),
  async play(trackUri) {
    calls.push(`play ${trackUri}`);
    return outcome;
  },
  pause: async () => void calls.push("pause"),
  resume: async () => undefined,
  refresh: () => void calls.push("refresh"),
  disconnect: () => void calls.push("disconnect"),
};

/** Lets pending promises run. */
async function settle(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}

/** Moves the clock on, running what is due. */
async function pass(ms: number): Promise<void> {
  const end = now + ms;
  for (;;) {
    await settle();
    const next = timers.toSorted((a, b) => a.at - b.at)[0];
    if (!next || next.at > end) break;
    timers = timers.filter((timer) => timer !== next);
    now = next.at;
    next.run();
  }
  now = end;
}

async function startPlaying(): Promise<void> {
  emit({ type: "ready", deviceId: "device" });
  controller.play(short);
  await settle();
  emit({ type: "report", report: playing({ durationMs: 4_000 }) });
}

test("plays a song to its unlock point and confirms it there", async () => {
  await startPlaying();
  expect(calls).toEqual([
    "activate",
    "open song-1 device",
    "play spotify:track:track-1",
    "refresh",
  ]);
  expect(state.phase).toBe("playing");
  await pass(3_999);
  expect(state).toMatchObject({ phase: "playing", heardMs: 3_000 });
  await pass(1);
  await settle();
  expect(calls).toContain("confirm at 4000");
  expect(state.phase).toBe("unlocked");
  expect(timers).toEqual([]);
});

test("a song chosen too early starts by itself once the driver is ready", async () => {
  controller.play(short);
  await pass(5_000);
  expect(calls).toEqual(["activate"]);
  emit({ type: "ready", deviceId: "late" });
  await settle();
  expect(calls).toContain("open song-1 late");
});

test("gives up on a driver that does not become ready", async () => {
  controller.play(short);
  await pass(9_000);
  expect(state.status).toEqual({ text: messages.notReady, tone: "error" });
  expect(timers).toEqual([]);
});

test.each<[string, typeof opened, PlayOutcome, string]>([
  ["the server's text", { ok: false, error: "Own song." }, "started", "Own song."],
  ["the network", { ok: false, error: null }, "started", messages.startFailed],
  ["the provider", { ok: true, requiredSeconds: 3 }, "failed", messages.startFailed],
  ["the account", { ok: true, requiredSeconds: 3 }, "no-premium", failureMessages.account],
])("shows why a song did not start: %s", async (_name, answer, played, text) => {
  opened = answer;
  outcome = played;
  emit({ type: "ready", deviceId: "device" });
  controller.play(short);
  await settle();
  expect(state).toMatchObject({ phase: "failed", status: { text }, showRestart: true });
});

test("waits as long as the server says, and asks again", async () => {
  confirmations = [
    { ok: false, error: "Too early.", secondsLeft: 3 },
    { ok: false, error: null, secondsLeft: null },
    { ok: true },
  ];
  await startPlaying();
  await pass(10_000);
  expect(calls.filter((call) => call.startsWith("confirm"))).toEqual([
    "confirm at 4000",
    "confirm at 7000",
    "confirm at 8000",
  ]);
  expect(state.phase).toBe("unlocked");
});

test("gives up after five more tries, or when the wait would be long", async () => {
  confirmations = [];
  await startPlaying();
  await pass(20_000);
  expect(calls.filter((call) => call.startsWith("confirm"))).toHaveLength(6);
  expect(state).toMatchObject({ phase: "failed", status: { text: "No." }, showRestart: true });

  confirmations = [{ ok: false, error: "Wrong song.", secondsLeft: 56 }];
  controller.restart();
  await settle();
  emit({ type: "report", report: playing({ durationMs: 4_000 }) });
  await pass(4_000);
  await settle();
  expect(state).toMatchObject({ phase: "failed", status: { text: "Wrong song." } });
});

test("pauses a wrong track once, and a restart opens a new listen", async () => {
  await startPlaying();
  await pass(1_000);
  const wrong = playing({ trackId: "track-9" });
  emit({ type: "report", report: wrong });
  emit({ type: "report", report: wrong });
  expect(calls.filter((call) => call === "pause")).toHaveLength(1);
  controller.restart();
  await settle();
  expect(calls.filter((call) => call.startsWith("open"))).toHaveLength(2);
  expect(state).toMatchObject({ phase: "starting", attempt: 2 });
});

test("asks the driver every ten seconds, and at once on return to the tab", async () => {
  opened = { ok: true, requiredSeconds: 55 };
  emit({ type: "ready", deviceId: "device" });
  controller.play({ ...song, requiredSeconds: 55 });
  await settle();
  emit({ type: "report", report: playing() });
  calls = [];
  await pass(10_500);
  expect(calls).toEqual(["refresh"]);
  controller.check();
  expect(calls).toEqual(["refresh", "refresh"]);
});

test("leaves nothing running when it is disposed of", async () => {
  await startPlaying();
  controller.dispose();
  expect(timers).toEqual([]);
  expect(calls.at(-1)).toBe("disconnect");
  emit({ type: "report", report: null });
  expect(state.phase).toBe("playing");
});
