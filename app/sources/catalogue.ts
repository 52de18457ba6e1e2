/** Where songs are looked for that are not uploaded: what a page shows of a catalogue. */
import type { Track } from "./song";

export interface ListedTrack extends Track {
  albumId: string | null;
  /** In the order of `artists`; null for one that has none. */
  artistIds: (string | null)[];
}

export interface FoundTrack extends Track {
  /** False only if Spotify says so, for no reason of the user's own account. */
  playable: boolean;
  /** The asking user's account hides explicit songs, and this is one. */
  hidden: boolean;
  /** The fields describe another track, which Spotify plays in place of this one. */
  relinked: boolean;
  artistIds: (string | null)[];
}

export interface CatalogueEntry {
  id: string;
  name: string;
  imageUrl: string | null;
  smallerArt: Track["smallerArt"];
  spotifyUrl: string;
}

export type Album = CatalogueEntry & Pick<ListedTrack, "artists" | "artistIds">;

/** A place in Spotify's catalogue: an album, an artist's songs, or an artist's songs on an album. */
export interface CatalogueLocation {
  albumId: string | null;
  artistId: string | null;
  page: number;
}

export interface PlaceView extends CatalogueLocation {
  /** Null without an album, or where Spotify gives its tracks alone. */
  album: Album | null;
  artist: CatalogueEntry | null;
}

/** A track without `playable` can be played. */
export type ResultTrack = ListedTrack & Partial<Pick<FoundTrack, "playable">>;

export interface Findings {
  found: FoundTrack | null;
  results: ResultTrack[] | null;
  more: boolean;
  ownName: string | null;
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

export interface CatalogueQuery {
  term: string | null;
  trackId: string | null;
  place: CatalogueLocation;
  lastArtist: string | null;
}

/** Spotify's search goes no further than its thousandth result, which is on this page. */
export const maxPage = 100;

export function pageOf(page: number): number {
  return Number.isInteger(page) && page >= 1 && page <= maxPage ? page : 1;
}
