import { type PlaybackJson, toPlayback } from "~/adapters/spotify/json";
import type { ApiCall, ApiRequest } from "~/adapters/spotify/requests";
import { SpotifyError } from "~/adapters/spotify/spotify";
import type { DriverFactory, PlaybackDriver, PlaybackReport, PlayFailure } from "./driver";
import { callWithNotice, toPlayFailure } from "./spotify-api";

/** Polls this often, because nothing else tells of a change. */
const pollMs = 2_000;

/** The fields read of GET /v1/me/player and /v1/me/player/currently-playing; null if nothing plays. */
type PlayerJson =
  | (PlaybackJson & {
      /** GET /v1/me/player only. */
      device?: { id?: string | null; is_active?: boolean } | null;
      item?: { duration_ms?: number } | null;
    })
  | null;

/** Plays on the listener's own Spotify app, on whatever device it is active, by Spotify Connect. */
export function ownAppDriver(call: ApiCall): DriverFactory {
  return ({ emit }): PlaybackDriver => {
    let deviceId: string | null = null;
    let deviceIsPlaying = false;
    let refreshing = false;
    let steering: Promise<boolean> = Promise.resolve(false);
    let current = new AbortController();

    /** Aborts what the driver was doing. @returns the signal for what it does next. */
    function begin(): AbortSignal {
      current.abort();
      current = new AbortController();
      return current.signal;
    }

    /** Sends a request of a start. */
    function startCall(request: ApiRequest) {
      return callWithNotice(call, request, () => emit({ type: "unanswered", limited: true }));
    }

    function command(name: "play" | "pause", body: unknown, signal?: AbortSignal) {
      return startCall({
        method: "PUT",
        path: `/v1/me/player/${name}`,
        ...(deviceId ? { query: { device_id: deviceId } } : {}),
        ...(body ? { body } : {}),
        ...(signal ? { signal } : {}),
      });
    }

    /**
     * Pauses or resumes what is on. Checks first what that is: Spotify answers with an error when there is
     * nothing to pause, or to resume.
     */
    function steer(name: "play" | "pause", condition = (_: PlaybackReport) => true) {
      async function send(): Promise<boolean> {
        try {
          const answer = (await call({ path: "/v1/me/player", fresh: true })) as PlayerJson;
          const report = toReport(answer);
          if (!report || !condition(report)) return false;
          if (report.playing !== (name === "play")) await command(name, null);
          return true;
        } catch {
          // The next report tells what plays.
          return false;
        }
      }
      steering = send();
      return steering;
    }

    async function prepare(): Promise<{ deviceId: string } | PlayFailure> {
      const signal = begin();
      // What arrives late would stop the song that is about to start, or take its place.
      await steering;
      try {
        const path = "/v1/me/player";
        const answer = (await startCall({ path, fresh: true, signal })) as PlayerJson;
        if (!answer?.device?.is_active) return "no-device";
        // Some devices hide their id; commands without an id go to the active device.
        deviceId = answer.device.id ?? null;
        deviceIsPlaying = answer.is_playing === true;
        return { deviceId: deviceId ?? "active" };
      } catch (error) {
        return signal.aborted ? "cancelled" : (toPlayFailure(error) ?? "failed");
      }
    }

    async function play(trackUri: string, positionMs: number): Promise<"started" | PlayFailure> {
      const signal = begin();
      try {
        if (deviceIsPlaying) await command("pause", null, signal).catch(() => undefined);
        signal.throwIfAborted();
        await command("play", { uris: [trackUri], position_ms: positionMs }, signal);
        return "started";
      } catch (error) {
        if (signal.aborted) return "cancelled";
        const deviceGone = error instanceof SpotifyError && error.status === 404;
        return toPlayFailure(error) ?? (deviceGone ? "no-device" : "no-control");
      }
    }

    async function refresh(): Promise<void> {
      if (refreshing) return;
      refreshing = true;
      const { signal } = current;
      const path = "/v1/me/player/currently-playing";
      try {
        // The next poll comes in two seconds, so waiting for this one is not worth it.
        const answer = await call({ path, fresh: true, maxWaitMs: 0, signal });
        // What cannot be read is no answer.
        if (answer === undefined) throw answer;
        emit({ type: "report", report: toReport(answer as PlayerJson) });
      } catch (error) {
        const limited = toPlayFailure(error) === "limited";
        if (!signal.aborted) emit({ type: "unanswered", limited });
      } finally {
        refreshing = false;
      }
    }

    return {
      pollMs,
      async connect() {
        emit({ type: "ready" });
      },
      activate() {},
      setVolume() {},
      prepare,
      play,
      async pause(condition) {
        await steer("pause", condition);
      },
      resume: (condition) => steer("play", condition),
      refresh: () => void refresh(),
      disconnect() {
        current.abort();
      },
    };
  };
}

/** Null where no device is active. What is not a track, such as an advertisement, has no ids. */
function toReport(answer: PlayerJson): PlaybackReport | null {
  return answer && { ...toPlayback(answer), durationMs: answer.item?.duration_ms ?? 0 };
}
