import { runBatch } from "~/db/gated";
import { writeRefusal } from "~/exchange/rotation/rest.server";
import type { Viewer } from "~/members/viewer.server";
import type { OwedMailServices } from "~/outbox/owe-mail.server";
import { type FoundTrack, SpotifyError } from "~/spotify/spotify";
import type { Spotify } from "~/spotify/web-api.server";
import { doubtListen } from "./listens.server";

/**
 * Asks Spotify for a track. It is refused where Spotify does not play it to the listener or does not know
 * it. Without an answer it is neither refused nor known.
 */
export async function askForTrack(
  spotify: Pick<Spotify, "track">,
  trackId: string,
): Promise<{ isRefused: boolean; track: FoundTrack | null }> {
  try {
    const track = await spotify.track(trackId);
    return track?.playable ? { isRefused: false, track } : { isRefused: true, track: null };
  } catch (error) {
    if (!(error instanceof SpotifyError)) throw error;
    return { isRefused: false, track: null };
  }
}

/**
 * Records that Spotify does not play a song to a listener, which contradicts their open listen of it. One
 * round trip.
 */
export async function noteRefusal(
  services: OwedMailServices,
  { userId }: Pick<Viewer, "userId">,
  { songId, now }: { songId: string; now: number },
): Promise<void> {
  const { db } = services;
  await runBatch(db, {
    doubt: doubtListen(db, { userId, songId }, now),
    refusal: writeRefusal(services, { userId }, { songId, now }),
  });
}
