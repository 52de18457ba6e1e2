import type { SandboxContext } from "../context.ts";
import type { Credentials } from "./accounts/credentials.ts";
import type { People } from "./people.ts";

export interface SpotifyService {
  context: SandboxContext;
  credentials: Credentials;
  people: People;
  changes: Map<string, TrackChange>;
  /** The musicians whose pages cannot read a 429. */
  hiddenLimits: Set<string>;
}

export interface TrackChange {
  name?: string;
  explicit?: boolean;
  gone?: boolean;
}
