import { type FoundTrack, type Spotify, SpotifyError } from "~/adapters/spotify/spotify";
import { runBatch } from "~/db/gated";
import type { OwedMailServices } from "~/domain/outbox/owe-mail.server";
import { writeRefusal } from "~/domain/rotation/rest.server";
import type { Viewer } from "~/domain/session/viewer.server";
import { doubtListen } from "./listens.server";

/**
 * Whether Spotify says that it does not play a track where the listener is, or that there is no such
 * track; and what it says of one that it plays. If it cannot be asked, nothing is said against the song.
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
 * Writes down that Spotify does not play a song to a listener, which contradicts their open listen of
 * it. One round trip.
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
