import { coverPath } from "~/covers/drawn-cover";
import type { Track } from "~/sources/song";

type Art = Pick<Track, "artUrl" | "smallerArt">;

/** The art of an own recording without a picture, by what it is drawn from. */
export function coverOf(hash: string): Art {
  return { artUrl: coverPath(hash), smallerArt: {} };
}

/**
 * Uncropped and with nothing on top, as Spotify's display rules require. The title beside it is its text.
 * `first` is the width (`sizes`) of the screen's first cover, which loads with priority. All others load
 * lazily and share one width, so that one picture serves on every screen.
 */
export function Cover({ track, first }: { track: Art; first?: string | undefined }) {
  const src = track.artUrl ?? "/cover-fallback.svg";
  return (
    <img
      className="cover"
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
