import type { CarouselSong } from "~/domain/views";
import type { PlaybackReport } from "~/player/driver";
import { reduce } from "~/player/machine";
import { initialState, type PlayerInput, type PlayerState } from "~/player/state";

export const song: CarouselSong = {
  songId: "song-1",
  trackId: "track-1",
  title: "Paper Lanterns",
  artists: ["Ada", "Bo"],
  album: "Slow Rivers",
  artUrl: null,
  durationMs: 200_000,
  isrc: "ISRC1",
  spotifyUrl: "https://open.spotify.com/track/track-1",
  rated: null,
  requiredSeconds: 34,
};

/** What the driver says while the song plays, changed as given. */
export function playing(change: Partial<PlaybackReport> = {}): PlaybackReport {
  return {
    trackId: "track-1",
    linkedFromId: null,
    isrc: null,
    paused: false,
    positionMs: 0,
    durationMs: 200_000,
    ...change,
  };
}

/** The state after the inputs, each with the time it comes at in milliseconds. */
export function elapsed(steps: [number, PlayerInput][], from: PlayerState = initialState) {
  return steps.reduce((state, [now, input]) => reduce(state, { ...input, now }), from);
}

/** The steps to a song whose first report comes at 1000 ms. */
export function startOf(chosen: CarouselSong): [number, PlayerInput][] {
  const durationMs = chosen.durationMs;
  return [
    [0, { type: "ready", deviceId: "device" }],
    [500, { type: "chosen", song: chosen }],
    [700, { type: "listen-opened", attempt: 1, requiredSeconds: chosen.requiredSeconds }],
    [900, { type: "play-accepted", attempt: 1 }],
    [1000, { type: "report", report: playing({ durationMs }) }],
  ];
}
