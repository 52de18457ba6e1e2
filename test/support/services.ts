import { env } from "cloudflare:workers";
import { createDatabase } from "~/db/client.server";
import type { Spotify } from "~/spotify/web-api.server";
import { noteQueued } from "./mail-queue";
import { noSpotChecks } from "./spot-checks";
import { stubSpotify } from "./spotify/stub";

/** What the songs' domain works with, without spot checks. By default whatever is asked of Spotify throws. */
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
    files: env.RECORDINGS,
    isSpotifyOpen: true,
    spotify,
    mailQueue,
    mailWaitMs,
    ...noSpotChecks,
    now: typeof at === "number" ? () => at : at,
  };
}
