import type { Viewer } from "~/members/viewer.server";
import { comparable } from "~/platform/comparable";
import { plainText } from "~/platform/plain-text";
import type { CatalogueEntry } from "~/sources/catalogue";
import {
  type CatalogueLocation,
  type CatalogueQuery,
  type Findings,
  type ListedTrack,
  maxPage,
  noFindings,
} from "~/sources/catalogue";
import type { ReadLink } from "~/sources/spotify/client/spotify";
import { isSpotifyId, unknownArtist } from "~/sources/spotify/client/track";
import type { Spotify } from "~/sources/spotify/client/web-api.server";
import { trySpotify } from "./failure.server";

const choosingErrors = {
  noSong: "Spotify has no such song. Search for it by name.",
  noAlbum: "Spotify has no such album. Search for the song by name.",
  noArtist: "Spotify has no such artist. Search for the song by name.",
  search: {
    outage: "We could not search Spotify right now. Try again in a moment.",
    refused: "Spotify does not take this search. Search for the song by other words.",
  },
  track: {
    outage: "Spotify is not answering right now. Try again in a moment.",
    refused: "Spotify does not show us this. Search for the song by name.",
  },
  shortLink: {
    outage:
      "We could not follow this short link right now. Open it in Spotify and copy the song's link from there, or search for the song by name.",
    refused:
      "We could not follow this short link. Open it in Spotify and copy the song's link from there, or search for the song by name.",
  },
  foreign: "This is not a link to a song on Spotify. Paste one, or search for the song by name.",
} as const;

function otherLinkText(what: string): string {
  return what === "playlist"
    ? "This link leads to a playlist. Open it and choose a song there, or search for the song by name."
    : "This link leads to Spotify, but not to a song. Search for the song by name.";
}

export type LinkReader = (text: string) => Promise<ReadLink | null>;

/** An empty term looks for the viewer's own songs. */
export async function lookUp(
  { spotify, spotifyLink }: { spotify: Spotify; spotifyLink: LinkReader },
  { displayName }: Pick<Viewer, "displayName">,
  { term, trackId, place, lastArtist }: CatalogueQuery,
): Promise<Findings> {
  const words = plainText(term ?? "");
  if (trackId !== null) return lookUpTrack(spotify, trackId);
  if (place.albumId !== null || place.artistId !== null) return listPlace(spotify, place);
  if (words === "") {
    const artist = lastArtist === unknownArtist ? null : lastArtist;
    const ownName = artist || displayName;
    const found = await search(() =>
      artist
        ? spotify.searchCatalogue({ artist, album: null }, place.page)
        : spotify.searchTracks(displayName, place.page),
    );
    // Songs submitted before are listed even if the search fails.
    return { ...noFindings, ...found, results: found.results ?? [], ownName };
  }
  const link = await trySpotify(() => spotifyLink(words), choosingErrors.shortLink);
  if ("error" in link) return { ...noFindings, error: link.error };
  switch (link.answer?.kind) {
    case undefined:
      return { ...noFindings, ...(await search(() => spotify.searchTracks(words, place.page))) };
    case "track":
      return { ...(await lookUpTrack(spotify, link.answer.id)), pasted: true };
    case "album":
    case "artist": {
      const { kind, id } = link.answer;
      const linked = kind === "album" ? { albumId: id } : { artistId: id };
      return { ...(await listPlace(spotify, { ...place, ...linked })), pasted: true };
    }
    case "other":
      return { ...noFindings, error: otherLinkText(link.answer.what) };
    case "foreign":
      return { ...noFindings, error: choosingErrors.foreign };
  }
}

async function search(ask: () => ReturnType<Spotify["searchTracks"]>) {
  const asked = await trySpotify(ask, choosingErrors.search);
  return "error" in asked
    ? { results: null, more: false, error: asked.error }
    : { results: asked.answer.items, more: asked.answer.more, error: null };
}

async function lookUpTrack(spotify: Spotify, trackId: string): Promise<Findings> {
  if (!isSpotifyId(trackId)) return { ...noFindings, error: choosingErrors.noSong };
  const asked = await trySpotify(() => spotify.track(trackId), choosingErrors.track);
  if ("error" in asked) return { ...noFindings, error: asked.error };
  return { ...noFindings, found: asked.answer, error: asked.answer ? null : choosingErrors.noSong };
}

async function listPlace(spotify: Spotify, place: CatalogueLocation): Promise<Findings> {
  const { albumId, artistId } = place;
  if (albumId !== null && !isSpotifyId(albumId)) return failed(choosingErrors.noAlbum);
  if (artistId !== null && !isSpotifyId(artistId)) return failed(choosingErrors.noArtist);
  if (artistId !== null) return listArtist(spotify, { ...place, artistId });
  return albumId === null ? noFindings : listAlbum(spotify, { ...place, albumId });
}

/** If Spotify fails to give the album itself, its tracks are shown without a cover. */
async function listAlbum(
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

async function listArtist(
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
      (!place.album || isOnAlbum(track, place.album)),
  );
  // The best matches come first: behind a page without any there are none.
  const more = found.answer.more && results.length > 0 && page < maxPage;
  return { ...noFindings, results, more, place };
}

/** By its name too, because an album may have an id for each market. */
function isOnAlbum({ albumId, album }: ListedTrack, { id, name }: CatalogueEntry): boolean {
  return albumId === id || comparable(album) === comparable(name);
}

function failed(error: string): Findings {
  return { ...noFindings, error };
}
