import type { ApiCall } from "~/sources/spotify/client/requests";
import { SpotifyError } from "~/sources/spotify/client/spotify";
import {
  type DriverEvent,
  type DriverFactory,
  type DriverFailure,
  initialVolume,
  type PlaybackReport,
  type PlayFailure,
} from "./driver";
import { callWithNotice, toPlayFailure } from "./spotify-api";

const deviceName = "Fivefold";
/** Polls are rare, because the SDK reports changes by itself. */
const pollMs = 10_000;
const maxAttempts = 3;
const retryMs = 1_000;
/** An SDK without a track may never answer. */
const stateTimeoutMs = 2_000;
const pauseTimeoutMs = 1_000;

export function webPlaybackDriver(call: ApiCall, loadSdk: () => Promise<void>): DriverFactory {
  return ({ getToken, emit }) => {
    let player: Spotify.Player | null = null;
    let deviceId: string | null = null;
    let volume = initialVolume;
    let disconnected = false;
    let failed = false;
    let refreshing = false;
    let tokenGiven = false;
    let secondConnect: Promise<boolean> | undefined;
    let currentPlay = new AbortController();
    const onDisconnect = new AbortController();

    function tell(event: DriverEvent): void {
      if (!disconnected) emit(event);
    }

    function fail(failure: DriverFailure): void {
      failed = true;
      tell({ type: "driver-failed", failure });
    }

    async function connect(): Promise<void> {
      try {
        await loadSdk();
      } catch {
        return fail("script");
      }
      if (disconnected || player) return;
      try {
        player = createPlayer();
        const connected = (await player.connect()) || (await secondConnect);
        // An SDK event may have given the cause already, such as missing Premium.
        if (!connected && !failed) fail("initialization");
      } catch {
        fail("initialization");
      }
    }

    function createPlayer(): Spotify.Player {
      const created = new window.Spotify.Player({
        name: deviceName,
        volume,
        enableMediaSession: true,
        getOAuthToken(answer) {
          // The SDK asks again only when it needs a different token.
          const renew = tokenGiven;
          tokenGiven = true;
          getToken(renew).then(answer, () => {
            // A device that is ready plays on, and asks for a token again later.
            if (!deviceId) fail("authentication");
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
      created.addListener("player_state_changed", (state) => tell(toEvent(state)));
      created.addListener("autoplay_failed", () => tell({ type: "autoplay-failed" }));
      created.addListener("playback_error", () => tell({ type: "playback-error" }));
      created.addListener("initialization_error", () => fail("initialization"));
      created.addListener("authentication_error", () => {
        // A token may expire early, so connect once more, with a new one.
        const giveUp = () => fail("authentication");
        if (secondConnect) return giveUp();
        secondConnect = created.connect().catch(() => false);
        void secondConnect.then((connected) => connected || failed || giveUp());
      });
      created.addListener("account_error", () => fail("account"));
      return created;
    }

    /** Checks the state first, because the SDK answers with a playback error if nothing plays. */
    async function steer(plays: boolean, condition = (_: PlaybackReport) => true) {
      const report = toReport((await player?.getCurrentState()) ?? null);
      if (!report || !condition(report)) return false;
      if (report.playing !== plays) await (plays ? player?.resume() : player?.pause());
      return true;
    }

    async function play(trackUri: string, positionMs: number): Promise<"started" | PlayFailure> {
      currentPlay.abort();
      currentPlay = new AbortController();
      const { signal } = currentPlay;
      const device = deviceId;
      if (!player || !device || disconnected) return "failed";
      // An SDK that answers too late would pause the new track.
      let late = false;
      const paused = ignoreErrors(() => steer(false, () => !late));
      await Promise.race([paused, wait(pauseTimeoutMs, signal)]);
      late = true;
      for (let attempt = 1; !signal.aborted; attempt++) {
        try {
          const request = {
            method: "PUT",
            path: "/v1/me/player/play",
            query: { device_id: device },
            body: { uris: [trackUri], position_ms: positionMs },
            signal,
          } as const;
          await callWithNotice(call, request, () => tell({ type: "unanswered", limited: true }));
          return "started";
        } catch (error) {
          if (signal.aborted) break;
          if (attempt === maxAttempts || !isTemporary(error)) {
            return toPlayFailure(error) ?? "failed";
          }
        }
        await wait(retryMs, signal);
      }
      return "cancelled";
    }

    return {
      pollMs,
      connect,
      activate() {
        void ignoreErrors(() => player?.activateElement());
      },
      prepare: async () => (deviceId ? { deviceId } : "failed"),
      play,
      pause: (condition) => ignoreErrors(() => steer(false, condition)),
      resume(condition) {
        const timeout = wait(stateTimeoutMs, onDisconnect.signal).then(() => false);
        return Promise.race([steer(true, condition), timeout]).catch(() => false);
      },
      setVolume(next) {
        volume = next;
        void ignoreErrors(() => player?.setVolume(next));
      },
      refresh() {
        if (refreshing || !player) return;
        refreshing = true;
        const timeout = wait(stateTimeoutMs, onDisconnect.signal).then(() => "no answer" as const);
        Promise.race([player.getCurrentState(), timeout])
          .catch(() => "no answer" as const)
          .then((state) => {
            refreshing = false;
            if (state === "no answer") tell({ type: "unanswered" });
            else tell(toEvent(state));
          });
      },
      disconnect() {
        disconnected = true;
        onDisconnect.abort();
        currentPlay.abort();
        const last = player;
        player = null;
        void ignoreErrors(async () => last?.disconnect());
      },
    };
  };
}

/** A 404 may mean a device that Spotify does not know yet. */
function isTemporary(error: unknown): boolean {
  if (!(error instanceof SpotifyError)) return false;
  return error.status === 0 || error.status === 404 || error.status >= 500;
}

/** Without a state, nothing plays in this page; without a track in the state, nobody knows what plays. */
function toEvent(state: Spotify.PlaybackState | null): DriverEvent {
  const report = toReport(state);
  return state && !report ? { type: "unknown" } : { type: "report", report };
}

function toReport(state: Spotify.PlaybackState | null): PlaybackReport | null {
  const track: Spotify.Track | null | undefined = state?.track_window?.current_track;
  if (!state || !track) return null;
  const { id, uri, linked_from } = track;
  const trackIds = [id ?? idOf(uri), linked_from?.id ?? idOf(linked_from?.uri)].filter(
    (trackId) => typeof trackId === "string",
  );
  if (trackIds.length === 0) return null;
  return {
    playing: !state.paused,
    progressMs: state.position ?? null,
    trackIds,
    isrc: null,
    durationMs: state.duration,
  };
}

/** For a local file the whole address. An advertisement has no id, because the song goes on after it. */
function idOf(uri: string | null | undefined): string | undefined {
  return uri?.startsWith("spotify:ad:") ? undefined : uri?.replace(/^spotify:track:/, "");
}

async function ignoreErrors(action: () => Promise<unknown> | undefined): Promise<void> {
  try {
    await action();
  } catch {}
}

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

/** After this time another player on the page requests the script again. */
const patienceMs = 8_000;

let loading: { done: Promise<void>; since: number } | null = null;

/** Loads the SDK's script once per page. A load that failed, or takes too long, can be repeated. */
export function loadSdk(url: string, nonce: string | undefined): Promise<void> {
  if (window.Spotify) return Promise.resolve();
  if (loading && performance.now() - loading.since < patienceMs) return loading.done;
  const done = new Promise<void>((resolve, reject) => {
    const script = document.createElement("script");
    window.onSpotifyWebPlaybackSDKReady = resolve;
    script.onerror = () => {
      loading = null;
      script.remove();
      reject();
    };
    if (nonce) script.nonce = nonce;
    script.async = true;
    script.src = url;
    document.head.appendChild(script);
  });
  loading = { done, since: performance.now() };
  return done;
}
