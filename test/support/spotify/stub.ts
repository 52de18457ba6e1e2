import type { DevicePlayback, Spotify } from "~/adapters/spotify/spotify";
import type { Track } from "~/adapters/spotify/track";
import type { TestSong } from "../database/factories";

/** Spotify as a plain object; what a test does not name fails it. */
export function stubSpotify(answers: Partial<Spotify> = {}): Spotify {
  const unexpected = (name: string) => async () => {
    throw new Error(`Spotify was asked for ${name}`);
  };
  return {
    searchTracks: unexpected("searchTracks"),
    searchAlbumTracks: unexpected("searchAlbumTracks"),
    searchPlaylists: unexpected("searchPlaylists"),
    profile: unexpected("profile"),
    playlists: unexpected("playlists"),
    playlistTracks: unexpected("playlistTracks"),
    track: unexpected("track"),
    album: unexpected("album"),
    albumImage: unexpected("albumImage"),
    albumTracks: unexpected("albumTracks"),
    artist: unexpected("artist"),
    playback: unexpected("playback"),
    currentlyPlaying: unexpected("currentlyPlaying"),
    play: unexpected("play"),
    pause: unexpected("pause"),
    saveTrack: unexpected("saveTrack"),
    savePlaylist: unexpected("savePlaylist"),
    ...answers,
  };
}

/** Spotify that says a song is playing, that far in. */
export function playing(song: TestSong, changes: Partial<DevicePlayback> = {}): Spotify {
  const playback: DevicePlayback = {
    playing: true,
    progressMs: song.durationMs,
    trackIds: [song.trackId],
    isrc: song.isrc,
    device: { id: "0device", name: "Phone", type: "Smartphone" },
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
