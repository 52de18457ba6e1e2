import { filesSource } from "~/sources/files/source.server";
import { isTrack } from "~/sources/song";
import type { SourceOf } from "~/sources/source";
import { type SpotifySourceServices, spotifySource } from "~/sources/spotify/source.server";

/** Chooses a song's source. */
export function openSources(services: SpotifySourceServices): SourceOf {
  return (song) => (isTrack(song) ? spotifySource(services, song.trackId) : filesSource(services));
}
