import { env } from "cloudflare:workers";
import { createDatabase } from "~/db/client.server";
import type { Place } from "~/exchange/pool/place";
import { openSources } from "~/http/sources.server";
import type { Spotify } from "~/sources/spotify/client/web-api.server";
import type { SpotCheckQueue } from "~/sources/spotify/spot-check.server";
import { noteQueued } from "./mail-queue";
import { noSpotChecks } from "./spot-checks";
import { stubSpotify } from "./spotify/stub";

/** What the songs' domain works with, without spot checks. By default whatever is asked of Spotify throws. */
export function servicesAt(
  at: number | (() => number),
  options: {
    spotify?: Spotify;
    spotChecks?: SpotCheckQueue;
    mailQueue?: ReturnType<typeof noteQueued>;
    mailWaitMs?: number;
    place?: Place | null;
    sealedBelow?: number;
    takesGenerated?: boolean;
  } = {},
) {
  const {
    place = null,
    spotify = stubSpotify(),
    mailQueue = noteQueued(),
    mailWaitMs = 0,
  } = options;
  const services = {
    db: createDatabase(env.DB),
    files: env.RECORDINGS,
    isSpotifyOpen: true,
    place,
    sealedBelow: options.sealedBelow ?? 0,
    takesGenerated: options.takesGenerated ?? false,
    spotify,
    mailQueue,
    mailWaitMs,
    ...noSpotChecks,
    ...(options.spotChecks && { spotChecks: options.spotChecks }),
    now: typeof at === "number" ? () => at : at,
  };
  return { ...services, ...openSources(services) };
}
