import type { TrackInfo } from "~/spotify/track";

/** Tells the system (lock screen, media keys) which track plays in the page; null for none. */
export function setMediaSession(track: TrackInfo | null): void {
  if (!("mediaSession" in navigator)) return;
  navigator.mediaSession.metadata = track
    ? new MediaMetadata({
        title: track.title,
        artist: track.artists.join(", "),
        ...(track.artUrl ? { artwork: [{ src: track.artUrl }] } : {}),
      })
    : null;
}
