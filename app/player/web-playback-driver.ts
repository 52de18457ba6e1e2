import type { DriverFactory, PlaybackDriver, PlaybackReport, PlayOutcome } from "~/player/driver";

export interface WebPlaybackOptions {
  /** The Web Playback SDK's script. */
  sdkUrl: string;
  /** The Web API's origin, without a slash at its end. */
  apiUrl: string;
  /** The page's CSP nonce, for the script element. */
  nonce: string | undefined;
}

/** How the device shows in the listener's other Spotify apps. */
const DEVICE_NAME = "Fivefold";
const VOLUME = 0.8;
/** Spec section 9, "Player state polling": web. */
const POLL_MS = 10_000;
/** Spec section 7, "Request handling". */
const DEFAULT_RETRY_SECONDS = 5;
/** A longer wait than this is not waited for: the listener is told instead. */
const MAX_RETRY_SECONDS = 30;
const MAX_TRIES = 3;
const REQUEST_TIMEOUT_MS = 15_000;

/** Plays in this very page, by Spotify's Web Playback SDK (platform facts, section 6). */
export function webPlaybackDriver(options: WebPlaybackOptions): DriverFactory {
  return ({ getToken, emit }): PlaybackDriver => {
    let player: Spotify.Player | null = null;
    let deviceId: string | null = null;
    let ended = false;
    let failed = false;
    let asking = false;
    let tokenRefused = false;
    let running: AbortController | null = null;

    function tell(event: Parameters<typeof emit>[0]): void {
      failed ||= event.type === "driver-failed";
      if (!ended) emit(event);
    }

    async function connect(): Promise<void> {
      try {
        await loadSdk(options.sdkUrl, options.nonce);
      } catch {
        tell({ type: "driver-failed", failure: "script" });
        return;
      }
      if (ended || player) return;
      try {
        player = createPlayer();
        // Where an event has told the cause already, such as a missing Premium, that stands.
        if (!(await player.connect()) && !failed) {
          tell({ type: "driver-failed", failure: "initialization" });
        }
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
          const renew = tokenRefused;
          tokenRefused = false;
          getToken(renew).then(answer, () => {
            // A device that is ready plays on and asks again.
            if (!deviceId) tell({ type: "driver-failed", failure: "authentication" });
          });
        },
      });
      created.addListener("ready", (device) => {
        deviceId = device.device_id;
        tell({ type: "ready", deviceId });
      });
      created.addListener("not_ready", () => tell({ type: "not-ready" }));
      created.addListener("player_state_changed", (state) =>
        tell({ type: "report", report: toReport(state) }),
      );
      created.addListener("autoplay_failed", () => tell({ type: "autoplay-failed" }));
      created.addListener("playback_error", () => tell({ type: "playback-error" }));
      created.addListener("initialization_error", () =>
        tell({ type: "driver-failed", failure: "initialization" }),
      );
      created.addListener("authentication_error", () => {
        tokenRefused = true;
        tell({ type: "driver-failed", failure: "authentication" });
      });
      created.addListener("account_error", () =>
        tell({ type: "driver-failed", failure: "account" }),
      );
      return created;
    }

    /** Asked to pause when nothing is loaded, the SDK reports a playback error. */
    async function pauseWhatPlays(): Promise<void> {
      const state = await player?.getCurrentState();
      if (state && !state.paused) await player?.pause();
    }

    async function requestPlay(
      trackUri: string,
      renew: boolean,
      signal: AbortSignal,
    ): Promise<Response | null> {
      try {
        const token = await getToken(renew);
        const timeout = AbortSignal.timeout(REQUEST_TIMEOUT_MS);
        return await fetch(
          `${options.apiUrl}/v1/me/player/play?device_id=${encodeURIComponent(deviceId ?? "")}`,
          {
            method: "PUT",
            headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
            body: JSON.stringify({ uris: [trackUri], position_ms: 0 }),
            signal: AbortSignal.any([signal, timeout]),
          },
        );
      } catch {
        return null;
      }
    }

    async function play(trackUri: string): Promise<PlayOutcome> {
      running?.abort();
      if (!player || !deviceId || ended) return "failed";
      running = new AbortController();
      const { signal } = running;
      // An SDK without a track may leave the promise open.
      await Promise.race([quietly(pauseWhatPlays), wait(1_000, signal)]);
      let renew = false;
      for (let tries = 1; !signal.aborted; tries++) {
        const response = await requestPlay(trackUri, renew, signal);
        if (signal.aborted) break;
        if (response?.ok) return "started";
        if (response?.status === 403 && (await response.text()).includes("PREMIUM_REQUIRED")) {
          return "no-premium";
        }
        const seconds = retryAfter(response);
        if (tries === MAX_TRIES || seconds === null) return "failed";
        renew = response?.status === 401;
        await wait(seconds * 1000, signal);
      }
      return "cancelled";
    }

    return {
      pollMs: POLL_MS,
      connect,
      activate() {
        void quietly(() => player?.activateElement());
      },
      play,
      pause: () => quietly(pauseWhatPlays),
      resume: () => quietly(() => player?.resume()),
      refresh() {
        if (asking || !player) return;
        asking = true;
        player
          .getCurrentState()
          .then((state) => tell({ type: "report", report: toReport(state) }))
          .catch(() => undefined)
          .finally(() => {
            asking = false;
          });
      },
      disconnect() {
        ended = true;
        running?.abort();
        player?.disconnect();
        player = null;
      },
    };
  };
}

/** Seconds to wait before the request is made again; null when that would be of no use. */
function retryAfter(response: Response | null): number | null {
  if (response === null) return 1;
  if (response.status === 401) return 0;
  if (response.status === 429) {
    const seconds = Number(response.headers.get("Retry-After") ?? DEFAULT_RETRY_SECONDS);
    const wanted = Number.isFinite(seconds) ? seconds : DEFAULT_RETRY_SECONDS;
    return wanted <= MAX_RETRY_SECONDS ? wanted : null;
  }
  // 404: Spotify may not know a device yet that has just become ready.
  return response.status === 404 || response.status >= 500 ? 1 : null;
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

let loading: Promise<void> | null = null;

/** Loads the script once a page; a failed load can be tried again. */
function loadSdk(url: string, nonce: string | undefined): Promise<void> {
  if (window.Spotify) return Promise.resolve();
  loading ??= new Promise<void>((resolve, reject) => {
    const script = document.createElement("script");
    window.onSpotifyWebPlaybackSDKReady = resolve;
    script.onerror = () => {
      loading = null;
      script.remove();
      reject(new Error("The player's script did not load"));
    };
    if (nonce) script.nonce = nonce;
    script.async = true;
    script.src = url;
    document.head.appendChild(script);
  });
  return loading;
}
