import { Link } from "@remix-run/react";
import { type RefObject, useEffect, useLayoutEffect, useRef } from "react";
import { Icon } from "~/components/icons";
import { ExplicitMark } from "~/components/song/song-title";
import { tinted } from "~/components/song/tinted";
import type { CarouselSong } from "~/exchange/carousel/view";
import { unlockMs } from "~/exchange/listening/progress";
import type { PlayerController } from "~/player/controller";
import { trackInfoFailed } from "~/player/machine/messages";
import {
  canMoveToApp,
  canResume,
  offersInitialize,
  type PlayerState,
  playsElsewhere,
  secondsLeft,
} from "~/player/machine/state";
import type { TrackInfo } from "~/spotify/track";
import { formatTime, rateIn } from "./format-time";

export interface PlayerBarProps {
  state: PlayerState;
  controller: RefObject<PlayerController>;
  banner: string | null;
  info: TrackInfo | "failed" | null;
  next: CarouselSong | null;
  /** True on screens other than the carousel, where nothing can be rated. */
  offCarousel: boolean;
  onVolume(volume: number): void;
}

/** Away from the carousel, whose cards hold the player. Until a song is chosen, only faults are seen. */
export function PlayerBar(props: PlayerBarProps) {
  const { state, controller, banner, info, next, offCarousel, onVolume } = props;
  const { song, status, volume } = state;
  const isIdle =
    !song && !nextSong(state, next) && status.tone === "ok" && !offersInitialize(state);
  const shownBanner = offCarousel ? null : banner;
  const hasNothingToShow = isIdle && (!shownBanner || !next);
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
        hasNothingToShow
          ? "visually-hidden"
          : `player ${song ? `player--open ${tinted(song)}` : ""}${isQuiet ? " player--quiet" : ""}`
      }
      role="region"
      aria-label="Player"
    >
      {shownBanner ? <p className="player__banner">{shownBanner}</p> : null}
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

export function Volume({ volume, onVolume }: { volume: number; onVolume(volume: number): void }) {
  return (
    <label className="player__volume">
      <Icon path="M3 9v6h4l6 5V4L7 9zM16 8v8q4-4 0-8" />
      <input
        type="range"
        aria-label="Volume"
        aria-valuetext={`${Math.round(volume * 100)} %`}
        max={1}
        step={0.05}
        value={volume}
        onChange={(event) => onVolume(event.target.valueAsNumber)}
      />
    </label>
  );
}

export function Actions(
  props: Pick<PlayerBarProps, "state" | "controller" | "next" | "offCarousel"> & {
    press(action: () => void): void;
  },
) {
  const { state, controller, next, offCarousel, press } = props;
  const inApp = state.place === "app";
  const isOpen = state.song && !state.rated;
  const offersNext = !isOpen && nextSong(state, next);
  return (
    <div className="player__actions">
      {canResume(state) && state.showRestart && !inApp ? (
        <button
          className="button"
          type="button"
          onClick={() => press(() => controller.current?.resume())}
        >
          Resume
        </button>
      ) : null}
      {state.showRestart ? (
        <button
          className={canResume(state) && !inApp ? "button plain" : "button"}
          type="button"
          onClick={() => press(() => controller.current?.restart())}
        >
          <span>{restartLabel(state)}</span>
        </button>
      ) : null}
      {canMoveToApp(state) ? (
        <button
          className="button plain"
          type="button"
          onClick={() => press(() => controller.current?.moveToApp())}
        >
          Play on my Spotify app instead
        </button>
      ) : null}
      {state.showRestart && state.song?.explicit ? (
        <Link className="button plain" to={`/songs/${state.song.songId}/pass/reason`}>
          I can't rate this
        </Link>
      ) : null}
      {offCarousel && isOpen && state.unlocked ? (
        <Link className="button" to="/">
          Rate it
        </Link>
      ) : offersNext && !offCarousel ? (
        <button
          className="button player__next"
          type="button"
          onClick={() => press(() => controller.current?.play(offersNext))}
        >
          Play the next song
        </button>
      ) : null}
    </div>
  );
}

function restartLabel(state: PlayerState): string {
  if (playsElsewhere(state)) return "Play it here";
  if (state.place === "app") return "Resume Playback";
  return state.heardMs > 0 ? "Restart song" : "Try again";
}

function nextSong({ heardIds }: PlayerState, next: CarouselSong | null) {
  return heardIds.length > 0 ? next : null;
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
