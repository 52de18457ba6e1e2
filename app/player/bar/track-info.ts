import { type TrackInfoJson, toTrackInfo } from "~/spotify/json";
import type { ApiCall } from "~/spotify/requests";
import type { TrackInfo } from "~/spotify/track";

/**
 * A track's current title, artists and cover. The second size of the cover, 300 pixels, is enough for the
 * player bar and the lock screen, and the list has loaded it already.
 * @throws if Spotify does not answer, or not with a track.
 */
export async function fetchTrackInfo(call: ApiCall, trackId: string): Promise<TrackInfo> {
  const answer = (await call({ path: `/v1/tracks/${trackId}` })) as
    | TrackInfoJson
    | null
    | undefined;
  const info = toTrackInfo(answer ?? {});
  if (!info.title || info.artists.length === 0) throw new Error("Spotify's answer is no track");
  info.artUrl = answer?.album?.images?.[1]?.url ?? info.artUrl;
  return info;
}
