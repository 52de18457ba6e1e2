import type { Album, CatalogueEntry, FoundTrack } from "~/adapters/spotify/spotify";
import type { ListedTrack } from "~/adapters/spotify/track";

/** A place in Spotify's catalogue: an album, what is an artist's, or what is an artist's on an album. */
export interface Place {
  albumId: string | null;
  artistId: string | null;
  /** Counts from 1. */
  page: number;
}

/** What is shown of a place, besides its songs. */
export interface PlaceView extends Place {
  /** Null without an album, or where Spotify tells its tracks and nothing else of it. */
  album: Album | null;
  artist: CatalogueEntry | null;
}

/** A track that a look has brought; one without `playable` is played. */
export type LookedTrack = ListedTrack & Partial<Pick<FoundTrack, "playable">>;

/** What a look at Spotify's catalogue has brought. */
export interface Looked {
  /** The one track that was chosen or pasted. */
  found: FoundTrack | null;
  results: LookedTrack[] | null;
  /** Whether another page of results follows. */
  more: boolean;
  /** The name under which the viewer's own songs were looked for; null if it was something else. */
  ownName: string | null;
  /** Where the results are; null for those of a search. */
  place: PlaceView | null;
  /** The term was a link that led here, and so is no search to come back to. */
  pasted: boolean;
  error: string | null;
}

export const nothing: Looked = {
  found: null,
  results: null,
  more: false,
  ownName: null,
  place: null,
  pasted: false,
  error: null,
};
