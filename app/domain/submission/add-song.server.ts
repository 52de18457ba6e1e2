import { type Spotify, SpotifyError } from "~/adapters/spotify/spotify";
import type { Track } from "~/adapters/spotify/track";
import type { Database } from "~/db/client.server";
import { parsePool, selectPool } from "~/domain/pool/pool.server";
import { eligibleSongs } from "~/domain/pool/select";
import { loginEndedText } from "~/domain/refusal";
import {
  selectViewer,
  touchSession,
  toViewer,
  type Viewer,
  viewerIdOf,
} from "~/domain/session/viewer.server";
import type { Eligibility } from "./eligibility";
import { eligibility } from "./eligibility";

/** The add-song screen's data. */
export interface AddSongView {
  viewer: Viewer;
  eligibility: Eligibility;
  /** Nothing is left that the viewer could rate. */
  noneAvailable: boolean;
}

/**
 * Reads whether the viewer may submit; null where the session is no login. One round trip, and a
 * second when the session's activity is due to be written down.
 */
export async function loadAddSong(
  db: Database,
  sessionId: string,
  now: number,
): Promise<AddSongView | null> {
  const [viewerRows, poolRows] = await db.batch([
    selectViewer(db, sessionId, now),
    selectPool(db, viewerIdOf(sessionId, now)),
  ]);
  const viewer = toViewer(viewerRows);
  if (!viewer) return null;
  await touchSession(db, viewer.session, now);
  const available = eligibleSongs(parsePool(poolRows).songs, viewer.userId, new Set()).length;
  return {
    viewer,
    eligibility: eligibility({ ...viewer, available }, viewer.limits.songsToRateBeforeUpload),
    noneAvailable: available === 0,
  };
}

/** What a search found, or why it could not be made. */
export type SearchResult = { results: Track[]; error: null } | { results: null; error: string };

/**
 * Searches Spotify's tracks. An empty term is allowed (spec section 5): it looks for the viewer's
 * own name, which is where a musician's songs are most likely found.
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
    if (error.status === 401) return { results: null, error: loginEndedText };
    return {
      results: null,
      error: "Spotify could not be searched right now. Please try again in a moment.",
    };
  }
}
