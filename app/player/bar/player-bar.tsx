import { Link } from "@remix-run/react";
import { type ReactNode, type RefObject, useEffect, useLayoutEffect, useRef } from "react";
import { ExplicitMark } from "~/components/song/song-title";
import type { CarouselSong } from "~/exchange/carousel/view";
import type { PlayerState } from "~/player/machine/state";
import type { TrackInfo } from "~/sources/song";
import { formatTime, rateIn } from "./format-time";

export interface PlayerBarProps {
  state: PlayerState;
  offCarousel: boolean;
  info: TrackInfo | null;
  /** In the place of a title that is not known. */
  placeholder: string;
  /** Seconds until the song can be rated, and milliseconds it takes in all. */
  left: number | null;
  neededMs: number;
  hidden: boolean;
  /** Classes of the song's colour. */
  colour: string;
  /** Pause, status, volume and actions. */
  children: ReactNode;
}

/**
 * Away from the carousel, whose cards hold the player. Loaded when it is first shown, so all that it shares with the
 * card is handed in: what two of the bundler's files share is a third.
 */
export function PlayerBar(props: PlayerBarProps) {
  const { state, hidden, colour, children } = props;
  const { song, status } = state;
  const isUnlocked = state.phase === "unlocked" && !state.rated;
  const isQuiet = state.sounding && status.tone === "ok" && !isUnlocked;
  const bar = useRef<HTMLDivElement>(null);
  useHeightProperty(bar);
  return (
    // The status line exists from the start, so that screen readers announce its first message too.
    // biome-ignore lint/a11y/useSemanticElements: a landmark of its own, not a section of a text
    <div
      ref={bar}
      className={
        hidden
          ? "visually-hidden"
          : `player ${song ? `player--open ${colour}` : ""}${isQuiet ? " player--quiet" : ""}`
      }
      role="region"
      aria-label="Player"
    >
      {song ? <Song {...props} song={song} /> : null}
      {children}
    </div>
  );
}

function Song({
  song,
  info,
  placeholder,
  state,
  offCarousel,
  left,
  neededMs,
}: PlayerBarProps & { song: CarouselSong }) {
  const { reachedMs, totalMs, phase, unlocked } = state;
  const artists = info?.artists.join(", ");
  const artUrl = info?.artUrl || song.smallerArt[300] || song.artUrl;
  const time =
    reachedMs > 0 || phase === "playing" ? (
      <span className="player__time" role="timer" translate="no">
        <span>{formatTime(reachedMs / 1000)}</span>
        <small>{` / ${formatTime(totalMs / 1000)}`}</small>
      </span>
    ) : null;
  return (
    <>
      {state.rated ? null : (
        <progress
          className="player__progress"
          aria-label="Listened so far, until you can rate"
          max={neededMs}
          value={unlocked ? neededMs : reachedMs}
        />
      )}
      <img
        className="player__art"
        src={artUrl ?? "/cover-fallback.svg"}
        alt=""
        width={64}
        height={64}
      />
      <div className="player__track">
        <p className="player__title" dir="auto">
          <a href={song.spotifyUrl ?? undefined} target="_blank" rel="noopener">
            <span translate={info ? "no" : undefined}>{info?.title ?? placeholder}</span>
            {song.spotifyUrl === null ? null : (
              <span className="visually-hidden"> (opens Spotify)</span>
            )}
          </a>
        </p>
        <p className="player__artists" dir="auto" title={artists}>
          <ExplicitMark track={song} />
          <span translate="no">{artists}</span>
        </p>
      </div>
      {state.rated ? null : offCarousel ? (
        <Link className="player__wait" to="/">
          {time}
          <span className="player__left">{left === null ? "Go to the song" : rateIn(left)}</span>
          <span className="visually-hidden">: back to the song</span>
        </Link>
      ) : (
        <div className="player__wait">
          {time}
          <p className="player__left">{left === null ? null : rateIn(left)}</p>
        </div>
      )}
    </>
  );
}

/** Keeps the bar's height in a CSS property, so that the page can leave room for the bar. */
function useHeightProperty(bar: RefObject<HTMLElement>) {
  // The observer is told only after the sheet that stands on the bar has been placed.
  useLayoutEffect(() => noteHeight(bar));
  useEffect(() => {
    const observer = new ResizeObserver(() => noteHeight(bar));
    if (bar.current) observer.observe(bar.current);
    return () => {
      observer.disconnect();
      noteHeight(bar);
    };
  }, [bar]);
}

function noteHeight(bar: RefObject<HTMLElement>): void {
  const height = `${bar.current?.offsetHeight ?? 0}px`;
  document.documentElement.style.setProperty("--player-height", height);
}
