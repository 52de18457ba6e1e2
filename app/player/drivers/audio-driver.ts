import { isSoundAt } from "~/player/sound";
import { type DriverFactory, initialVolume, type PlaybackReport, type PlayFailure } from "./driver";

/** A report costs nothing. */
const pollMs = 1_000;
/** Waits before a connection that broke is tried again, in milliseconds. */
const retryWaitsMs = [500, 2_000, 5_000, 10_000];
const maxSilentMs = 15_000;
/** Of MediaError; the next one, that there is no sound of a kind it knows, is the last. */
const decodeError = 3;

type AudioElement = Pick<
  HTMLAudioElement,
  | "addEventListener"
  | "currentTime"
  | "duration"
  | "ended"
  | "error"
  | "load"
  | "pause"
  | "paused"
  | "play"
  | "removeAttribute"
  | "src"
  | "volume"
>;

/**
 * Own recordings, by an `<audio>` element of this page.
 * @param isThere asks whether there is sound at an address.
 */
export function audioDriver(createAudio: () => AudioElement, isThere = isSoundAt): DriverFactory {
  return ({ emit }) => {
    const audio = createAudio();
    let path: string | null = null;
    let started = false;
    let tries = 0;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let lastTime = 0;
    let movedAt = 0;
    let volume = initialVolume;
    let gain = 1;
    setVolumes();

    function setVolumes(): void {
      audio.volume = volume * gain;
    }

    function report(): PlaybackReport | null {
      if (path === null) return null;
      const { currentTime, duration, ended, paused } = audio;
      return {
        playing: !paused && !ended,
        progressMs: currentTime * 1000,
        trackIds: [path],
        isrc: null,
        durationMs: Number.isFinite(duration) ? duration * 1000 : 0,
      };
    }

    function tell(): void {
      if (started) emit({ type: "report", report: report() });
    }

    function begin(src: string, seconds: number): Promise<void> {
      clearTimeout(timer);
      audio.src = src;
      audio.currentTime = lastTime = seconds;
      movedAt = performance.now();
      return audio.play();
    }

    /** A browser that cannot reach the sound says the same as one that makes nothing of it. */
    async function onError(): Promise<void> {
      const { src, error } = audio;
      if (!started || (error?.code ?? 0) < decodeError) return onBroken();
      const comes = await isThere(src);
      if (!started || audio.src !== src) return;
      if (comes) giveUp("undecodable");
      else onBroken();
    }

    function giveUp(type: "broken-off" | "undecodable"): void {
      started = false;
      audio.pause();
      emit({ type });
    }

    /** The browser has given up, or nothing has come for long. */
    function onBroken(): void {
      if (!started || audio.ended) return;
      const wait = retryWaitsMs[tries];
      if (wait === undefined) {
        giveUp("broken-off");
        return;
      }
      tries += 1;
      movedAt = performance.now() + wait;
      clearTimeout(timer);
      timer = setTimeout(() => {
        // The element says what went wrong by another event.
        if (started) begin(audio.src, audio.currentTime || lastTime).catch(() => undefined);
      }, wait);
    }

    async function play(
      address: string,
      positionMs: number,
      itsGain = 1,
    ): Promise<"started" | PlayFailure> {
      gain = itsGain;
      setVolumes();
      path = address.split("?")[0] ?? address;
      started = false;
      tries = 0;
      try {
        await begin(address, positionMs / 1000);
      } catch (error) {
        const { name } = error as Error;
        if (name === "AbortError") return "cancelled";
        if (name === "NotSupportedError" && (await isThere(address))) return "undecodable";
        if (name !== "NotAllowedError") return "failed";
        emit({ type: "autoplay-failed" });
      }
      started = true;
      return "started";
    }

    async function resume(condition: (report: PlaybackReport) => boolean): Promise<boolean> {
      const now = report();
      if (!started || !now || !condition(now)) return false;
      movedAt = performance.now();
      return audio.play().then(
        () => true,
        () => false,
      );
    }

    for (const change of ["playing", "pause", "ended", "seeked"]) {
      audio.addEventListener(change, tell);
    }
    audio.addEventListener("error", onError);

    return {
      pollMs,
      async connect() {
        emit({ type: "ready" });
      },
      /** Safari lets an element sound later that was loaded within a click. */
      activate() {
        if (path === null) audio.load();
      },
      prepare: async () => ({ deviceId: "page" }),
      play,
      async pause(condition = () => true) {
        const now = report();
        if (now && condition(now)) audio.pause();
      },
      resume,
      setVolume(wanted) {
        volume = wanted;
        setVolumes();
      },
      refresh() {
        const { currentTime, paused } = audio;
        if (currentTime !== lastTime) tries = 0;
        if (currentTime !== lastTime || paused) movedAt = performance.now();
        lastTime = currentTime;
        if (performance.now() - movedAt > maxSilentMs) onBroken();
        tell();
      },
      disconnect() {
        clearTimeout(timer);
        path = null;
        started = false;
        audio.pause();
        audio.removeAttribute("src");
        audio.load();
      },
    };
  };
}
