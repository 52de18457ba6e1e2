import { Link } from "@remix-run/react";
import { type RefObject, useEffect, useLayoutEffect, useRef } from "react";
import { Icon } from "~/components/icons";
import { ExplicitMark } from "~/components/song/song-title";
import { tinted } from "~/components/song/tinted";
import type { CarouselSong } from "~/exchange/carousel/view";
import { unlockMs } from "~/exchange/listening/progress";
import { trackInfoFailed } from "~/player/machine/messages";
import { offersInitialize, type PlayerState, secondsLeft } from "~/player/machine/state";
import type { TrackInfo } from "~/spotify/track";
import { Actions, type ControlsProps, Volume } from "./controls";
import { formatTime, rateIn } from "./format-time";

export interface PlayerBarProps extends ControlsProps {
  info: TrackInfo | "failed" | null;
}

/** Away from the carousel, whose cards hold the player. Until a song is chosen, only faults are seen. */
export default function PlayerBar(props: PlayerBarProps) {
  const { state, controller, info, offCarousel, onVolume } = props;
  const { song, status, volume } = state;
  const isIdle = !song && status.tone === "ok" && !offersInitialize(state);
  const isUnlocked = state.phase === "unlocked" && !state.rated;
  const isQuiet = state.sounding && status.tone === "ok" && !isUnlocked;
  const text = isUnlocked && offCarousel ? "You can rate this song now." : status.text;
  const bar = useRef<HTMLDivElement>(null);
  useHeightProperty(bar);
  const statusLine = useRef<HTMLParagraphElement>(null);
  function press(action: () => void) {
    statusLine.current?.focus();
    action();
  }
  return (
    // The status line exists from the start, so that screen readers announce its first message too.
    // biome-ignore lint/a11y/useSemanticElements: a landmark of its own, not a section of a text
    <div
      ref={bar}
      className={
        isIdle
          ? "visually-hidden"
          : `player ${song ? `player--open ${tinted(song)}` : ""}${isQuiet ? " player--quiet" : ""}`
      }
      role="region"
      aria-label="Player"
    >
      {song ? <Song song={song} info={info} state={state} offCarousel={offCarousel} /> : null}
      <PauseButton {...props} />
      <div className="player__line">
        <p
          ref={statusLine}
          className={isIdle ? "visually-hidden" : `player__status player__status--${status.tone}`}
          role="status"
          tabIndex={-1}
        >
          {/* A new element for each text, so that none counts as a layout shift. */}
          <span key={text}>{text}</span>
        </p>
        {offersInitialize(state) ? (
          <button
            className="link-button"
            type="button"
            onClick={() => press(() => controller.current?.initialize())}
          >
            Initialize player
          </button>
        ) : null}
        {volume === null || isIdle ? null : <Volume volume={volume} onVolume={onVolume} />}
      </div>
      <Actions {...props} press={press} />
    </div>
  );
}

/** One button for both, which keeps the focus. */
function PauseButton({ state, controller }: PlayerBarProps) {
  const { held, sounding } = state;
  if (!held && !sounding) return null;
  return (
    <button
      className="player__pause"
      type="button"
      aria-label={held ? "Resume" : "Pause"}
      onClick={() => (held ? controller.current?.resume() : controller.current?.pause())}
    >
      <Icon path={held ? "M7 4v16l13-8z" : "M6 4h4v16H6zM14 4h4v16h-4z"} />
    </button>
  );
}

interface SongProps {
  song: CarouselSong;
  info: TrackInfo | "failed" | null;
  state: PlayerState;
  offCarousel: boolean;
}

function Song({ song, info, state, offCarousel }: SongProps) {
  const { heardMs, totalMs, phase, unlocked, requiredSeconds } = state;
  const artists = info !== null && info !== "failed" ? info.artists.join(", ") : undefined;
  const artUrl = (info !== "failed" && info?.artUrl) || song.smallerArt[300] || song.artUrl;
  const left = phase === "failed" ? null : secondsLeft(state);
  const time =
    heardMs > 0 || phase === "playing" ? (
      <span className="player__time" role="timer" translate="no">
        <span>{formatTime(heardMs / 1000)}</span>
        <small>{` / ${formatTime(totalMs / 1000)}`}</small>
      </span>
    ) : null;
  return (
    <>
      {state.rated ? null : (
        <progress
          className="player__progress"
          aria-label="Listened so far, until you can rate"
          max={unlockMs(requiredSeconds)}
          value={unlocked ? unlockMs(requiredSeconds) : heardMs}
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
            <span translate={info === null || info === "failed" ? undefined : "no"}>
              {info === null ? "Loading..." : info === "failed" ? trackInfoFailed : info.title}
            </span>
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
