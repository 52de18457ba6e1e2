import { comparable } from "~/exchange/carousel/pool/part-in-song";
import type { CatalogueEntry } from "~/spotify/spotify";
import { isSpotifyId, type ListedTrack } from "~/spotify/track";
import type { Spotify } from "~/spotify/web-api.server";
import { choosingErrors } from "./choosing";
import { type CatalogueLocation, type Findings, noFindings } from "./looked";
import { trySpotify } from "./try-spotify.server";

/** Spotify's search goes no further than its thousandth result, which is on this page. */
const maxPage = 100;

/** The page of a list that an address names, counted from 1; the first page for anything else. */
export function pageOf(page: number): number {
  return Number.isInteger(page) && page >= 1 && page <= maxPage ? page : 1;
}

/**
 * Lists a place in Spotify's catalogue: an album's tracks, or those that a search finds for an artist, also
 * on one album alone. Spotify is asked at most three times.
 */
export async function walk(spotify: Spotify, place: CatalogueLocation): Promise<Findings> {
  const { albumId, artistId } = place;
  if (albumId !== null && !isSpotifyId(albumId)) return failed(choosingErrors.noAlbum);
  if (artistId !== null && !isSpotifyId(artistId)) return failed(choosingErrors.noArtist);
  if (artistId !== null) return walkArtist(spotify, { ...place, artistId });
  return albumId === null ? noFindings : walkAlbum(spotify, { ...place, albumId });
}

/** An album's tracks. If Spotify gives them and fails to give the album, they are shown without a cover. */
async function walkAlbum(
  spotify: Spotify,
  place: CatalogueLocation & { albumId: string },
): Promise<Findings> {
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
  return { ...noFindings, results, more, place: { ...place, album, artist: null } };
}

/** An artist's songs, on one album if the place names one. */
async function walkArtist(
  spotify: Spotify,
  asked: CatalogueLocation & { artistId: string },
): Promise<Findings> {
  const { artistId, albumId, page } = asked;
  const [artist, album] = await Promise.all([
    trySpotify(() => spotify.artist(artistId), choosingErrors.track),
    trySpotify(async () => (albumId ? await spotify.album(albumId) : null), choosingErrors.track),
  ]);
  if ("error" in artist) return failed(artist.error);
  if ("error" in album) return failed(album.error);
  const place = { ...asked, artist: artist.answer, album: album.answer };
  if (!place.artist) return failed(choosingErrors.noArtist);
  if (albumId && !place.album) return failed(choosingErrors.noAlbum);
  const names = { artist: place.artist.name, album: place.album?.name ?? null };
  const found = await trySpotify(() => spotify.searchCatalogue(names, page), choosingErrors.search);
  if ("error" in found) return failed(found.error);
  const ids = [artistId, place.artist.id];
  const results = found.answer.items.filter(
    (track) =>
      track.artistIds.some((id) => id && ids.includes(id)) &&
      (!place.album || isOn(track, place.album)),
  );
  // The best matches come first: behind a page without any there are none.
  const more = found.answer.more && results.length > 0 && page < maxPage;
  return { ...noFindings, results, more, place };
}

/** Checks for an album by its name too, because it may have an id for each market. */
function isOn({ albumId, album }: ListedTrack, { id, name }: CatalogueEntry): boolean {
  return albumId === id || comparable(album) === comparable(name);
}

function failed(error: string): Findings {
  return { ...noFindings, error };
}
