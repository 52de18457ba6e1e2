import type { Album, CatalogueEntry, FoundTrack } from "~/spotify/spotify";
import type { ListedTrack } from "~/spotify/track";

/** A place in Spotify's catalogue: an album, an artist's songs, or an artist's songs on an album. */
export interface CatalogueLocation {
  albumId: string | null;
  artistId: string | null;
  /** Counts from 1. */
  page: number;
}

/** A place as the screen shows it, besides its songs. */
export interface PlaceView extends CatalogueLocation {
  /** Null without an album, or where Spotify gives its tracks alone. */
  album: Album | null;
  artist: CatalogueEntry | null;
}

/** A track in the results; one without `playable` can be played. */
export type ResultTrack = ListedTrack & Partial<Pick<FoundTrack, "playable">>;

/** The outcome of a look at Spotify's catalogue. */
export interface Findings {
  /** The one track that was chosen or pasted. */
  found: FoundTrack | null;
  results: ResultTrack[] | null;
  /** Another page of results follows. */
  more: boolean;
  /** The name under which the viewer's own songs were looked for; null if it was something else. */
  ownName: string | null;
  /** The place of the results; null for those of a search. */
  place: PlaceView | null;
  /** The term was a link, so there is no search to come back to. */
  pasted: boolean;
  error: string | null;
}

export const noFindings: Findings = {
  found: null,
  results: null,
  more: false,
  ownName: null,
  place: null,
  pasted: false,
  error: null,
};
