import type { CarouselSong } from "~/exchange/carousel/view";
import { gainOf } from "~/sources/files/loudness";
import { type SourceName, sourceOf } from "~/sources/song";
import { msToNextSecond } from "./clock";
import type { DriverEvent, PlaybackDriver, PlaybackReport, PlaybackTarget } from "./drivers/driver";
import type { ListenApi } from "./listen-api";
import { reduce, wantsReport, wantsTicks } from "./machine/machine";
import { messages } from "./machine/messages";
import {
  canResume,
  initialStateAt,
  isActive,
  isBusy,
  type PlayerInput,
  type PlayerState,
  playsElsewhere,
} from "./machine/state";
import { addressOf, isSoundOf } from "./sound";

export interface ControllerOptions {
  place: PlaybackTarget;
  createDriver(place: PlaybackTarget, emit: (event: DriverEvent) => void): PlaybackDriver;
  listens: ListenApi;
  now(): number;
  setTimer(callback: () => void, ms: number): () => void;
  onState(state: PlayerState): void;
  announce(message: TabMessage): void;
}

/** What a tab tells the listener's others: that its song plays, or where one that stopped can go on. */
export interface TabMessage {
  song: CarouselSong;
  place: PlaybackTarget;
  plays: boolean;
  left: OpenListen | null;
}

interface OpenListen {
  listenId: string | null;
  positionMs: number;
}

export type PlayerController = ReturnType<typeof createController>;

/** Where a song of each source can play; first, where it begins unless told otherwise. */
const placesOf: Record<SourceName, [PlaybackTarget, ...PlaybackTarget[]]> = {
  spotify: ["page", "app"],
  files: ["file"],
};

const tickMs = 1_000;
const replayDelayMs = 50;
/** Give up after six refusals, or about five minutes offline. */
const confirmBudget = 100;
const refusalCost = 20;
const unreachableWaitSeconds = 3;
const maxConfirmWaitSeconds = 30;
/** From the second refusal on, what was not delivered is fetched again. */
const refetchAfter = 2;

/** Connects the machine to the driver, the server's two calls and the clock. It contains no rules. */
export function createController(options: ControllerOptions) {
  let state: PlayerState = initialStateAt(options.place);
  let disposed = false;
  let cancelTick: (() => void) | null = null;
  let cancelWait: (() => void) | null = null;
  let cancelReplay: (() => void) | null = null;
  let driver = createDriver(options.place);
  /** The driver of the other kind of songs, once both have been needed. */
  let aside: {
    driver: PlaybackDriver;
    place: PlaybackTarget;
    status: PlayerState["driver"];
  } | null = null;
  let listenId: string | null = null;

  function createDriver(place: PlaybackTarget): PlaybackDriver {
    const created: PlaybackDriver = options.createDriver(place, (event) => {
      // A driver that was replaced may still emit events.
      if (driver === created) onDriverEvent(event);
      else if (aside?.driver === created) aside.status = statusAfter(event) ?? aside.status;
    });
    return created;
  }

  /** Each song plays by the driver of its kind. The other one falls silent, and stays connected. */
  function switchFor(song: CarouselSong): void {
    const places = placesOf[sourceOf(song)];
    if (places.includes(state.place)) return;
    const left = { driver, place: state.place, status: state.driver };
    void driver.pause(isCurrentTrack);
    const place = aside?.place ?? places[0];
    const known = aside?.driver ?? createDriver(place);
    driver = known;
    dispatch({ type: "place-changed", place, driver: aside?.status ?? "connecting" });
    if (!aside) void driver.connect();
    aside = left;
    if (state.volume !== null) driver.setVolume(state.volume);
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
    if (isActive(previous) && !isActive(state) && !playsElsewhere(state)) tellTabs(previous, false);
    keepTicking();
  }

  function tellTabs({ song, place }: PlayerState, plays: boolean): void {
    if (song) options.announce({ song, place, plays, left: position() });
  }

  /** How much was heard of the open listen; null without one. */
  function position(): OpenListen | null {
    return state.unlocked || !state.song ? null : { listenId, positionMs: state.reachedMs };
  }

  function onDriverEvent(event: DriverEvent): void {
    dispatch(event);
    // A device that is gone may play on for a while or fall silent.
    if (event.type === "not-ready") check();
  }

  function pauseWrongTrack(): void {
    // The right track may have started since the report.
    void driver.pause((report) => !isCurrentTrack(report));
  }

  function isCurrentTrack(report: PlaybackReport): boolean {
    return state.song !== null && isSoundOf(report, state.song);
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
      state.countingFrom === null ? tickMs : msToNextSecond(state.reachedMs),
    );
  }

  async function start(): Promise<void> {
    const { attempt, song, held } = state;
    const isSuperseded = () => disposed || attempt !== state.attempt;
    if (!song) return;
    if (held && (await driver.resume(isCurrentTrack))) {
      dispatch({ type: "play-accepted", attempt });
      return driver.refresh();
    }
    if (isSuperseded()) return;
    // A resumed song belongs to the open listen. At its end nothing would play.
    const from = state.unlocked ? 0 : Math.floor(Math.min(state.reachedMs, state.totalMs - tickMs));
    const device = await driver.prepare();
    if (isSuperseded()) return;
    if (typeof device === "string") {
      return dispatch({ type: "start-failed", attempt, failure: device });
    }
    const beginsAnew = from === 0;
    if (beginsAnew) {
      const opened = await options.listens.open(song.songId, device.deviceId);
      if (isSuperseded()) return;
      if (!opened.ok) {
        const { error, closed } = opened;
        return dispatch({ type: "refused", attempt, text: error ?? messages.startFailed, closed });
      }
      const { requiredSeconds, heard } = opened;
      listenId = opened.listenId ?? null;
      dispatch({ type: "listen-opened", attempt, requiredSeconds, heard });
    }
    tellTabs(state, true);
    const result = await playSound(song, from);
    if (isSuperseded()) return;
    if (result !== "started") return dispatch({ type: "start-failed", attempt, failure: result });
    dispatch({ type: "play-accepted", attempt });
    driver.refresh();
  }

  function playSound(song: CarouselSong, positionMs: number) {
    return driver.play(addressOf(song, listenId), positionMs, gainOf(song.loudness));
  }

  async function confirm(): Promise<void> {
    const { attempt, song } = state;
    const isSuperseded = () =>
      disposed || attempt !== state.attempt || state.phase !== "confirming";
    let budget = confirmBudget;
    for (let tries = 1; song; tries++) {
      const result = await options.listens.confirm(song.songId);
      if (isSuperseded()) return;
      if (result.ok) return dispatch({ type: "confirmed", attempt });
      const { error, secondsLeft, deliveredMs } = result;
      const isOffline = error === null && secondsLeft === null;
      budget -= isOffline ? 1 : refusalCost;
      const seconds = isOffline ? unreachableWaitSeconds : Math.max(1, secondsLeft ?? 1);
      if (deliveredMs !== undefined && tries >= refetchAfter) {
        void playSound(song, Math.max(0, deliveredMs - 1000));
      }
      // Something else may have started to play since the last report.
      driver.refresh();
      if (budget < 0 || seconds > maxConfirmWaitSeconds) {
        const text = error ?? messages.confirmFailed;
        const kept = secondsLeft !== null && seconds <= maxConfirmWaitSeconds;
        return dispatch({ type: "confirm-failed", attempt, text, kept });
      }
      if (seconds >= unreachableWaitSeconds) {
        const text = error ?? messages.confirmDelayed;
        dispatch({ type: "confirm-delayed", attempt, text });
      }
      await wait(seconds * 1000);
      if (isSuperseded()) return;
    }
  }

  /** Never resolves if a newer attempt or the end of this one cancels it. */
  function wait(ms: number): Promise<void> {
    return new Promise((resolve) => {
      cancelWait = options.setTimer(resolve, ms);
    });
  }

  /** Lets the browser make sound, so it must run inside a click. Replaces a driver that is lost. */
  function activate(): void {
    if (state.driver === "not-ready" && !isBusy(state)) replaceDriver(state.place, "reconnecting");
    driver.activate();
  }

  function play(song: CarouselSong): void {
    const isSameSong = state.song?.songId === song.songId;
    if (isSameSong && (canResume(state) || state.held)) return void resume();
    if (!isBusy(state)) switchFor(song);
    activate();
    if (!isSameSong) {
      cancelReplay?.();
      cancelReplay = null;
      dispatch({ type: "chosen", song });
    } else if (!isBusy(state) && !cancelReplay) startOver(song);
  }

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
    await driver.pause(isCurrentTrack);
    driver.refresh();
  }

  async function resume(): Promise<void> {
    activate();
    if (canResume(state)) return dispatch({ type: "resumed" });
    dispatch({ type: "steered" });
    await driver.resume(isCurrentTrack);
    driver.refresh();
  }

  /**
   * Continues an open listen from before a reload: where its song still plays in the listener's own app, with that;
   * else paused where it was.
   */
  function follow(song: CarouselSong, listen: OpenListen): void {
    listenId = listen.listenId;
    if (song.trackId !== null && state.place === "app") {
      dispatch({ type: "followed", song });
    } else {
      switchFor(song);
      dispatch({ type: "returned", song, reachedMs: listen.positionMs });
    }
  }

  function restart(): void {
    const { song, place } = state;
    if (!song) return;
    activate();
    if (place === "app" && canResume(state)) dispatch({ type: "resumed" });
    else startOver(song);
  }

  function replaceDriver(place: PlaybackTarget, type: "place-changed" | "reconnecting"): void {
    driver.disconnect();
    driver = createDriver(place);
    dispatch({ type, place });
    if (state.volume !== null) driver.setVolume(state.volume);
    void driver.connect();
  }

  function check(): void {
    const isActive = ["playing", "interrupted", "confirming", "unlocked"].includes(state.phase);
    if (isActive || (state.phase === "starting" && state.accepted)) driver.refresh();
    // The listener was asked to open the app, and has returned.
    if (state.errorType === "noDevice") restart();
  }

  return {
    connect() {
      void driver.connect();
    },
    /**
     * Resumes a paused or interrupted song, keeps playing the current one, starts any other. Call it inside a
     * click.
     */
    play,
    pause: () => void pause(),
    resume: () => void resume(),
    follow,
    position,
    restart,
    /** Replaces the player with a new one, at the initial place. The song stays chosen. */
    initialize: () =>
      replaceDriver(state.place === "file" ? "file" : options.place, "reconnecting"),
    setVolume(volume: number) {
      const bounded = Math.min(1, Math.max(0, volume));
      dispatch({ type: "volume-set", volume: bounded });
      driver.setVolume(bounded);
    },
    /** Spotify plays one song at a time by itself. */
    otherTabPlays({ song, place }: Pick<TabMessage, "song" | "place">) {
      const own = state.song;
      if (own && (place === "file" || state.place === "file")) {
        void driver.pause((report) => isSoundOf(report, own));
      }
      dispatch({ type: "other-tab-plays", song });
    },
    /** The song that played in another tab has stopped there, and can go on here. */
    otherTabStopped({ song, left }: Pick<TabMessage, "song" | "left">) {
      if (!playsElsewhere(state)) return;
      dispatch({ type: "stopped" });
      if (left) follow(song, left);
    },
    /** Tells the other tabs of a song that plays here, and `still` does in a moment. */
    tellTabs(still: boolean) {
      if (isActive(state)) tellTabs(state, still);
    },
    moveToApp() {
      const { song } = state;
      replaceDriver("app", "place-changed");
      if (song) play(song);
    },
    closeDialog: () => dispatch({ type: "dialog-closed" }),
    rated: () => dispatch({ type: "rated" }),
    stop() {
      const { song } = state;
      cancelReplay?.();
      cancelReplay = null;
      dispatch({ type: "stopped" });
      // Another track is the listener's own choice.
      void driver.pause((report) => song !== null && isSoundOf(report, song));
    },
    check,
    dispose() {
      disposed = true;
      cancelTick?.();
      cancelWait?.();
      cancelReplay?.();
      driver.disconnect();
      aside?.driver.disconnect();
    },
  };
}

function statusAfter(event: DriverEvent): PlayerState["driver"] | null {
  if (event.type === "driver-failed") return event.failure;
  return event.type === "ready" || event.type === "not-ready" ? event.type : null;
}
