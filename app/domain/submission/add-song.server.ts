import { type Spotify, SpotifyError } from "~/adapters/spotify/spotify";
import type { Track } from "~/adapters/spotify/track";
import type { Database } from "~/db/client.server";
import { openPool, selectPool } from "~/domain/pool/pool.server";
import { endedLoginText } from "~/domain/session/ended-login";
import {
  selectViewer,
  touchIfDue,
  toViewer,
  type Viewer,
  viewerIdOf,
} from "~/domain/session/viewer.server";
import { eligibility } from "./eligibility";
import { isFreeUsed, submissionObstacle } from "./limits";
import { selectOwnSongs } from "./limits.server";

/** What the add-song screen knows about the viewer. */
export interface AddSongView {
  viewer: Viewer;
  /** Why the viewer may not submit right now; null if they may. */
  obstacle: string | null;
  /** There is nothing left that the viewer could rate. */
  noneAvailable: boolean;
}

/**
 * Reads whether the viewer may submit; null if the session has ended. One round trip, and a second one
 * if the session's activity has to be recorded.
 */
export async function loadAddSong(
  db: Database,
  sessionId: string,
  { now, secret, isActivity }: { now: number; secret: string; isActivity: boolean },
): Promise<AddSongView | null> {
  const viewerId = viewerIdOf(sessionId, now);
  const [viewerRows, poolRows, [own]] = await db.batch([
    selectViewer(db, sessionId, now),
    selectPool(db, viewerId),
    selectOwnSongs(db, viewerId),
  ]);
  const viewer = toViewer(viewerRows);
  if (!viewer || !own) return null;
  await touchIfDue(db, viewer.session, { now, isActivity });
  const { available } = await openPool(poolRows, viewer, { secret, now });
  const standing = { ...viewer, available, freeUsed: isFreeUsed(own, now) };
  const terms = eligibility(standing, viewer.limits.songsToRateBeforeUpload);
  return {
    viewer,
    obstacle: submissionObstacle({ ...terms, available }, own, now),
    noneAvailable: available === 0,
  };
}

/** What a search found, or why it failed. */
export type SearchResult = { results: Track[]; error: null } | { results: null; error: string };

/**
 * Searches Spotify's tracks. An empty term is allowed (spec section 5): it searches for the viewer's
 * own name, under which a musician's songs are most likely to be found.
 */
export async function searchSongs(
  spotify: Spotify,
  term: string,
  displayName: string,
): Promise<SearchResult> {
  try {
    return { results: await spotify.searchTracks(term.trim() || displayName), error: null };
  } catch (error) {
    if (!(error instanceof SpotifyError)) throw error;
    if (error.status === 401) return { results: null, error: endedLoginText(error) };
    return {
      results: null,
      error: "Spotify could not be searched right now. Please try again in a moment.",
    };
  }
}
