import type { FoundTrack } from "~/sources/catalogue";
import type { Track } from "~/sources/song";
import type { LookUp } from "~/sources/source";
import { lookUp } from "~/sources/spotify/catalogue.server";
import type { DevicePlayback } from "~/sources/spotify/client/spotify";
import type { Spotify } from "~/sources/spotify/client/web-api.server";
import type { TestSong } from "../database/factories";

/** A fake Spotify. A call that the test gives no answer for throws. */
export function stubSpotify(answers: Partial<Spotify> = {}): Spotify {
  const unexpected = (name: string) => async () => {
    throw new Error(`Spotify was asked for ${name}`);
  };
  return {
    searchTracks: unexpected("searchTracks"),
    searchCatalogue: unexpected("searchCatalogue"),
    profile: unexpected("profile"),
    ownPlaylists: unexpected("ownPlaylists"),
    createPlaylist: unexpected("createPlaylist"),
    playlistHolds: unexpected("playlistHolds"),
    addToPlaylist: unexpected("addToPlaylist"),
    track: unexpected("track"),
    album: unexpected("album"),
    albumTracks: unexpected("albumTracks"),
    artist: unexpected("artist"),
    playback: unexpected("playback"),
    play: unexpected("play"),
    pause: unexpected("pause"),
    saveTrack: unexpected("saveTrack"),
    unsaveTrack: unexpected("unsaveTrack"),
    savedTracks: unexpected("savedTracks"),
    ...answers,
  };
}

/** Looks for songs there; no text is a link. */
export function openCatalogue(spotify: Spotify): LookUp {
  return (viewer, asked) => lookUp({ spotify, spotifyLink: async () => null }, viewer, asked);
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
      return track
        ? { playable: true, hidden: false, relinked: false, artistIds: [], ...track }
        : null;
    },
  });
}
