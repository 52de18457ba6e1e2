import type { Track } from "~/adapters/spotify/track";
import { albumById, artistById, musicianById, trackById } from "../sandbox/catalogue.ts";

/** A song of one of the sandbox's musicians, in the app's format. The first two are short. */
export function trackOf(musician: string, index = 0): Track {
  const track = trackById.get(musicianById.get(musician)?.trackIds[index] ?? "");
  if (!track) throw new Error(`${musician} has no song ${index}`);
  return {
    trackId: track.id,
    title: track.name,
    artists: track.artistIds.map((id) => artistById.get(id)?.name ?? ""),
    album: albumById.get(track.albumId)?.name ?? "",
    artUrl: null,
    smallerArt: {},
    durationMs: track.durationMs,
    isrc: track.isrc,
    spotifyUrl: `https://open.spotify.com/track/${track.id}`,
  };
}
