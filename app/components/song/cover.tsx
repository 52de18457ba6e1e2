import { artByWidth, type Track } from "~/adapters/spotify/track";

/**
 * A track's cover, uncropped and with nothing on top of it, as Spotify's display rules require. It
 * has no alternative text, because the title always stands beside it. Behind it stands the fallback
 * picture (song.css), which is seen where the cover is gone.
 * @param sizes how wide it is, as in HTML. All small covers say the same, so that the same picture
 *   serves on every screen.
 * @param first it is the screen's first cover, which is fetched before the others.
 */
export function Cover({
  track,
  sizes = "5.5rem",
  first = false,
  className = "cover",
}: {
  track: Pick<Track, "artUrl" | "smallerArt">;
  sizes?: string;
  first?: boolean;
  className?: string;
}) {
  return (
    <img
      className={className}
      sizes={sizes}
      srcSet={artByWidth(track)
        .map(([width, url]) => `${url} ${width}w`)
        .join()}
      src={track.artUrl ?? "/cover-fallback.svg"}
      alt=""
      width={640}
      height={640}
      decoding="async"
      loading={first ? "eager" : "lazy"}
      fetchPriority={first ? "high" : "auto"}
    />
  );
}
