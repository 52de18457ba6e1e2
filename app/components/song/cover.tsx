import type { Track } from "~/adapters/spotify/track";

/**
 * A track's cover, uncropped and with nothing on top of it, as Spotify's display rules require. It
 * has no alternative text, because the title always stands beside it. Behind it stands the fallback
 * picture (song.css), which is seen where the cover is gone.
 * @param first how wide it is, as in the attribute `sizes`, if it is the screen's first cover: that is
 *   fetched before all else. The others are fetched when they come near, and all of them say the same
 *   width, so that one picture serves on every screen.
 */
export function Cover({
  track,
  first,
}: {
  track: Pick<Track, "artUrl" | "smallerArt">;
  first?: string | undefined;
}) {
  const src = track.artUrl ?? "/cover-fallback.svg";
  return (
    <img
      className="cover"
      // The largest is as a rule this wide; whoever needs more than the others have takes it.
      srcSet={Object.entries({ ...track.smallerArt, 640: src })
        .map(([width, url]) => `${url} ${width}w`)
        .join()}
      sizes={first ?? "5.5rem"}
      src={src}
      alt=""
      width={640}
      height={640}
      decoding="async"
      {...(first ? { fetchPriority: "high" } : { loading: "lazy" })}
    />
  );
}
