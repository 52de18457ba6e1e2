import { env } from "cloudflare:workers";
import { createDatabase } from "~/db/client.server";
import type { Spotify } from "~/spotify/web-api.server";
import { noteQueued } from "./mail-queue";
import { noSpotChecks } from "./spot-checks";
import { stubSpotify } from "./spotify/stub";

/**
 * What playing, rating, passing on, withdrawing and bringing back a song work with, without spot checks.
 * @param at epoch milliseconds, or a clock.
 * @param options.spotify a fake one; without it, whatever is asked of Spotify throws.
 * @param options.mailWaitMs how long a rating waits for others that share its mail.
 */
export function servicesAt(
  at: number | (() => number),
  options: {
    spotify?: Spotify;
    mailQueue?: ReturnType<typeof noteQueued>;
    mailWaitMs?: number;
  } = {},
) {
  const { spotify = stubSpotify(), mailQueue = noteQueued(), mailWaitMs = 0 } = options;
  return {
    db: createDatabase(env.DB),
    spotify,
    mailQueue,
    mailWaitMs,
    ...noSpotChecks,
    now: typeof at === "number" ? () => at : at,
  };
}
