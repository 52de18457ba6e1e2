import {
  type FoundTrack,
  type ReadLink,
  type Spotify,
  SpotifyError,
} from "~/adapters/spotify/spotify";
import { isTrackId, type Track } from "~/adapters/spotify/track";
import { endedLoginText } from "~/domain/session/ended-login";
import type { Viewer } from "~/domain/session/viewer.server";
import { choosingErrors, otherLinkText } from "./choosing";

/** Tells where a pasted link leads at Spotify; null for what is no link. May throw a SpotifyError. */
export type LinkReader = (text: string) => Promise<ReadLink | null>;

/** What is looked for. */
interface Wanted {
  /** A search term or a pasted link; null or empty for the viewer's own songs. */
  term: string | null;
  /** A track that was chosen; null where none was. */
  trackId: string | null;
  /** The main artist of the song that the viewer submitted last; null without one. */
  lastArtist: string | null;
}

/** What a look at Spotify's catalogue has brought. */
export interface Looked {
  /** The one track that was chosen or pasted. */
  found: FoundTrack | null;
  results: Track[] | null;
  ownName: string | null;
  error: string | null;
}

export const nothing: Looked = { found: null, results: null, ownName: null, error: null };

/**
 * Looks for what was asked for. An empty term is allowed (spec section 5): it looks for the viewer's own
 * songs, by the artist of the last one submitted or else by the viewer's name.
 */
export async function look(
  { spotify, spotifyLink }: { spotify: Spotify; spotifyLink: LinkReader },
  { displayName }: Pick<Viewer, "displayName">,
  { term, trackId, lastArtist }: Wanted,
): Promise<Looked> {
  const words = term?.trim() ?? "";
  if (trackId !== null) return lookAt(spotify, trackId);
  if (words === "") {
    const ownName = lastArtist || displayName;
    const query = lastArtist ? `artist:"${lastArtist.replaceAll('"', "")}"` : displayName;
    const { results, error } = await search(spotify, query);
    // What was submitted before is known here, whatever becomes of the search.
    return { ...nothing, results: results ?? [], ownName, error };
  }
  const link = await trySpotify(() => spotifyLink(words), choosingErrors.shortLink);
  if ("error" in link) return { ...nothing, error: link.error };
  switch (link.answer?.kind) {
    case undefined:
      return { ...nothing, ...(await search(spotify, words)) };
    case "track":
      return lookAt(spotify, link.answer.trackId);
    case "other":
      return { ...nothing, error: otherLinkText(link.answer.what) };
    case "foreign":
      return { ...nothing, error: choosingErrors.foreign };
  }
}

async function search(spotify: Spotify, query: string) {
  const asked = await trySpotify(() => spotify.searchTracks(query), choosingErrors.search);
  return "error" in asked
    ? { results: null, error: asked.error }
    : { results: asked.answer, error: null };
}

async function lookAt(spotify: Spotify, trackId: string): Promise<Looked> {
  if (!isTrackId(trackId)) return { ...nothing, error: choosingErrors.noSong };
  const asked = await trySpotify(() => spotify.track(trackId), choosingErrors.track);
  if ("error" in asked) return { ...nothing, error: asked.error };
  return { ...nothing, found: asked.answer, error: asked.answer ? null : choosingErrors.noSong };
}

/** @param outage what people read if Spotify does not answer. */
async function trySpotify<T>(
  ask: () => Promise<T>,
  outage: string,
): Promise<{ answer: T } | { error: string }> {
  try {
    return { answer: await ask() };
  } catch (error) {
    if (!(error instanceof SpotifyError)) throw error;
    return { error: error.status === 401 ? endedLoginText(error) : outage };
  }
}
