import type { CarouselSong } from "~/exchange/carousel/view";
import type { PlaybackReport, PlaybackTarget } from "~/player/drivers/driver";
import { reduce } from "~/player/machine/machine";
import {
  initialState,
  initialStateAt,
  type PlayerInput,
  type PlayerState,
} from "~/player/machine/state";
import type { ApiCall, ApiRequest } from "~/sources/spotify/client/requests";

export const song: CarouselSong = {
  songId: "song-1",
  trackId: "track-1",
  title: "Paper Lanterns",
  artists: ["Ada", "Bo"],
  album: "Slow Rivers",
  artUrl: null,
  smallerArt: {},
  tint: null,
  durationMs: 200_000,
  isrc: "ISRC1",
  spotifyUrl: "https://open.spotify.com/track/track-1",
  explicit: false,
  heard: false,
  rated: null,
  favorited: false,
  playlist: null,
  requiredSeconds: 34,
};

export const otherSong: CarouselSong = {
  ...song,
  songId: "song-2",
  trackId: "track-2",
  isrc: "ISRC2",
};

/** An own recording. */
export const ownSong: CarouselSong = {
  ...song,
  songId: "song-7",
  trackId: null,
  spotifyUrl: null,
  isrc: null,
};

/** A song that ends before its unlock point. */
export const shortSong: CarouselSong = { ...song, durationMs: 4_000, requiredSeconds: 3 };

/** A report of the song playing, with changes. */
export function playback(changes: Partial<PlaybackReport> = {}): PlaybackReport {
  return {
    playing: true,
    progressMs: 0,
    trackIds: ["track-1"],
    isrc: null,
    durationMs: 200_000,
    ...changes,
  };
}

/** A report of another track playing. */
export const wrongTrack = playback({ trackIds: ["track-9"] });

/** The input with which a driver reports what plays. */
export function report(given: PlaybackReport | null): PlayerInput {
  return { type: "report", report: given };
}

/** An input and when it comes, in milliseconds. */
export type Step = [now: number, input: PlayerInput];

/** The state after the steps. */
export function elapsed(steps: Step[], from: PlayerState = initialState): PlayerState {
  return steps.reduce((state, [now, input]) => reduce(state, { ...input, now }), from);
}

/** The steps that start a song, whose first report comes at 1000 ms. */
export function startOf(chosen: CarouselSong): Step[] {
  const durationMs = chosen.durationMs;
  return [
    [0, { type: "ready" }],
    [500, { type: "chosen", song: chosen }],
    [700, { type: "listen-opened", attempt: 1, requiredSeconds: chosen.requiredSeconds }],
    [900, { type: "play-accepted", attempt: 1 }],
    [1000, { type: "report", report: playback({ durationMs }) }],
  ];
}

/** A state for each case that the rules distinguish. The comments give the time of its last step. */
export function statesIn(place: PlaybackTarget) {
  /** 0 */
  const connecting = initialStateAt(place);
  /** 0 */
  const idle = elapsed([[0, { type: "ready" }]], connecting);
  /** 0 */
  const broken = elapsed([[0, { type: "driver-failed", failure: "script" }]], connecting);
  /** 0 */
  const loading = elapsed([[0, { type: "chosen", song }]], connecting);
  /** 700; Spotify has not accepted the request yet */
  const starting = elapsed(startOf(song).slice(0, 3), connecting);
  /** 900 */
  const accepted = elapsed(startOf(song).slice(0, 4), connecting);
  /** 1000 */
  const started = elapsed(startOf(song), connecting);
  /** 11,000; 10 seconds were heard, as in the next state */
  const paused = elapsed(
    [[11_000, { type: "report", report: playback({ playing: false, progressMs: 10_000 }) }]],
    started,
  );
  /** 11,000 */
  const wrongTrackPlaying = elapsed([[11_000, { type: "report", report: wrongTrack }]], started);
  /** 36,000 */
  const confirming = elapsed(
    [
      [15_000, { type: "report", report: playback({ progressMs: 14_000 }) }],
      [26_000, { type: "report", report: playback({ progressMs: 25_000 }) }],
      [36_000, { type: "tick" }],
    ],
    started,
  );
  /** 36,500 */
  const unlocked = elapsed([[36_500, { type: "confirmed", attempt: 1 }]], confirming);
  /** 800 */
  const failed = elapsed([[800, { type: "refused", attempt: 1, text: "No." }]], starting);
  return {
    connecting,
    idle,
    broken,
    loading,
    starting,
    accepted,
    playing: started,
    paused,
    wrongTrackPlaying,
    confirming,
    unlocked,
    failed,
  };
}

/**
 * An API call that records its requests and returns or throws as `answer` does. The caller's signal
 * aborts it, as it does a real one.
 */
export function recordingCall(answer: (request: ApiRequest) => unknown) {
  const requests: Omit<ApiRequest, "signal">[] = [];
  const call: ApiCall = async ({ signal, ...request }) => {
    signal?.throwIfAborted();
    requests.push(request);
    const aborted = new Promise((_resolve, reject) => {
      signal?.addEventListener("abort", () => reject(signal.reason));
    });
    return Promise.race([Promise.resolve().then(() => answer(request)), aborted]);
  };
  return { call, requests };
}

/** Lets promises run that only wait for each other. */
export async function settled(): Promise<void> {
  for (let turns = 0; turns < 50; turns++) await Promise.resolve();
}
