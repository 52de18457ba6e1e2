import type { Track } from "~/spotify/track";

/**
 * A track's cover, uncropped and with nothing on top of it, as Spotify's display rules require. It has no
 * alternative text, because the title is always beside it. The fallback picture behind it (song.css) shows if
 * the cover is gone.
 * @param first the width, as in the attribute `sizes`, of the screen's first cover, which is loaded with
 *   priority. All others load lazily and share one width, so that one picture serves on every screen.
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
      // The largest picture is usually this wide.
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
