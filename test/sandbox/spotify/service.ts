/** What all parts of the Spotify stand-in share. */
import type { SandboxContext } from "../context.ts";
import type { Credentials } from "./accounts/credentials.ts";
import type { People } from "./people.ts";
import type { RateLimits } from "./rate-limits.ts";

export interface SpotifyService {
  context: SandboxContext;
  credentials: Credentials;
  people: People;
  rateLimits: RateLimits;
  /** What tests have changed in the catalogue. */
  changes: CatalogueChanges;
  /** What browsers are not given of a 429, by the musician. */
  hiddenLimits: Map<string, HiddenLimit>;
  /** Whether the SDK's script fails to load. It loads without a token, so this applies to everybody. */
  scriptFails: boolean;
}

export interface CatalogueChanges {
  /** What has changed of tracks, by their ids. */
  tracks: Map<string, TrackChange>;
  /** The ids of albums, artists and others whose pictures are no longer there. */
  lostPictures: Set<string>;
}

/** What is different from the catalogue. */
export interface TrackChange {
  name?: string;
  /** What its artists are called. */
  artistNames?: string[];
  durationMs?: number;
  explicit?: boolean;
  /** The id that the cover's pictures are drawn from, in the place of the album's. */
  cover?: string;
  /** Spotify knows it no more. */
  gone?: boolean;
}

export interface HiddenLimit {
  /** The headers that let a page of another origin read the response at all. */
  cors: boolean;
  /** The permission to read Retry-After. */
  retryAfter: boolean;
}
