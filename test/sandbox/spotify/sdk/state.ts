/** The playback in the form of the Web Playback SDK (`Spotify.PlaybackState`). */
import { albumById, artistById, type CatalogueTrack } from "../../catalogue.ts";
import { images } from "../api/objects.ts";
import { currentTrack, type Playback, position } from "../playback.ts";

/** Null if nothing is loaded. `loading` is true for a moment after a start. */
export function sdkState(
  origin: string,
  playback: Playback,
  loading: boolean,
): Spotify.PlaybackState | null {
  const current = currentTrack(playback);
  if (!current) return null;
  const track = sdkTrack(origin, current.playing, current.requested.id);
  return {
    context: { uri: null, metadata: null },
    disallows: playback.playing ? { resuming: true } : { pausing: true },
    restrictions: playback.playing
      ? { disallow_resuming_reasons: ["not_paused"] }
      : { disallow_pausing_reasons: ["already_paused"] },
    duration: current.playing.durationMs,
    paused: !playback.playing,
    position: loading ? playback.positionMs : position(playback),
    loading,
    timestamp: Date.now(),
    repeat_mode: 0,
    shuffle: false,
    // The SDK shows the end of a track only by listing it among the previous ones, paused at 0.
    track_window: {
      current_track: track,
      previous_tracks: playback.ended ? [track] : [],
      next_tracks: [],
    },
    playback_id: playback.playbackId,
    playback_quality: "VERY_HIGH",
    playback_features: { hifi_status: "NONE" },
  };
}

function sdkTrack(origin: string, track: CatalogueTrack, requestedId: string): Spotify.Track {
  const album = albumById.get(track.albumId);
  const relinked = requestedId !== track.id;
  const pictures = album?.cover ? images({ origin, mode: "extended" }, "album", album.id) : [];
  return {
    id: track.id,
    uri: `spotify:track:${track.id}`,
    type: "track",
    media_type: "audio",
    track_type: "audio",
    uid: track.id.slice(0, 16),
    name: track.name,
    duration_ms: track.durationMs,
    is_playable: true,
    linked_from: {
      id: relinked ? requestedId : null,
      uri: relinked ? `spotify:track:${requestedId}` : null,
    },
    artists: track.artistIds.map((id) => ({
      name: artistById.get(id)?.name ?? "",
      uri: `spotify:artist:${id}`,
      url: `${origin}/spotify/open/artist/${id}`,
    })),
    album: {
      name: album?.name ?? "",
      uri: `spotify:album:${track.albumId}`,
      images: pictures.map((picture) => ({
        url: String(picture.url),
        height: Number(picture.height),
        width: Number(picture.width),
        size: "UNKNOWN",
      })),
    },
  };
}
