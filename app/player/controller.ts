import type { CarouselSong } from "~/domain/carousel/view";
import { msToNextSecond } from "~/player/clock";
import {
  type DriverEvent,
  isTrack,
  type Place,
  type PlaybackDriver,
} from "~/player/drivers/driver";
import type { ListenApi } from "~/player/listen-api";
import { reduce, wantsReport, wantsTicks } from "~/player/machine/machine";
import { messages } from "~/player/machine/messages";
import { initialState, type PlayerInput, type PlayerState } from "~/player/machine/state";

export interface ControllerParts {
  /** Where songs play at first. */
  place: Place;
  createDriver(place: Place, emit: (event: DriverEvent) => void): PlaybackDriver;
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
  /** Goes on with an interrupted song in the listener's own app; else starts it over. */
  restart(): void;
  /** Goes on with the listener's own app in place of a player that cannot start here. */
  moveToApp(): void;
  closeDialog(): void;
  stop(): void;
  /** The reader has come back to the tab: asks at once what plays (spec section 4, "Rating a song"). */
  check(): void;
  dispose(): void;
}

const TICK_MS = 1_000;
/** Spec section 9, "Replay reset delay". */
const REPLAY_DELAY_MS = 50;
const CONFIRM_RETRIES = 5;
/** A server that is not reached is asked every few seconds, for five minutes in all. */
const UNREACHED_WAIT_MS = 3_000;
const MOST_UNREACHED = 100;
/** Where the server wants more than this, a restart is the better offer than a wait. */
const LONGEST_WAIT_SECONDS = 15;

/** Joins the machine to the driver, to the server's two calls and to the clock. Holds no rules. */
export function createController(parts: ControllerParts): PlayerController {
  let state: PlayerState = { ...initialState, place: parts.place };
  let disposed = false;
  let cancelTick: (() => void) | null = null;
  let cancelWait: (() => void) | null = null;
  let cancelReplay: (() => void) | null = null;
  let driver = driverFor(parts.place);

  function driverFor(place: Place): PlaybackDriver {
    const made: PlaybackDriver = parts.createDriver(place, (event) => {
      // One that was replaced may still have something to say.
      if (driver === made) onDriverEvent(event);
    });
    return made;
  }

  function dispatch(input: PlayerInput): void {
    if (disposed) return;
    const previous = state;
    state = reduce(state, { ...input, now: parts.now() });
    if (state !== previous) parts.onState(state);
    const fresh = state.attempt !== previous.attempt;
    if (fresh || state.phase !== "confirming") cancelWait?.();
    if (state.phase === "starting" && (fresh || previous.phase !== "starting")) void start();
    if (state.phase === "confirming" && previous.phase !== "confirming") void confirm();
    keepTicking();
  }

  function onDriverEvent(event: DriverEvent): void {
    const counted = state.phase === "playing" || state.phase === "confirming";
    dispatch(event);
    // A device that went away may play on for a while, or be silent: only asking tells.
    if (event.type === "not-ready") check();
    // Only what has just taken the song's place: what comes later is the listener's own choice.
    const strays = event.type === "report" && event.report?.paused === false;
    if (counted && strays && state.errorType === "wrongSong") void driver.pause();
  }

  function keepTicking(): void {
    if (disposed || !wantsTicks(state, parts.now())) {
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
    const { attempt, song, heardMs } = state;
    const overtaken = () => disposed || attempt !== state.attempt;
    if (!song) return;
    const device = await driver.prepare();
    if (overtaken()) return;
    if (typeof device === "string") {
      return dispatch({ type: "start-failed", attempt, failure: device });
    }
    // What goes on belongs to the listen that is open already.
    if (heardMs === 0) {
      const opened = await parts.listens.open(song.songId, device.deviceId);
      if (overtaken()) return;
      if (!opened.ok) {
        return dispatch({ type: "refused", attempt, text: opened.error ?? messages.startFailed });
      }
      dispatch({ type: "listen-opened", attempt, requiredSeconds: opened.requiredSeconds });
    }
    const outcome = await driver.play(`spotify:track:${song.trackId}`, Math.floor(heardMs));
    if (overtaken()) return;
    if (outcome !== "started") return dispatch({ type: "start-failed", attempt, failure: outcome });
    dispatch({ type: "play-accepted", attempt });
    driver.refresh();
  }

  async function confirm(): Promise<void> {
    const { attempt, song } = state;
    const over = () => disposed || attempt !== state.attempt || state.phase !== "confirming";
    let retries = 0;
    let unreached = 0;
    while (song) {
      const answer = await parts.listens.confirm(song.songId);
      if (over()) return;
      if (answer.ok) return dispatch({ type: "confirmed", attempt });
      if (answer.error === null && answer.secondsLeft === null && unreached < MOST_UNREACHED) {
        // What was heard stays heard while the network is away.
        unreached += 1;
        dispatch({ type: "confirm-delayed", attempt });
        await wait(UNREACHED_WAIT_MS);
        if (over()) return;
        continue;
      }
      // Something else may play since the last report.
      driver.refresh();
      const seconds = Math.max(1, answer.secondsLeft ?? 1);
      retries += 1;
      if (retries > CONFIRM_RETRIES || seconds > LONGEST_WAIT_SECONDS) {
        const text = answer.error ?? messages.confirmFailed;
        return dispatch({ type: "confirm-failed", attempt, text });
      }
      await wait(seconds * 1000);
      if (over()) return;
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
    cancelReplay?.();
    cancelReplay = null;
    if (state.song?.songId !== song.songId) {
      dispatch({ type: "chosen", song });
      return;
    }
    dispatch({ type: "reset" });
    cancelReplay = parts.setTimer(() => dispatch({ type: "chosen", song }), REPLAY_DELAY_MS);
  }

  function restart(): void {
    const { song, place, phase, heardMs } = state;
    if (!song) return;
    if (place === "app" && phase === "interrupted" && heardMs > 0) dispatch({ type: "resumed" });
    else play(song);
  }

  function check(): void {
    const asks = ["playing", "interrupted", "confirming"].includes(state.phase);
    if (asks || (state.phase === "starting" && state.accepted)) driver.refresh();
    // Somebody who was sent to open the app comes back from there.
    if (state.errorType === "noDevice") restart();
  }

  return {
    connect() {
      void driver.connect();
    },
    play,
    restart,
    moveToApp() {
      const { song } = state;
      driver.disconnect();
      driver = driverFor("app");
      dispatch({ type: "place-changed", place: "app" });
      void driver.connect();
      if (song) play(song);
    },
    closeDialog() {
      dispatch({ type: "dialog-closed" });
    },
    stop() {
      const { song } = state;
      cancelReplay?.();
      dispatch({ type: "stopped" });
      // Something else that plays is the listener's own choice.
      void driver.pause((report) => song !== null && isTrack(report, song));
    },
    check,
    dispose() {
      disposed = true;
      cancelTick?.();
      cancelWait?.();
      cancelReplay?.();
      driver.disconnect();
    },
  };
}
