import type { Track } from "~/adapters/spotify/track";

/**
 * A track's cover, whole and with nothing over it (platform section 7). The title always stands
 * beside it, so that the picture itself needs no words.
 */
export function Cover({ track, eager = false }: { track: Track; eager?: boolean }) {
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
