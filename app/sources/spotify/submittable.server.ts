import { type SQL, sql } from "drizzle-orm";
import { type Rejection, reject } from "~/platform/rejection";
import type { FoundTrack } from "~/sources/catalogue";
import type { Made } from "~/sources/made";
import { isOwnSongOf, ownSongOf } from "~/sources/recording.server";
import type { AskedTrack, Offer, Submittable } from "~/sources/source";
import { SpotifyError } from "~/sources/spotify/client/spotify";
import type { Spotify } from "~/sources/spotify/client/web-api.server";
import { whyUnratable } from "~/sources/unratable";
import { refuseAsSpotify } from "./failure.server";

const refreshedTrack = {
  trackId: sql`excluded.track_id`,
  title: sql`excluded.title`,
  artists: sql`excluded.artists`,
  album: sql`excluded.album`,
  artUrl: sql`excluded.art_url`,
  smallerArt: sql`excluded.smaller_art`,
  durationMs: sql`excluded.duration_ms`,
  // Only the app changes the ISRC of a known track (track-refresh.server.ts).
  isrc: sql`coalesce(
    (SELECT known.isrc FROM songs AS known
      WHERE known.track_id = excluded.track_id AND known.isrc IS NOT NULL LIMIT 1),
    isrc, excluded.isrc)`,
  spotifyUrl: sql`excluded.spotify_url`,
  artistIds: sql`excluded.artist_ids`,
  explicit: sql`excluded.explicit`,
  made: sql`excluded.made`,
} satisfies Record<keyof Omit<FoundTrack, "playable" | "hidden" | "relinked"> | "made", SQL>;

/**
 * A track that is offered for submission. Of it the browser names only its id and how it was made; the rest is
 * Spotify's word.
 */
export function offeredTrack(
  spotify: Pick<Spotify, "track">,
  asked: AskedTrack,
  userId: string,
): Offer {
  return {
    read: null,
    agreedCost: () => null,
    submittable: () => askForTrack(spotify, userId, asked),
  };
}

async function askForTrack(
  spotify: Pick<Spotify, "track">,
  ownerId: string,
  { trackId, made }: AskedTrack,
): Promise<Submittable | Rejection> {
  let found: FoundTrack | null;
  try {
    found = await spotify.track(trackId);
  } catch (error) {
    if (!(error instanceof SpotifyError)) throw error;
    return refuseAsSpotify(error, {
      outage: "Spotify is not answering right now. Your song was not submitted. Try again.",
      refused:
        "Spotify does not show us this song, so it was not submitted. Choose another one, or try again later.",
    });
  }
  if (!found) return reject(404, "Spotify has no such song.");
  const unratable = whyUnratable(found);
  return unratable ? reject(422, unratable) : submittedTrack(ownerId, { ...found, made });
}

function submittedTrack(ownerId: string, found: FoundTrack & { made: Made }): Submittable {
  const { playable: _playable, hidden: _hidden, relinked: _relinked, ...columns } = found;
  return {
    cover: { ...columns, ownRecordingId: null },
    columns: { ...columns, ownRecordingId: null },
    refreshed: refreshedTrack,
    knownId: ownSongOf(ownerId, columns),
    isKnown: isOwnSongOf(ownerId, [columns]),
    isAgreed: sql`0`,
    isThere: sql`1`,
    also: () => null,
  };
}
