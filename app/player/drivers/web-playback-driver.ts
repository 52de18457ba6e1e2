import type { ApiCall } from "~/adapters/spotify/requests";
import { SpotifyError } from "~/adapters/spotify/spotify";
import type { DriverFactory, PlaybackDriver, PlaybackReport, PlayFailure } from "./driver";
import { knownFailure } from "./spotify-api";

/** How the device shows in the listener's other Spotify apps. */
const DEVICE_NAME = "Fivefold";
const VOLUME = 0.8;
/** Spec section 9, "Player state polling": web. */
const POLL_MS = 10_000;
const MAX_TRIES = 3;
/** An SDK without a track may leave a question open. */
const STATE_TIMEOUT_MS = 2_000;

/**
 * Plays in this very page, by Spotify's Web Playback SDK (platform facts, section 6).
 * @param loadSdk makes `window.Spotify` available, or rejects.
 */
export function webPlaybackDriver(call: ApiCall, loadSdk: () => Promise<void>): DriverFactory {
  return ({ getToken, emit }): PlaybackDriver => {
    let player: Spotify.Player | null = null;
    let deviceId: string | null = null;
    let ended = false;
    let failed = false;
    let asking = false;
    let tokenGiven = false;
    let secondTry: Promise<boolean> | undefined;
    let running = new AbortController();
    const ending = new AbortController();

    function tell(event: Parameters<typeof emit>[0]): void {
      failed ||= event.type === "driver-failed";
      if (!ended) emit(event);
    }

    async function connect(): Promise<void> {
      try {
        await loadSdk();
      } catch {
        tell({ type: "driver-failed", failure: "script" });
        return;
      }
      if (ended || player) return;
      try {
        player = createPlayer();
        const connected = (await player.connect()) || (await secondTry);
        // Where an event has told the cause already, such as a missing Premium, that stands.
        if (!connected && !failed) tell({ type: "driver-failed", failure: "initialization" });
      } catch {
        tell({ type: "driver-failed", failure: "initialization" });
      }
    }

    function createPlayer(): Spotify.Player {
      const created = new window.Spotify.Player({
        name: DEVICE_NAME,
        volume: VOLUME,
        enableMediaSession: true,
        getOAuthToken(answer) {
          // Who asks again has no more use for the one that was given.
          const renew = tokenGiven;
          tokenGiven = true;
          getToken(renew).then(answer, () => {
            // A device that is ready plays on and asks again.
            if (!deviceId) tell({ type: "driver-failed", failure: "authentication" });
          });
        },
      });
      created.addListener("ready", (device) => {
        deviceId = device.device_id;
        tell({ type: "ready" });
      });
      created.addListener("not_ready", () => {
        deviceId = null;
        tell({ type: "not-ready" });
      });
      created.addListener("player_state_changed", (state) =>
        tell({ type: "report", report: toReport(state) }),
      );
      created.addListener("autoplay_failed", () => tell({ type: "autoplay-failed" }));
      created.addListener("playback_error", () => tell({ type: "playback-error" }));
      created.addListener("initialization_error", () =>
        tell({ type: "driver-failed", failure: "initialization" }),
      );
      created.addListener("authentication_error", () => {
        // A token may end before its time: once more, with another one.
        const refused = () => tell({ type: "driver-failed", failure: "authentication" });
        if (secondTry) return refused();
        secondTry = created.connect().catch(() => false);
        void secondTry.then((connected) => connected || failed || refused());
      });
      created.addListener("account_error", () =>
        tell({ type: "driver-failed", failure: "account" }),
      );
      return created;
    }

    /** Asked to pause when nothing is loaded, the SDK reports a playback error. */
    async function pauseWhatPlays(only = (_: PlaybackReport) => true): Promise<void> {
      const report = toReport((await player?.getCurrentState()) ?? null);
      if (report && !report.paused && only(report)) await player?.pause();
    }

    async function play(trackUri: string, positionMs: number): Promise<"started" | PlayFailure> {
      running.abort();
      running = new AbortController();
      const { signal } = running;
      const device = deviceId;
      if (!player || !device || ended) return "failed";
      // A late answer is about the new track.
      let late = false;
      const paused = quietly(() => pauseWhatPlays(() => !late));
      await Promise.race([paused, wait(STATE_TIMEOUT_MS / 2, signal)]);
      late = true;
      for (let tries = 1; !signal.aborted; tries++) {
        try {
          await call({
            method: "PUT",
            path: "/v1/me/player/play",
            query: { device_id: device },
            body: { uris: [trackUri], position_ms: positionMs },
            signal,
          });
          return "started";
        } catch (error) {
          if (signal.aborted) break;
          if (tries === MAX_TRIES || !mayPass(error)) return knownFailure(error) ?? "failed";
        }
        await wait(1_000, signal);
      }
      return "cancelled";
    }

    return {
      pollMs: POLL_MS,
      connect,
      activate() {
        void quietly(() => player?.activateElement());
      },
      prepare: async () => (deviceId ? { deviceId } : "failed"),
      play,
      pause: (only) => quietly(() => pauseWhatPlays(only)),
      refresh() {
        if (asking || !player) return;
        asking = true;
        const late = wait(STATE_TIMEOUT_MS, ending.signal).then(() => "late" as const);
        Promise.race([player.getCurrentState(), late])
          .catch(() => "late" as const)
          .then((state) => {
            asking = false;
            if (state === "late") tell({ type: "unanswered" });
            else tell({ type: "report", report: toReport(state) });
          });
      },
      disconnect() {
        ended = true;
        ending.abort();
        running.abort();
        const last = player;
        player = null;
        void quietly(async () => last?.disconnect());
      },
    };
  };
}

/** 404: Spotify may not know a device yet that has just become ready. */
function mayPass(error: unknown): boolean {
  if (!(error instanceof SpotifyError)) return false;
  return error.status === 0 || error.status === 404 || error.status >= 500;
}

function toReport(state: Spotify.PlaybackState | null): PlaybackReport | null {
  const track: Spotify.Track | null | undefined = state?.track_window?.current_track;
  if (!state || !track) return null;
  return {
    trackId: track.id ?? idOf(track.uri),
    linkedFromId: track.linked_from?.id ?? idOf(track.linked_from?.uri),
    // The SDK does not tell it.
    isrc: null,
    paused: state.paused,
    positionMs: state.position,
    durationMs: state.duration,
  };
}

function idOf(uri: string | null | undefined): string | null {
  return uri?.startsWith("spotify:track:") ? uri.slice("spotify:track:".length) : null;
}

async function quietly(action: () => Promise<void> | undefined): Promise<void> {
  try {
    await action();
  } catch {
    // What the player reports afterwards says how it went.
  }
}

/** Resolves after the time, or at once when the signal aborts. */
function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(finish, ms);
    signal.addEventListener("abort", finish);
    function finish() {
      clearTimeout(timer);
      signal.removeEventListener("abort", finish);
      resolve();
    }
  });
}
