import type { CatalogueEntry, Spotify } from "~/adapters/spotify/spotify";
import { isSpotifyId, type ListedTrack } from "~/adapters/spotify/track";
import { comparable } from "~/domain/pool/part-in-song";
import { choosingErrors } from "./choosing";
import { type Looked, nothing, type Place } from "./looked";
import { trySpotify } from "./try-spotify.server";

/** Spotify's search goes no further than its thousandth result, which is on this page. */
const maxPage = 100;

/** A page of a list, counted from 1, as an address has named it; the first for what is no page. */
export function pageOf(page: number): number {
  return Number.isInteger(page) && page >= 1 && page <= maxPage ? page : 1;
}

/**
 * Looks at a place in Spotify's catalogue: an album has its tracks, an artist those that a search finds,
 * which can be narrowed to an album. Spotify is asked at most three times.
 */
export async function walk(spotify: Spotify, place: Place): Promise<Looked> {
  const { albumId, artistId } = place;
  if (albumId !== null && !isSpotifyId(albumId)) return failed(choosingErrors.noAlbum);
  if (artistId !== null && !isSpotifyId(artistId)) return failed(choosingErrors.noArtist);
  if (artistId !== null) return walkArtist(spotify, { ...place, artistId });
  return albumId === null ? nothing : walkAlbum(spotify, { ...place, albumId });
}

/** What else Spotify says of the album is not waited for in vain: its tracks can do without a cover. */
async function walkAlbum(spotify: Spotify, place: Place & { albumId: string }): Promise<Looked> {
  const { albumId, page } = place;
  const [known, tracks] = await Promise.all([
    trySpotify(() => spotify.album(albumId), choosingErrors.track),
    trySpotify(() => spotify.albumTracks(albumId, page), choosingErrors.track),
  ]);
  if ("error" in tracks) return failed(tracks.error);
  const album = "error" in known ? null : known.answer;
  if (!tracks.answer || (!album && !("error" in known))) return failed(choosingErrors.noAlbum);
  const { items, more } = tracks.answer;
  const results = items.map((track) => ({
    ...track,
    albumId,
    album: album?.name ?? "",
    artUrl: album?.imageUrl ?? null,
    smallerArt: album?.smallerArt ?? {},
    isrc: null,
  }));
  return { ...nothing, results, more, place: { ...place, album, artist: null } };
}

async function walkArtist(spotify: Spotify, place: Place & { artistId: string }): Promise<Looked> {
  const { artistId, albumId, page } = place;
  const [artist, album] = await Promise.all([
    trySpotify(() => spotify.artist(artistId), choosingErrors.track),
    trySpotify(async () => (albumId ? await spotify.album(albumId) : null), choosingErrors.track),
  ]);
  if ("error" in artist) return failed(artist.error);
  if ("error" in album) return failed(album.error);
  const [by, on] = [artist.answer, album.answer];
  if (!by) return failed(choosingErrors.noArtist);
  if (albumId && !on) return failed(choosingErrors.noAlbum);
  const names = { artist: by.name, album: on?.name ?? null };
  const found = await trySpotify(() => spotify.searchCatalogue(names, page), choosingErrors.search);
  if ("error" in found) return failed(found.error);
  const ids = [artistId, by.id];
  const results = found.answer.items.filter(
    (track) => track.artistIds.some((id) => id && ids.includes(id)) && (!on || isOn(track, on)),
  );
  // The best matches come first: behind a page without any there are none.
  const more = found.answer.more && results.length > 0 && page < maxPage;
  return { ...nothing, results, more, place: { ...place, album: on, artist: by } };
}

/** An album may go by several ids, one for each market. */
function isOn({ albumId, album }: ListedTrack, { id, name }: CatalogueEntry): boolean {
  return albumId === id || comparable(album) === comparable(name);
}

function failed(error: string): Looked {
  return { ...nothing, error };
}
