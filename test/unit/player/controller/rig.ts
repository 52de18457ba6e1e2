import { createController, type TabMessage } from "~/player/controller";
import type {
  DriverEvent,
  PlaybackDriver,
  PlaybackReport,
  PlaybackTarget,
} from "~/player/drivers/driver";
import type { ListenApi } from "~/player/listen-api";
import { initialStateAt, type PlayerState } from "~/player/machine/state";
import { playback, plays, settled, shortSong } from "../support.ts";

/** The answers of the driver and the server, which a test can replace. */
interface Answers extends Pick<PlaybackDriver, "prepare" | "play">, ListenApi {
  /** What the driver does when it is asked what plays; nothing by default. */
  refresh(): void;
  /** What plays when the driver is asked to pause. */
  current: PlaybackReport;
}

/** A controller with a fake clock, and a fake driver and server that record their calls. */
export function controllerRig(place: PlaybackTarget = "page") {
  let calls: string[] = [];
  const states: PlayerState[] = [];
  const told: TabMessage[] = [];
  const emitters: ((event: DriverEvent) => void)[] = [];
  const clock = { now: 0, fired: 0 };
  let timers: { at: number; run: () => void }[] = [];
  let { requiredSeconds } = shortSong;

  const answers: Answers = {
    prepare: async () => ({ deviceId: "device" }),
    play: async () => "started",
    open: async () => ({ ok: true, listenId: "listen-1", requiredSeconds, heard: false }),
    confirm: async () => ({ ok: true }),
    refresh: () => undefined,
    current: playback(),
  };

  function driverFor(where: PlaybackTarget): PlaybackDriver {
    return {
      pollMs: where === "app" ? 2_000 : 10_000,
      connect: async () => void calls.push(`connect ${where}`),
      activate: () => void calls.push("activate"),
      setVolume: (volume) => void calls.push(`volume ${volume}`),
      prepare() {
        calls.push("prepare");
        return answers.prepare();
      },
      play(trackUri, positionMs) {
        calls.push(`play ${trackUri} from ${positionMs}`);
        return answers.play(trackUri, positionMs);
      },
      async pause(condition = () => true) {
        if (condition(answers.current)) calls.push("pause");
      },
      async resume(condition) {
        const plays = condition(answers.current);
        if (plays) calls.push("resume");
        return plays;
      },
      refresh() {
        calls.push("refresh");
        answers.refresh();
      },
      disconnect: () => void calls.push(`disconnect ${where}`),
    };
  }

  const controller = createController({
    place,
    createDriver(where, emit) {
      emitters.push(emit);
      return driverFor(where);
    },
    listens: {
      open(songId, deviceId) {
        calls.push(`open ${songId} on ${deviceId}`);
        return answers.open(songId, deviceId);
      },
      confirm(songId) {
        calls.push(`confirm ${songId} at ${clock.now}`);
        return answers.confirm(songId);
      },
    },
    now: () => clock.now,
    setTimer(run, ms) {
      const timer = { at: clock.now + ms, run };
      timers.push(timer);
      return () => {
        timers = timers.filter((other) => other !== timer);
      };
    },
    onState: (state) => states.push(state),
    announce(message) {
      told.push(message);
      if (message.plays) calls.push("announce");
    },
  });

  /** Advances the clock, running the timers that fall due on the way, and lets promises run. */
  async function pass(ms = 0): Promise<void> {
    const end = clock.now + ms;
    for (;;) {
      await settled();
      const next = timers.toSorted((a, b) => a.at - b.at)[0];
      if (!next || next.at > end) break;
      timers = timers.filter((timer) => timer !== next);
      clock.now = Math.max(clock.now, next.at);
      clock.fired++;
      next.run();
    }
    clock.now = end;
  }

  /** Emits a driver event, of the newest driver or of one created before it. */
  function emit(event: DriverEvent | "ready" | "not-ready", driversBefore = 0): void {
    emitters.at(-1 - driversBefore)?.(typeof event === "string" ? { type: event } : event);
  }

  function report(what: PlaybackReport | null): void {
    emit({ type: "report", report: what });
  }

  const has = (start: string) => calls.filter((call) => call.startsWith(start));

  return {
    ...controller,
    states,
    /** What other tabs were told. */
    told,
    answers,
    clock,
    pass,
    emit,
    report,
    /** Advances the clock like a sleeping machine: timers that fell due run once, late. */
    async sleep(ms: number): Promise<void> {
      clock.now += ms;
      await pass();
    },
    /** Asks a driver that is ready for the song; no report has come. */
    async ask(song = shortSong): Promise<void> {
      ({ requiredSeconds } = song);
      emit("ready");
      controller.play(song);
      await settled();
    },
    /** Plays the song for some time. */
    async start(song = shortSong, forMs = 0): Promise<void> {
      await this.ask(song);
      const { durationMs } = song;
      report(plays(0, { durationMs }));
      await pass(forMs);
      if (forMs > 0) report(plays(forMs, { durationMs }));
    },
    state: () => states.at(-1) ?? initialStateAt(place),
    timers: () => timers.length,
    /** What was called since this was asked last. */
    calls() {
      const recent = calls;
      calls = [];
      return recent;
    },
    /** Of what was called since then, what begins like this. */
    has,
    count: (start: string) => has(start).length,
  };
}

export type ControllerRig = ReturnType<typeof controllerRig>;
