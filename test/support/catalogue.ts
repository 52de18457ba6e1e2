import type { Track } from "~/sources/song";
import { albumById, artistById, musicianById, trackById } from "../sandbox/catalogue.ts";

/** A song of one of the sandbox's musicians. The first two are short; without `pictures` it has no cover. */
export function trackOf(musician: string, index = 0, pictures?: string): Track {
  const track = trackById.get(musicianById.get(musician)?.trackIds[index] ?? "");
  if (!track) throw new Error(`${musician} has no song ${index}`);
  const album = albumById.get(track.albumId);
  const cover = pictures && album?.cover ? `${pictures}/album-${album.id}` : null;
  return {
    trackId: track.id,
    title: track.name,
    artists: track.artistIds.map((id) => artistById.get(id)?.name ?? ""),
    album: album?.name ?? "",
    artUrl: cover && `${cover}-640`,
    smallerArt: cover ? { 64: `${cover}-64`, 300: `${cover}-300` } : {},
    durationMs: track.durationMs,
    isrc: track.isrc,
    spotifyUrl: `https://open.spotify.com/track/${track.id}`,
    explicit: track.explicit,
  };
}
