import { type RefObject, useEffect, useRef, useState } from "react";
import type { ApiCall } from "~/adapters/spotify/requests";
import type { TrackInfo } from "~/adapters/spotify/track";
import type { CarouselSong } from "~/domain/carousel/view";
import { unlockMs } from "~/domain/listening/progress";
import { trackInfoFailed } from "~/player/machine/messages";
import { canMoveToApp, type PlayerState } from "~/player/machine/state";
import { formatTime } from "./format-time";
import { setMediaSession } from "./media-session";
import { fetchTrackInfo } from "./track-info";

export interface PlayerBarProps {
  state: PlayerState;
  /** Says where songs play, if not in the page. */
  banner: string | null;
  call: ApiCall | null;
  onRestart(): void;
  onMoveToApp(): void;
}

/** The player bar (spec section 2). Until a song is chosen it shows only its banner, if any. */
export function PlayerBar({ state, banner, call, onRestart, onMoveToApp }: PlayerBarProps) {
  const { song, status, place } = state;
  const info = useTrackInfo(call, song);
  const playsInPage = state.phase === "playing" && place === "page";
  useEffect(() => {
    if (!playsInPage || !info) return;
    setMediaSession(info === "failed" ? null : info);
    return () => setMediaSession(null);
  }, [playsInPage, info]);
  const bar = useRef<HTMLDivElement>(null);
  useHeightProperty(bar);
  const statusLine = useRef<HTMLParagraphElement>(null);
  /** Moves the focus to the message, because the pressed button is about to disappear. */
  function press(action: () => void) {
    statusLine.current?.focus();
    action();
  }
  const className = song ? "player player--open" : banner ? "player player--banner" : "player";
  return (
    // The status line exists from the start, so that screen readers announce its first message too.
    <div ref={bar} className={className} {...(song && { role: "region", "aria-label": "Player" })}>
      {banner ? <p className="player__banner">{banner}</p> : null}
      {song ? <Song song={song} info={info} state={state} /> : null}
      <p
        ref={statusLine}
        className={`player__status player__status--${status.tone}`}
        role="status"
        tabIndex={-1}
      >
        {status.text}
      </p>
      <div className="player__restart">
        {state.showRestart ? (
          <button className="button" type="button" onClick={() => press(onRestart)}>
            {place === "app" ? "Resume Playback" : "Restart song"}
          </button>
        ) : null}
        {canMoveToApp(state) ? (
          <button className="button plain" type="button" onClick={() => press(onMoveToApp)}>
            Play on my Spotify app instead
          </button>
        ) : null}
      </div>
    </div>
  );
}

interface SongProps {
  song: CarouselSong;
  info: TrackInfo | "failed" | null;
  state: PlayerState;
}

function Song({ song, info, state }: SongProps) {
  const started = state.heardMs > 0 || state.phase === "playing";
  const artUrl = (info !== "failed" && info?.artUrl) || song.artUrl;
  return (
    <>
      <img
        className="player__art"
        src={artUrl ?? "/cover-fallback.svg"}
        alt=""
        width={64}
        height={64}
      />
      <div className="player__track">
        <p className="player__title">
          <a href={song.spotifyUrl} target="_blank" rel="noopener">
            {info === null ? "Loading..." : null}
            {info === "failed" ? trackInfoFailed : <bdi>{info?.title}</bdi>}
            <span className="visually-hidden"> (opens Spotify)</span>
          </a>
        </p>
        <p className="player__artists">
          {info !== null && info !== "failed" ? <bdi>{info.artists.join(", ")}</bdi> : null}
        </p>
      </div>
      {started ? (
        <>
          <p className="player__time" role="timer">
            {formatTime(state.heardMs / 1000)} / {formatTime(state.totalMs / 1000)}
          </p>
          <progress
            className="player__progress"
            aria-label="Listened so far, until you can rate"
            max={unlockMs(state.requiredSeconds)}
            value={state.heardMs}
          />
        </>
      ) : null}
    </>
  );
}

/** Keeps the bar's height in a CSS property, so that the page can leave room for it. */
function useHeightProperty(bar: RefObject<HTMLElement>) {
  useEffect(() => {
    const { style } = document.documentElement;
    const observer = new ResizeObserver(() => {
      style.setProperty("--player-height", `${bar.current?.offsetHeight ?? 0}px`);
    });
    if (bar.current) observer.observe(bar.current);
    return () => {
      observer.disconnect();
      style.removeProperty("--player-height");
    };
  }, [bar]);
}

/** The current data of the song's track at Spotify; null until they have loaded. */
function useTrackInfo(call: ApiCall | null, song: CarouselSong | null) {
  const [loaded, setLoaded] = useState<{ trackId: string; info: TrackInfo | "failed" } | null>(
    null,
  );
  const trackId = song?.trackId ?? null;
  useEffect(() => {
    if (!call || trackId === null) return;
    let current = true;
    fetchTrackInfo(call, trackId).then(
      (info) => current && setLoaded({ trackId, info }),
      () => current && setLoaded({ trackId, info: "failed" }),
    );
    return () => {
      current = false;
    };
  }, [call, trackId]);
  return loaded?.trackId === trackId ? loaded.info : null;
}
