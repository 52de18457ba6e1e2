import { throwIfAborted } from "~/platform/signals";
import { type PlaybackJson, playbackQuery, toPlayback } from "~/sources/spotify/client/json";
import type { ApiCall, ApiRequest } from "~/sources/spotify/client/requests";
import { SpotifyError } from "~/sources/spotify/client/spotify";
import type { DriverFactory, PlaybackReport, PlayFailure } from "./driver";
import { callWithNotice, toPlayFailure } from "./spotify-api";

/** No event announces a change, so polls are frequent. */
const pollMs = 2_000;

type PlayerJson =
  | (PlaybackJson & {
      device?: { id?: string | null; is_active?: boolean } | null;
      item?: { duration_ms?: number } | null;
    })
  | null
  | undefined;

export function ownAppDriver(call: ApiCall): DriverFactory {
  return ({ emit }) => {
    let deviceId: string | null = null;
    let deviceIsPlaying = false;
    let refreshing = false;
    let steering: Promise<boolean> = Promise.resolve(false);
    let current = new AbortController();

    function begin(): AbortSignal {
      current.abort();
      current = new AbortController();
      return current.signal;
    }

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
     * Checks the state first, because Spotify answers with an error if there is nothing to pause or resume.
     */
    function steer(name: "play" | "pause", condition = (_: PlaybackReport) => true) {
      async function send(): Promise<boolean> {
        try {
          const report = toReport(
            await call({ path: "/v1/me/player", query: playbackQuery, fresh: true }),
          );
          if (!report || !condition(report)) return false;
          if (report.playing !== (name === "play")) await command(name, null);
          return true;
        } catch {
          // The next report shows the result.
          return false;
        }
      }
      steering = send();
      return steering;
    }

    async function prepare(): Promise<{ deviceId: string } | PlayFailure> {
      const signal = begin();
      // A late command would stop the song that is about to start, or replace it.
      await steering;
      try {
        const answer = (await startCall({
          path: "/v1/me/player",
          fresh: true,
          signal,
        })) as PlayerJson;
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
        throwIfAborted(signal);
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
      try {
        const answer = await call({
          path: "/v1/me/player/currently-playing",
          query: playbackQuery,
          fresh: true,
          // The next poll comes in two seconds, so this one is not worth waiting for.
          maxWaitMs: 0,
          signal,
        });
        const report = toReport(answer);
        emit(report ? { type: "report", report } : { type: "unknown" });
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

function toReport(answer: unknown): PlaybackReport | null {
  const json = answer as PlayerJson;
  const playback = toPlayback(json);
  return playback && { ...playback, durationMs: json?.item?.duration_ms ?? 0 };
}
