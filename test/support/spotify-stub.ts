import type { Playback, Spotify } from "~/adapters/spotify/spotify";
import type { Track } from "~/domain/track";
import type { TestSong } from "./factories";

/** Spotify as a plain object; what a test does not name fails it. */
export function stubSpotify(answers: Partial<Spotify> = {}): Spotify {
  const unexpected = (name: string) => async () => {
    throw new Error(`Spotify was asked for ${name}`);
  };
  return {
    searchTracks: unexpected("searchTracks"),
    track: unexpected("track"),
    playback: unexpected("playback"),
    play: unexpected("play"),
    ...answers,
  };
}

/** Spotify that says a song is playing, that far in. */
export function playing(song: TestSong, changes: Partial<Playback> = {}): Spotify {
  const playback: Playback = {
    playing: true,
    progressMs: song.durationMs,
    trackIds: [song.trackId],
    isrc: song.isrc,
    ...changes,
  };
  return stubSpotify({ playback: async () => playback });
}

/** Spotify that has these tracks and no others. */
export function catalogue(...tracks: Track[]): Spotify {
  return stubSpotify({
    track: async (trackId) => tracks.find((track) => track.trackId === trackId) ?? null,
  });
}
