import {
  type ComponentProps,
  type KeyboardEvent,
  type ReactElement,
  type ReactEventHandler,
  type SyntheticEvent,
  useEffect,
  useRef,
  useState,
} from "react";
import { formatTime } from "~/player/bar/format-time";
import { usePlayerAccess } from "~/player/shell/player-access";
import { Slash } from "./slash";

interface SoundProps {
  src: string;
  /** "your recording". */
  name: string;
  seconds: number;
  onError?: ReactEventHandler<HTMLAudioElement>;
  onPlaying?(): void;
  /** It begins by itself, after the press that has led to it. */
  begins?: boolean;
  /** What stands in the place of the slash, where another one is drawn. */
  children?: ReactElement;
}

/** The round button. */
export function Key({ isPlaying, ...button }: ComponentProps<"button"> & { isPlaying: boolean }) {
  return (
    <button className="key loud" {...button}>
      <svg viewBox="0 0 64 64" aria-hidden="true">
        <circle cx={32} cy={32} r={30} />
        <path d={isPlaying ? "M22.5 21H29V43H22.5zM35 21h6.5V43H35z" : "M26 20.5v23L45 32z"} />
      </svg>
    </button>
  );
}

const stepSeconds = 5;

const quiet = { at: 0, state: "idle" as "idle" | "loading" | "playing" };

/** Plays a sound with our own button and slash, or without scripts with the browser's. Nothing comes before one plays it. */
export function Sound({
  src,
  name,
  seconds,
  onError,
  onPlaying,
  begins = false,
  children,
}: SoundProps) {
  const audio = useRef<HTMLAudioElement>(null);
  const { handle, snapshot } = usePlayerAccess();
  const isOtherPlaying = snapshot?.sounding === true;
  const [isOurs, setOurs] = useState(false);
  const [{ at, state }, setHeard] = useState(quiet);
  useEffect(() => {
    if (isOtherPlaying) audio.current?.pause();
  }, [isOtherPlaying]);
  useEffect(() => {
    setOurs(true);
    // By itself it would wait until all of it may have come.
    if (begins) audio.current?.play().catch(() => undefined);
  }, [begins]);

  function read({ currentTarget }: SyntheticEvent<HTMLAudioElement>) {
    const { currentTime, paused, readyState } = currentTarget;
    const isReady = readyState >= HTMLMediaElement.HAVE_FUTURE_DATA;
    setHeard({ at: currentTime, state: paused ? "idle" : isReady ? "playing" : "loading" });
  }

  /** Only one sounds at a time. */
  function silenceOthers(event: SyntheticEvent<HTMLAudioElement>) {
    handle.current?.pause();
    for (const other of document.querySelectorAll("audio")) {
      if (other !== event.currentTarget) other.pause();
    }
    read(event);
  }

  function press() {
    const { current } = audio;
    if (!current?.paused) return current?.pause();
    // What is wrong is told by its event.
    current.play().catch(() => undefined);
  }

  function seek(to: number) {
    const time = Math.min(seconds, Math.max(0, to));
    if (audio.current) audio.current.currentTime = time;
    setHeard((heard) => ({ ...heard, at: time }));
  }

  function onKey(event: KeyboardEvent) {
    const way = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 }[event.key];
    if (!way) return;
    event.preventDefault();
    seek(at + way * stepSeconds);
  }

  const isPlaying = state !== "idle";
  return (
    <div className="sound">
      {/* biome-ignore lint/a11y/useMediaCaption: music, of which there is no text */}
      <audio
        ref={audio}
        controls={!isOurs}
        preload="none"
        autoPlay={begins}
        src={src}
        aria-label={name}
        onPlay={silenceOthers}
        onPlaying={(event) => {
          read(event);
          onPlaying?.();
        }}
        onPause={read}
        onWaiting={read}
        onTimeUpdate={read}
        onError={(event) => {
          setHeard((heard) => ({ ...heard, state: "idle" }));
          onError?.(event);
        }}
      />
      {isOurs ? (
        <>
          <Key
            type="button"
            autoFocus={begins}
            isPlaying={isPlaying}
            data-state={state}
            aria-label={`${isPlaying ? "Pause" : "Play"} ${name}`}
            onClick={press}
          />
          {children ?? (
            <div className="seek">
              <input
                type="range"
                max={seconds}
                step="any"
                value={at}
                aria-label={`Position in ${name}`}
                aria-valuetext={`${formatTime(at)} of ${formatTime(seconds)}`}
                onChange={({ currentTarget }) => seek(currentTarget.valueAsNumber)}
                onKeyDown={onKey}
              />
              <Slash of={at / seconds} />
            </div>
          )}
          <p className="quiet">
            <span>{formatTime(at || seconds)}</span>
            {at > 0 ? <span>{` / ${formatTime(seconds)}`}</span> : null}
          </p>
        </>
      ) : null}
    </div>
  );
}
