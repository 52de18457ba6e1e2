import { createController, type TabMessage } from "~/player/controller";
import type {
  DriverEvent,
  PlaybackDriver,
  PlaybackReport,
  PlaybackTarget,
} from "~/player/drivers/driver";
import type { ListenApi } from "~/player/listen-api";
import { initialStateAt, type PlayerState } from "~/player/machine/state";
import { playback, settled, shortSong } from "../support.ts";

/** The answers of the driver and the server, which a test can replace. */
interface Answers extends Pick<PlaybackDriver, "prepare" | "play"> {
  open: ListenApi["open"];
  confirm: ListenApi["confirm"];
  /** What the driver does when it is asked what plays; nothing by default. */
  refresh(): void;
  /** What plays when the driver is asked to pause. */
  current: PlaybackReport;
}

/** A controller with a fake clock, and a fake driver and server that record their calls. */
export function controllerRig(place: PlaybackTarget = "page") {
  const calls: string[] = [];
  const states: PlayerState[] = [];
  const told: TabMessage[] = [];
  const emitters: ((event: DriverEvent) => void)[] = [];
  const clock = { now: 0, fired: 0 };
  let timers: { at: number; run: () => void }[] = [];

  const answers: Answers = {
    prepare: async () => ({ deviceId: "device" }),
    play: async () => "started",
    open: async () => ({ ok: true, requiredSeconds: shortSong.requiredSeconds, heard: false }),
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

  /** Advances the clock, running the timers that fall due on the way. */
  async function pass(ms: number): Promise<void> {
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

  /** Advances the clock like a sleeping machine: timers that fell due run once, late. */
  async function sleep(ms: number): Promise<void> {
    clock.now += ms;
    await pass(0);
  }

  return {
    controller,
    calls,
    states,
    /** What other tabs were told. */
    told,
    answers,
    clock,
    pass,
    sleep,
    /** Emits a driver event, of the newest driver or of one created before it. */
    emit: (event: DriverEvent, driversBefore = 0) => emitters.at(-1 - driversBefore)?.(event),
    state: () => states.at(-1) ?? initialStateAt(place),
    timers: () => timers.length,
    count: (start: string) => calls.filter((call) => call.startsWith(start)).length,
  };
}

export type ControllerRig = ReturnType<typeof controllerRig>;
