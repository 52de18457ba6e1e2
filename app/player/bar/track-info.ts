import type { ApiCall } from "~/adapters/spotify/requests";

/** A track as the player bar shows it. */
export interface TrackInfo {
  title: string;
  artists: string[];
  artUrl: string | null;
}

/** The Web API's answer, as far as it is read. */
interface TrackAnswer {
  name?: string;
  artists?: { name?: string }[];
  album?: { images?: { url?: string }[] };
}

/**
 * A track's title, artists and cover as Spotify has them now.
 * @throws where Spotify does not answer, or not with a track.
 */
export async function readTrackInfo(call: ApiCall, trackId: string): Promise<TrackInfo> {
  const answer = (await call({ path: `/v1/tracks/${trackId}` })) as TrackAnswer | null | undefined;
  const artists = answer?.artists?.flatMap(({ name }) => name ?? []) ?? [];
  if (!answer?.name || artists.length === 0) throw new Error("Spotify's answer is no track");
  return { title: answer.name, artists, artUrl: answer.album?.images?.[0]?.url ?? null };
}
