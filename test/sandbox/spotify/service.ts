/** What the parts of the Spotify stand-in share. */
import type { SandboxContext } from "../context.ts";
import type { Credentials } from "./accounts/credentials.ts";
import type { People } from "./people.ts";
import type { RateLimits } from "./rate-limits.ts";

export interface SpotifyService {
  context: SandboxContext;
  credentials: Credentials;
  people: People;
  rateLimits: RateLimits;
  /** The SDK's script does not load. Nobody is signed in there, so this one is for all. */
  scriptFails: boolean;
}
