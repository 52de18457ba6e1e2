import type { CarouselSong } from "~/domain/views";
import { msToNextSecond } from "~/player/clock";
import type { DriverEvent, DriverWiring, PlaybackDriver } from "~/player/driver";
import type { ListenApi } from "~/player/listen-api";
import { isStray, reduce, wantsReport } from "~/player/machine";
import { failureMessages, messages } from "~/player/messages";
import { initialState, type PlayerInput, type PlayerState } from "~/player/state";

export interface ControllerParts {
  createDriver(emit: DriverWiring["emit"]): PlaybackDriver;
  listens: ListenApi;
  /** Milliseconds of a clock that never runs backwards. */
  now(): number;
  /** Runs the callback after the milliseconds; the answer calls it off. */
  setTimer(callback: () => void, ms: number): () => void;
  onState(state: PlayerState): void;
}

export interface PlayerController {
  connect(): void;
  /** Starts a song from its beginning. Call it inside the click. */
  play(song: CarouselSong): void;
  restart(): void;
  stop(): void;
  /** Asks the driver at once what plays, as when the reader comes back to the tab. */
  check(): void;
  dispose(): void;
}

const TICK_MS = 1_000;
const CONFIRM_RETRIES = 5;
/** Where the server wants more than this, a restart is the better offer than a wait. */
const LONGEST_WAIT_SECONDS = 15;

/** Joins the machine to the driver, to the server's two calls and to the clock. Holds no rules. */
export function createController(parts: ControllerParts): PlayerController {
  let state = initialState;
  let disposed = false;
  let cancelTick: (() => void) | null = null;
  let cancelWait: (() => void) | null = null;
  let strayId: string | null = null;
  const driver = parts.createDriver(onDriverEvent);

  function dispatch(input: PlayerInput): void {
    if (disposed) return;
    const previous = state;
    state = reduce(state, { ...input, now: parts.now() });
    if (state !== previous) parts.onState(state);
    const fresh = state.attempt !== previous.attempt;
    if (fresh) strayId = null;
    if (fresh) cancelWait?.();
    if (state.phase === "starting" && (fresh || previous.phase !== "starting")) void start();
    if (state.phase === "confirming" && previous.phase !== "confirming") void confirm();
    keepTicking();
  }

  function onDriverEvent(event: DriverEvent): void {
    dispatch(event);
    if (event.type !== "report" || !isStray(state, event.report)) return;
    // Once for each wrong track, so that the listener is not fought over an own choice.
    const trackId = event.report?.trackId ?? "";
    if (trackId === strayId) return;
    strayId = trackId;
    void driver.pause();
  }

  function keepTicking(): void {
    const running = ["loading", "starting", "playing", "interrupted"].includes(state.phase);
    if (!running || disposed) {
      cancelTick?.();
      cancelTick = null;
      return;
    }
    cancelTick ??= parts.setTimer(
      () => {
        cancelTick = null;
        dispatch({ type: "tick" });
        if (wantsReport(state, parts.now(), driver.pollMs)) driver.refresh();
      },
      state.countingFrom === null ? TICK_MS : msToNextSecond(state.heardMs),
    );
  }

  async function start(): Promise<void> {
    const { attempt, song, deviceId } = state;
    if (!song) return;
    const opened = await parts.listens.open(song.songId, deviceId);
    if (disposed || attempt !== state.attempt) return;
    if (!opened.ok) {
      dispatch({ type: "start-failed", attempt, text: opened.error ?? messages.startFailed });
      return;
    }
    dispatch({ type: "listen-opened", attempt, requiredSeconds: opened.requiredSeconds });
    const outcome = await driver.play(`spotify:track:${song.trackId}`);
    if (disposed || attempt !== state.attempt) return;
    if (outcome === "started") {
      dispatch({ type: "play-accepted", attempt });
      driver.refresh();
    } else {
      const text = outcome === "no-premium" ? failureMessages.account : messages.startFailed;
      dispatch({ type: "start-failed", attempt, text });
    }
  }

  async function confirm(): Promise<void> {
    const { attempt, song } = state;
    for (let retries = 0; song; retries++) {
      const answer = await parts.listens.confirm(song.songId);
      if (disposed || attempt !== state.attempt) return;
      if (answer.ok) return dispatch({ type: "confirmed", attempt });
      const seconds = Math.max(1, answer.secondsLeft ?? 1);
      if (retries === CONFIRM_RETRIES || seconds > LONGEST_WAIT_SECONDS) {
        const text = answer.error ?? messages.confirmFailed;
        return dispatch({ type: "confirm-failed", attempt, text });
      }
      await wait(seconds * 1000);
      if (disposed || attempt !== state.attempt) return;
    }
  }

  /** Resolves after the time, or never when a newer attempt or the end calls it off. */
  function wait(ms: number): Promise<void> {
    return new Promise((resolve) => {
      cancelWait = parts.setTimer(resolve, ms);
    });
  }

  function play(song: CarouselSong): void {
    driver.activate();
    dispatch({ type: "chosen", song });
  }

  return {
    connect() {
      void driver.connect();
    },
    play,
    restart() {
      if (state.song) play(state.song);
    },
    stop() {
      dispatch({ type: "stopped" });
      void driver.pause();
    },
    check() {
      if (state.phase === "playing" || state.phase === "interrupted") driver.refresh();
    },
    dispose() {
      disposed = true;
      cancelTick?.();
      cancelWait?.();
      driver.disconnect();
    },
  };
}
