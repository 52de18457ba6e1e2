import { isSameTrack } from "~/adapters/spotify/spotify";
import type { CarouselSong } from "~/domain/carousel/view";
import { msToNextSecond } from "./clock";
import type { DriverEvent, Place, PlaybackDriver, PlaybackReport } from "./drivers/driver";
import type { ListenApi } from "./listen-api";
import { reduce, wantsReport, wantsTicks } from "./machine/machine";
import { messages } from "./machine/messages";
import {
  canResume,
  initialStateAt,
  isBusy,
  type PlayerInput,
  type PlayerState,
} from "./machine/state";

export interface ControllerOptions {
  /** The place where songs play at first. */
  place: Place;
  createDriver(place: Place, emit: (event: DriverEvent) => void): PlaybackDriver;
  listens: ListenApi;
  /** Milliseconds of a clock that never runs backwards. */
  now(): number;
  /** Runs the callback after the milliseconds. @returns a function that cancels it. */
  setTimer(callback: () => void, ms: number): () => void;
  onState(state: PlayerState): void;
  /** Tells the other tabs of this browser that a song begins in this one. */
  announce(): void;
}

export interface PlayerController {
  connect(): void;
  /**
   * Plays a song: one that was interrupted goes on, one that plays already plays on, any other begins.
   * Call it inside the click.
   */
  play(song: CarouselSong): void;
  /** Pauses the song. */
  pause(): void;
  /** Lets an interrupted song go on from where it was heard to. Call it inside the click. */
  resume(): void;
  /**
   * Goes on with an open listen from before a reload, if its song still plays in the listener's own
   * app or is paused there.
   */
  follow(song: CarouselSong): void;
  /**
   * Starts the song over; in the listener's own app, an interrupted one is resumed. Call it inside
   * the click.
   */
  restart(): void;
  /** Gives up the player and sets up another, where songs play at first. The song stays chosen. */
  initialize(): void;
  /** Sets how loud the player in the page plays, from 0 to 1. */
  setVolume(volume: number): void;
  /** A song begins in another tab of this browser. */
  otherTabPlays(): void;
  /** Switches to the listener's own app because the player in the page cannot start. */
  moveToApp(): void;
  closeDialog(): void;
  /** The song has been rated: it plays on if it plays. */
  rated(): void;
  stop(): void;
  /** Asks at once what plays: the user has returned to the tab. */
  check(): void;
  dispose(): void;
}

const tickMs = 1_000;
/** Delay before a restarted song plays again, so that the reset shows. */
const replayDelayMs = 50;
/**
 * Patience for asking the server to confirm: a refusal uses up a fifth of it, a server that cannot be
 * reached, which is asked every three seconds, a hundredth.
 */
const confirmPatience = 100;
const patienceOfRefusal = 20;
const unreachableWaitSeconds = 3;
/** Longest wait to confirm; beyond it the listener is offered a restart. */
const maxConfirmWaitSeconds = 30;

/** Connects the machine to the driver, the server's two calls and the clock. Holds no rules. */
export function createController(options: ControllerOptions): PlayerController {
  let state: PlayerState = initialStateAt(options.place);
  let disposed = false;
  let cancelTick: (() => void) | null = null;
  let cancelWait: (() => void) | null = null;
  let cancelReplay: (() => void) | null = null;
  let driver = createDriver(options.place);

  function createDriver(place: Place): PlaybackDriver {
    const created: PlaybackDriver = options.createDriver(place, (event) => {
      // A driver that was replaced may still emit events.
      if (driver === created) onDriverEvent(event);
    });
    return created;
  }

  function dispatch(input: PlayerInput): void {
    if (disposed) return;
    const previous = state;
    state = reduce(state, { ...input, now: options.now() });
    if (state !== previous) options.onState(state);
    const newAttempt = state.attempt !== previous.attempt;
    if (newAttempt || state.phase !== "confirming") cancelWait?.();
    if (state.phase === "starting" && (newAttempt || previous.phase !== "starting")) void start();
    if (state.phase === "confirming" && previous.phase !== "confirming") void confirm();
    if (state.pauses > previous.pauses) pauseWrongTrack();
    keepTicking();
  }

  function onDriverEvent(event: DriverEvent): void {
    dispatch(event);
    // A device that went away may play on for a while or fall silent, so ask.
    if (event.type === "not-ready") check();
  }

  function pauseWrongTrack(): void {
    // The right one may have begun to play since the report.
    void driver.pause((report) => !isCurrent(report));
  }

  /** Checks whether what plays is the song; another track is the listener's own choice. */
  function isCurrent(report: PlaybackReport): boolean {
    return state.song !== null && isSameTrack(report, state.song);
  }

  function keepTicking(): void {
    if (disposed || !wantsTicks(state, options.now())) {
      cancelTick?.();
      cancelTick = null;
      return;
    }
    cancelTick ??= options.setTimer(
      () => {
        cancelTick = null;
        dispatch({ type: "tick" });
        if (wantsReport(state, options.now(), driver.pollMs)) driver.refresh();
      },
      state.countingFrom === null ? tickMs : msToNextSecond(state.heardMs),
    );
  }

  async function start(): Promise<void> {
    const { attempt, song, held } = state;
    const isOver = () => disposed || attempt !== state.attempt;
    if (!song) return;
    if (held && (await driver.resume(isCurrent))) {
      dispatch({ type: "play-accepted", attempt });
      return driver.refresh();
    }
    if (isOver()) return;
    // A song that is resumed belongs to the listen that is open already.
    const from = state.heard ? 0 : Math.floor(state.heardMs);
    const device = await driver.prepare();
    if (isOver()) return;
    if (typeof device === "string") {
      return dispatch({ type: "start-failed", attempt, failure: device });
    }
    if (from === 0) {
      const opened = await options.listens.open(song.songId, device.deviceId);
      if (isOver()) return;
      if (!opened.ok) {
        return dispatch({ type: "refused", attempt, text: opened.error ?? messages.startFailed });
      }
      const { requiredSeconds, heard } = opened;
      dispatch({ type: "listen-opened", attempt, requiredSeconds, heard });
    }
    options.announce();
    const result = await driver.play(`spotify:track:${song.trackId}`, from);
    if (isOver()) return;
    if (result !== "started") return dispatch({ type: "start-failed", attempt, failure: result });
    dispatch({ type: "play-accepted", attempt });
    driver.refresh();
  }

  async function confirm(): Promise<void> {
    const { attempt, song } = state;
    const isOver = () => disposed || attempt !== state.attempt || state.phase !== "confirming";
    let patience = confirmPatience;
    while (song) {
      const result = await options.listens.confirm(song.songId);
      if (isOver()) return;
      if (result.ok) return dispatch({ type: "confirmed", attempt });
      const { error, secondsLeft } = result;
      // The listener keeps what was heard while the network is away.
      const isAway = error === null && secondsLeft === null;
      patience -= isAway ? 1 : patienceOfRefusal;
      const seconds = isAway ? unreachableWaitSeconds : Math.max(1, secondsLeft ?? 1);
      // Something else may have started to play since the last report.
      driver.refresh();
      if (patience < 0 || seconds > maxConfirmWaitSeconds) {
        const text = error ?? messages.confirmFailed;
        return dispatch({ type: "confirm-failed", attempt, text });
      }
      // A shorter wait is not worth a word.
      if (seconds >= unreachableWaitSeconds) {
        const text = error ?? messages.confirmDelayed;
        dispatch({ type: "confirm-delayed", attempt, text });
      }
      await wait(seconds * 1000);
      if (isOver()) return;
    }
  }

  /** Resolves after the time, or never if a newer attempt or the end of this one cancels it. */
  function wait(ms: number): Promise<void> {
    return new Promise((resolve) => {
      cancelWait = options.setTimer(resolve, ms);
    });
  }

  /** For a click that starts a song: lets the browser make sound, with another driver if this one is lost. */
  function activate(): void {
    if (state.driver === "not-ready" && !isBusy(state)) replaceDriver(state.place, "reconnecting");
    driver.activate();
  }

  function play(song: CarouselSong): void {
    activate();
    if (state.song?.songId !== song.songId) {
      cancelReplay?.();
      cancelReplay = null;
      dispatch({ type: "chosen", song });
    } else if (canResume(state)) dispatch({ type: "resumed" });
    else if (!isBusy(state) && !cancelReplay) startOver(song);
  }

  /** Plays the song from the beginning, with a new timer. */
  function startOver(song: CarouselSong): void {
    cancelReplay?.();
    dispatch({ type: "reset" });
    cancelReplay = options.setTimer(() => {
      cancelReplay = null;
      dispatch({ type: "chosen", song });
    }, replayDelayMs);
  }

  async function pause(): Promise<void> {
    dispatch({ type: "steered" });
    await driver.pause(isCurrent);
    driver.refresh();
  }

  async function resume(): Promise<void> {
    activate();
    if (canResume(state)) return dispatch({ type: "resumed" });
    dispatch({ type: "steered" });
    await driver.resume(isCurrent);
    driver.refresh();
  }

  function restart(): void {
    const { song, place } = state;
    if (!song) return;
    activate();
    if (place === "app" && canResume(state)) dispatch({ type: "resumed" });
    else startOver(song);
  }

  /** Connects another driver in the place of the one before. */
  function replaceDriver(place: Place, type: "place-changed" | "reconnecting"): void {
    driver.disconnect();
    driver = createDriver(place);
    dispatch({ type, place });
    if (state.volume !== null) driver.setVolume(state.volume);
    void driver.connect();
  }

  function check(): void {
    const isActive = ["playing", "interrupted", "confirming", "unlocked"].includes(state.phase);
    if (isActive || (state.phase === "starting" && state.accepted)) driver.refresh();
    // The listener was asked to open the app and has come back.
    if (state.errorType === "noDevice") restart();
  }

  return {
    connect() {
      void driver.connect();
    },
    play,
    pause: () => void pause(),
    resume: () => void resume(),
    follow(song) {
      if (state.place === "app") dispatch({ type: "followed", song });
    },
    restart,
    initialize: () => replaceDriver(options.place, "reconnecting"),
    setVolume(volume) {
      const bounded = Math.min(1, Math.max(0, volume));
      dispatch({ type: "volume-set", volume: bounded });
      driver.setVolume(bounded);
    },
    otherTabPlays: () => dispatch({ type: "other-tab-plays" }),
    moveToApp() {
      const { song } = state;
      replaceDriver("app", "place-changed");
      if (song) play(song);
    },
    closeDialog() {
      dispatch({ type: "dialog-closed" });
    },
    rated: () => dispatch({ type: "rated" }),
    stop() {
      const { song } = state;
      cancelReplay?.();
      cancelReplay = null;
      dispatch({ type: "stopped" });
      // Another track that plays by now is the listener's own choice.
      void driver.pause((report) => song !== null && isSameTrack(report, song));
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
