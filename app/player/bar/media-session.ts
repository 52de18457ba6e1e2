import type { TrackInfo } from "./track-info";

/** Tells the system what plays in the page (lock screen, media keys); null: nothing. */
export function showInMediaSession(track: TrackInfo | null): void {
  if (!("mediaSession" in navigator)) return;
  navigator.mediaSession.metadata = track
    ? new MediaMetadata({
        title: track.title,
        artist: track.artists.join(", "),
        ...(track.artUrl ? { artwork: [{ src: track.artUrl }] } : {}),
      })
    : null;
}
