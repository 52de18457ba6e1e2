import { type FormEvent, type FormEventHandler, useEffect, useRef, useState } from "react";
import { songName } from "~/components/song/song-title";
import type { CarouselSong } from "~/domain/carousel/view";
import type { PlayState } from "./play-state";

const labels: Record<PlayState, string> = {
  idle: "PLAY SONG",
  loading: "Loading...",
  playing: "Playing...",
  paused: "Resume",
  heard: "Play again",
};

/** Time within which a second press is part of a double click, in milliseconds. */
const doubleClickMs = 600;
/** Time for which the question stays, in milliseconds. */
const questionMs = 4_000;

export interface PlayFormProps {
  song: CarouselSong;
  state: PlayState;
  /** True if it is the next step, which gets the accent colour. */
  accented: boolean;
  disabled: boolean;
  /** Handles the form: starts the song, or resumes it. */
  onPlay: FormEventHandler<HTMLFormElement>;
  onRestart(): void;
}

/**
 * PLAY SONG, a button that tells what the song is doing. While it plays, a press asks whether to start over,
 * and a second one does.
 */
export function PlayForm(props: PlayFormProps) {
  const { song, state, accented, disabled, onPlay, onRestart } = props;
  const [asks, setAsks] = useState(false);
  const askedAt = useRef(0);
  const asking = asks && state === "playing";
  useEffect(() => {
    if (!asks) return;
    const dismiss = () => setAsks(false);
    // The song was restarted in the player bar, or stopped.
    if (state !== "playing") return dismiss();
    const onKey = ({ key }: KeyboardEvent) => key === "Escape" && dismiss();
    const timer = window.setTimeout(dismiss, questionMs);
    window.addEventListener("keydown", onKey);
    return () => {
      window.clearTimeout(timer);
      window.removeEventListener("keydown", onKey);
    };
  }, [asks, state]);

  function submit(event: FormEvent<HTMLFormElement>) {
    if (state !== "playing" && state !== "loading") return onPlay(event);
    event.preventDefault();
    if (state === "loading") return;
    if (!asking) askedAt.current = event.timeStamp;
    else if (event.timeStamp - askedAt.current < doubleClickMs) return;
    else onRestart();
    setAsks(!asking);
  }

  return (
    <form className="play" method="post" action={`/songs/${song.songId}/play`} onSubmit={submit}>
      <button
        className={accented ? "button" : "button plain"}
        type="submit"
        disabled={disabled}
        data-state={state}
      >
        {/* A new element for each text, so that none counts as a layout shift. */}
        <span key={state}>{asking ? "Start over?" : labels[state]}</span>
        <span className="visually-hidden">: {songName(song)}</span>
      </button>
    </form>
  );
}
