import type { Track } from "~/adapters/spotify/track";

/**
 * A track's cover, uncropped and with nothing on top of it, as Spotify's display rules require. It
 * has no alternative text, because the title always stands beside it.
 */
export function Cover({ track, eager = false }: { track: Pick<Track, "artUrl">; eager?: boolean }) {
  return (
    <img
      className="cover"
      src={track.artUrl ?? "/cover-fallback.svg"}
      alt=""
      width={640}
      height={640}
      decoding="async"
      loading={eager ? "eager" : "lazy"}
    />
  );
}
