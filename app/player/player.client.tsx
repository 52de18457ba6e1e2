import { forwardRef, useEffect, useImperativeHandle, useRef, useState } from "react";
import type { CarouselSong } from "~/domain/views";
import { formatTime, unlockMs } from "~/player/clock";
import { createController, type PlayerController } from "~/player/controller";
import { createListenApi } from "~/player/listen-api";
import { trackInfoFailed } from "~/player/messages";
import { initialState, type PlayerSnapshot, type PlayerState, snapshotOf } from "~/player/state";
import { createTokenSource } from "~/player/token";
import { webPlaybackDriver } from "~/player/web-playback-driver";

export type { PlayerSnapshot } from "~/player/state";

export interface PlayerHandle {
  /** Starts the song from its beginning. Call it inside the click. */
  play(song: CarouselSong): void;
  /** Ends playback and goes back to idle. */
  stop(): void;
}

export interface PlayerProps {
  nonce: string | undefined;
  sdkUrl: string;
  apiUrl: string;
  /** Called when something in the snapshot has changed. */
  onChange(snapshot: PlayerSnapshot): void;
}

/** The player bar (spec section 2). It stays empty until a song is chosen. */
export const Player = forwardRef<PlayerHandle, PlayerProps>(function Player(props, ref) {
  const { nonce, sdkUrl, apiUrl, onChange } = props;
  const [state, setState] = useState<PlayerState>(initialState);
  const controller = useRef<PlayerController | null>(null);
  const report = useRef(onChange);
  report.current = onChange;
  // A browser hides the nonce once the page is parsed: a later render must not start over.
  const firstNonce = useRef(nonce);

  useEffect(() => {
    const io = { fetch: window.fetch.bind(window), onLoggedOut: () => window.location.reload() };
    const tokens = createTokenSource({ ...io, now: Date.now });
    const driver = webPlaybackDriver({ sdkUrl, apiUrl, nonce: firstNonce.current });
    const made = createController({
      createDriver: (emit) => driver({ getToken: tokens.get, emit }),
      listens: createListenApi(io),
      now: () => performance.now(),
      setTimer(callback, ms) {
        const timer = window.setTimeout(callback, ms);
        return () => window.clearTimeout(timer);
      },
      onState: setState,
    });
    function onVisible() {
      if (document.visibilityState === "visible") made.check();
    }
    controller.current = made;
    made.connect();
    document.addEventListener("visibilitychange", onVisible);
    return () => {
      document.removeEventListener("visibilitychange", onVisible);
      made.dispose();
      controller.current = null;
      setState(initialState);
    };
  }, [sdkUrl, apiUrl]);

  useImperativeHandle(
    ref,
    () => ({
      play: (song) => controller.current?.play(song),
      stop: () => controller.current?.stop(),
    }),
    [],
  );

  const { songId, phase, unlocked, busy } = snapshotOf(state);
  useEffect(() => {
    report.current({ songId, phase, unlocked, busy });
  }, [songId, phase, unlocked, busy]);

  const { song, status } = state;
  return (
    // The status line is there from the start, so that screen readers hear its first message too.
    <div
      className={song ? "player player--open" : "player"}
      {...(song && { role: "region", "aria-label": "Player" })}
    >
      {song && <SongInfo song={song} state={state} />}
      <p className={`player__status player__status--${status.tone}`} role="status">
        {song ? status.text : ""}
      </p>
      {state.showRestart && (
        <button
          className="button player__restart"
          type="button"
          onClick={() => controller.current?.restart()}
        >
          Restart song
        </button>
      )}
    </div>
  );
});

function SongInfo({ song, state }: { song: CarouselSong; state: PlayerState }) {
  const started = state.heardMs > 0 || state.phase === "playing";
  const title = song.title || (started ? trackInfoFailed : "Loading...");
  return (
    <>
      <a className="player__art" href={song.spotifyUrl} target="_blank" rel="noreferrer">
        <img
          src={song.artUrl ?? "/cover-fallback.svg"}
          alt={`Open ${title} at Spotify`}
          width={64}
          height={64}
        />
      </a>
      <div className="player__track">
        <p className="player__title">{title}</p>
        <p className="player__artists">{song.artists.join(", ")}</p>
      </div>
      {started && (
        <>
          <p className="player__time" role="timer">
            {formatTime(state.heardMs / 1000)} / {formatTime(state.totalMs / 1000)}
          </p>
          <progress
            className="player__progress"
            aria-label="Listened, until you can rate"
            max={unlockMs(state.requiredSeconds)}
            value={state.heardMs}
          />
        </>
      )}
    </>
  );
}
