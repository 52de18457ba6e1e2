import type { CarouselSong } from "~/exchange/carousel/view";
import type { PlaybackReport, PlaybackTarget } from "~/player/drivers/driver";
import { reduce } from "~/player/machine/machine";
import {
  initialStateAt,
  type PlayerEvent,
  type PlayerInput,
  type PlayerState,
} from "~/player/machine/state";
import type { ApiCall, ApiRequest } from "~/sources/spotify/client/requests";
import { SpotifyError } from "~/sources/spotify/client/spotify";

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
  made: "people",
  heard: false,
  rated: null,
  favorited: false,
  playlist: null,
  requiredSeconds: 34,
  loudness: null,
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

export function plays(progressMs: number | null, changes: Partial<PlaybackReport> = {}) {
  return playback({ progressMs, ...changes });
}

export function pausedAt(progressMs: number, changes: Partial<PlaybackReport> = {}) {
  return playback({ playing: false, progressMs, ...changes });
}

/** A report of another track playing. */
export const wrongTrack = playback({ trackIds: ["track-9"] });

export function choose(song: CarouselSong) {
  return { type: "chosen", song } as const;
}

/** An input; an answer is one to the current attempt. */
export type Input<Of = PlayerInput> = Of extends { attempt: number } ? Omit<Of, "attempt"> : Of;
/** The name of an input that is nothing but its name. */
type Name<Of = Input> = Of extends { type: infer Type }
  ? object extends Omit<Of, "type">
    ? Type
    : never
  : never;
/** Something that happens to the player; a report alone, or null, is what its driver reports. */
export type Happening = Input | Name | PlaybackReport | null;
/** A number is the time, in milliseconds, of what follows it. */
export type Story = (number | Happening)[];

export function after(from: PlayerState, ...story: Story): PlayerState {
  let now = 0;
  let state = from;
  for (const next of story) {
    if (typeof next === "number") now = next;
    else state = reduce(state, { attempt: state.attempt, ...inputOf(next), now } as PlayerEvent);
  }
  return state;
}

function inputOf(happening: Happening) {
  if (typeof happening === "string") return { type: happening };
  return happening && "type" in happening ? happening : { type: "report", report: happening };
}

/** A song that begins: its start is asked for at 700 ms, accepted at 900, and seen to play at 1000. */
export function begin(
  song: CarouselSong,
  reached: "starting" | "accepted" | "playing" = "playing",
  place: PlaybackTarget = "page",
): PlayerState {
  const { requiredSeconds, durationMs } = song;
  const opened = { type: "listen-opened", requiredSeconds } as const;
  const starting = after(initialStateAt(place), "ready", 500, choose(song), 700, opened);
  if (reached === "starting") return starting;
  const accepted = after(starting, 900, "play-accepted");
  return reached === "accepted" ? accepted : after(accepted, 1000, plays(0, { durationMs }));
}

/** A state for each case that the rules distinguish. The comments give the time of its last step. */
export function statesIn(place: PlaybackTarget) {
  /** 0 */
  const connecting = initialStateAt(place);
  /** 700; Spotify has not accepted the request yet */
  const starting = begin(song, "starting", place);
  /** 1000 */
  const playing = begin(song, "playing", place);
  /** 36,000 */
  const confirming = after(playing, 15_000, plays(14_000), 26_000, plays(25_000), 36_000, "tick");
  return {
    connecting,
    /** 0 */
    idle: after(connecting, "ready"),
    /** 0 */
    broken: after(connecting, { type: "driver-failed", failure: "script" }),
    /** 0 */
    loading: after(connecting, choose(song)),
    starting,
    /** 900 */
    accepted: begin(song, "accepted", place),
    playing,
    /** 11,000; 10 seconds were heard, as in the next state */
    paused: after(playing, 11_000, pausedAt(10_000)),
    /** 11,000 */
    wrongTrackPlaying: after(playing, 11_000, wrongTrack),
    confirming,
    /** 36,500 */
    unlocked: after(confirming, 36_500, "confirmed"),
    /** 800 */
    failed: after(starting, 800, { type: "refused", text: "No." }),
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

/** A refusal of Spotify's. */
export function refusal(status: number, reason: string | null = null): SpotifyError {
  return new SpotifyError(status, "No", { reason });
}

export const rateLimited = new SpotifyError(429, "Slow down", {
  reason: "RATE_LIMITED",
  retryAfterSeconds: 3_600,
});

/** An answer that never comes. */
export const never = () => new Promise<never>(() => undefined);

/** Whether the song is what plays. */
export const isTheSong = ({ trackIds }: PlaybackReport) => trackIds.includes("track-1");
