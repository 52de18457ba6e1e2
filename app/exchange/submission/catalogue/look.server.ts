import type { Viewer } from "~/members/viewer.server";
import { plainText } from "~/platform/plain-text";
import type { ReadLink } from "~/spotify/spotify";
import { isSpotifyId, unknownArtist } from "~/spotify/track";
import type { Spotify } from "~/spotify/web-api.server";
import { choosingErrors, otherLinkText } from "./choosing";
import { type CatalogueLocation, type Findings, noFindings } from "./looked";
import { trySpotify } from "./try-spotify.server";
import { walk } from "./walk.server";

/** Reads the target of a pasted link at Spotify; null for what is no link. May throw a SpotifyError. */
export type LinkReader = (text: string) => Promise<ReadLink | null>;

/** The parameters of a look at the catalogue. */
interface Wanted {
  /** A search term or a pasted link; null or empty for the viewer's own songs. */
  term: string | null;
  /** A track that was chosen; null where none was. */
  trackId: string | null;
  /**
   * A place in the catalogue to look at instead, if it names an album or an artist. A search takes its page
   * from here, too.
   */
  place: CatalogueLocation;
  /** The main artist of the song that the viewer submitted last; null without one. */
  lastArtist: string | null;
}

/**
 * Looks into Spotify's catalogue for the track, the place, the link or the term, whichever is given first.
 * An empty term looks for the viewer's own songs, by the artist of the last one submitted or else by the
 * viewer's name.
 */
export async function lookUp(
  { spotify, spotifyLink }: { spotify: Spotify; spotifyLink: LinkReader },
  { displayName }: Pick<Viewer, "displayName">,
  { term, trackId, place, lastArtist }: Wanted,
): Promise<Findings> {
  const words = plainText(term ?? "");
  if (trackId !== null) return lookUpTrack(spotify, trackId);
  if (place.albumId !== null || place.artistId !== null) return walk(spotify, place);
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
      return { ...(await walk(spotify, { ...place, ...linked })), pasted: true };
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
