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

/** A second press that comes sooner is the second half of a double click. */
const doubleClickMs = 600;
/** How long the question stays. */
const questionMs = 4_000;

export interface PlayFormProps {
  song: CarouselSong;
  state: PlayState;
  /** It is the next step, and so in the accent colour. */
  accented: boolean;
  disabled: boolean;
  /** Takes over the plain form: starts the song, or takes up what was paused. */
  onPlay: FormEventHandler<HTMLFormElement>;
  onRestart(): void;
}

/**
 * PLAY SONG, a button that says what the song is doing. While it plays, a press only asks whether to
 * start over, and another one does it.
 */
export function PlayForm(props: PlayFormProps) {
  const { song, state, accented, disabled, onPlay, onRestart } = props;
  const [asks, setAsks] = useState(false);
  const askedAt = useRef(0);
  const asking = asks && state === "playing";
  useEffect(() => {
    if (!asks) return;
    const takeBack = () => setAsks(false);
    // Started over from the player bar, or stopped.
    if (state !== "playing") return takeBack();
    const onKey = ({ key }: KeyboardEvent) => key === "Escape" && takeBack();
    const timer = window.setTimeout(takeBack, questionMs);
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
        {/* Another element for another text: none of them moves. */}
        <span key={state}>{asking ? "Start over?" : labels[state]}</span>
        <span className="visually-hidden">: {songName(song)}</span>
      </button>
    </form>
  );
}
