import type { ApiCall } from "~/adapters/spotify/requests";
import { SpotifyError } from "~/adapters/spotify/spotify";
import type { DriverFactory, PlaybackDriver, PlaybackReport, PlayFailure } from "./driver";
import { knownFailure } from "./spotify-api";

/** Spec section 9, "Player state polling": iOS and Safari. */
const POLL_MS = 2_000;

/** The Web API's answers, as far as they are read. */
interface PlayerAnswer {
  /** GET /v1/me/player only. */
  device?: { id?: string | null; is_active?: boolean } | null;
  is_playing?: boolean;
  progress_ms?: number | null;
  item?: {
    id?: string | null;
    duration_ms?: number;
    linked_from?: { id?: string } | null;
    external_ids?: { isrc?: string } | null;
  } | null;
}

/** Plays on the listener's own Spotify app, wherever that is active, by Spotify Connect. */
export function ownAppDriver(call: ApiCall): DriverFactory {
  return ({ emit }): PlaybackDriver => {
    let deviceId: string | null = null;
    let sounding = false;
    let asking = false;
    let pausing: Promise<void> = Promise.resolve();
    let running = new AbortController();

    function begin(): AbortSignal {
      running.abort();
      running = new AbortController();
      return running.signal;
    }

    function command(name: "play" | "pause", body: unknown, signal?: AbortSignal) {
      return call({
        method: "PUT",
        path: `/v1/me/player/${name}`,
        ...(deviceId ? { query: { device_id: deviceId } } : {}),
        ...(body ? { body } : {}),
        ...(signal ? { signal } : {}),
      });
    }

    /** Asked to pause when nothing plays, Spotify answers with an error. */
    async function pauseWhatPlays(only = (_: PlaybackReport) => true): Promise<void> {
      try {
        const answer = await call({ path: "/v1/me/player", fresh: true });
        const report = toReport(answer as PlayerAnswer | null);
        if (report && !report.paused && only(report)) await command("pause", null);
      } catch {
        // What is asked afterwards says how it went.
      }
    }

    async function prepare(): Promise<{ deviceId: string } | PlayFailure> {
      const signal = begin();
      // One that comes late would stop what is about to start.
      await pausing;
      try {
        const answer = (await call({
          path: "/v1/me/player",
          fresh: true,
          signal,
        })) as PlayerAnswer | null;
        if (!answer?.device?.is_active) return "no-device";
        // Some devices hide their id: commands without one go to the active device.
        deviceId = answer.device.id ?? null;
        sounding = answer.is_playing === true;
        return { deviceId: deviceId ?? "active" };
      } catch (error) {
        return signal.aborted ? "cancelled" : (knownFailure(error) ?? "failed");
      }
    }

    async function play(trackUri: string, positionMs: number): Promise<"started" | PlayFailure> {
      const signal = begin();
      try {
        if (sounding) await command("pause", null, signal).catch(() => undefined);
        signal.throwIfAborted();
        await command("play", { uris: [trackUri], position_ms: positionMs }, signal);
        return "started";
      } catch (error) {
        if (signal.aborted) return "cancelled";
        const gone = error instanceof SpotifyError && error.status === 404;
        return knownFailure(error) ?? (gone ? "no-device" : "no-control");
      }
    }

    async function refresh(): Promise<void> {
      if (asking) return;
      asking = true;
      const { signal } = running;
      const path = "/v1/me/player/currently-playing";
      try {
        // Whoever asks every two seconds need not wait for one answer.
        const answer = await call({ path, fresh: true, maxWaitMs: 0, signal });
        if (answer === undefined) throw new Error("Spotify's answer could not be read");
        emit({ type: "report", report: toReport(answer as PlayerAnswer | null) });
      } catch {
        if (!signal.aborted) emit({ type: "unanswered" });
      } finally {
        asking = false;
      }
    }

    return {
      pollMs: POLL_MS,
      async connect() {
        emit({ type: "ready" });
      },
      activate() {},
      prepare,
      play,
      pause(only) {
        pausing = pauseWhatPlays(only);
        return pausing;
      },
      refresh: () => void refresh(),
      disconnect() {
        running.abort();
      },
    };
  };
}

function toReport(answer: PlayerAnswer | null): PlaybackReport | null {
  const item = answer?.item;
  if (!answer || !item) return null;
  return {
    trackId: item.id ?? null,
    linkedFromId: item.linked_from?.id ?? null,
    isrc: item.external_ids?.isrc ?? null,
    paused: answer.is_playing !== true,
    positionMs: answer.progress_ms ?? 0,
    durationMs: item.duration_ms ?? 0,
  };
}
