import type { DevicePlayback, FoundTrack, Spotify } from "~/adapters/spotify/spotify";
import type { Track } from "~/adapters/spotify/track";
import type { TestSong } from "../database/factories";

/** A fake Spotify. A call that the test gives no answer for throws. */
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

/** A fake Spotify on which the song plays, at its end unless `changes` says otherwise. */
export function playing(song: TestSong, changes: Partial<DevicePlayback> = {}): Spotify {
  const playback: DevicePlayback = {
    playing: true,
    progressMs: song.durationMs,
    trackIds: [song.trackId],
    isrc: song.isrc,
    device: { id: "0device", name: "Phone", type: "Smartphone" },
    track: null,
    ...changes,
  };
  return stubSpotify({ playback: async () => playback });
}

/** A fake Spotify that only has these tracks, which it plays unless they say otherwise. */
export function catalogue(...tracks: (Track & Partial<FoundTrack>)[]): Spotify {
  return stubSpotify({
    async track(trackId) {
      const track = tracks.find((one) => one.trackId === trackId);
      return track ? { playable: true, relinked: false, artistIds: [], ...track } : null;
    },
  });
}
