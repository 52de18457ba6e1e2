/** What all parts of the Spotify stand-in share. */
import type { SandboxContext } from "../context.ts";
import type { Credentials } from "./accounts/credentials.ts";
import type { People } from "./people.ts";

export interface SpotifyService {
  context: SandboxContext;
  credentials: Credentials;
  people: People;
  /** What tests have changed of tracks, by their ids. */
  changes: Map<string, TrackChange>;
  /** The musicians whose pages cannot read a 429. */
  hiddenLimits: Set<string>;
}

/** What is different from the catalogue. */
export interface TrackChange {
  name?: string;
  explicit?: boolean;
  /** Spotify knows it no more. */
  gone?: boolean;
}
