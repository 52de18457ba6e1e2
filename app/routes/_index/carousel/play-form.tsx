import type { FormEvent, FormEventHandler, MouseEvent } from "react";
import { songName } from "~/components/song/song-title";
import type { CarouselSong } from "~/exchange/carousel/view";
import type { PlayerSnapshot } from "~/player/machine/state";

const labels: Record<PlayState, string> = {
  idle: "PLAY SONG",
  loading: "Loading...",
  playing: "Pause",
  paused: "Resume",
  heard: "Play again",
};

interface PlayFormProps {
  song: CarouselSong;
  state: PlayState;
  accented: boolean;
  disabled: boolean;
  onPlay: FormEventHandler<HTMLFormElement>;
  onPause(): void;
}

export function PlayForm(props: PlayFormProps) {
  const { song, state, accented, disabled, onPlay, onPause } = props;

  function submit(event: FormEvent<HTMLFormElement>) {
    if (state !== "playing" && state !== "loading") return onPlay(event);
    event.preventDefault();
    if (state === "playing") onPause();
  }

  return (
    <form className="play" method="post" action={`/songs/${song.songId}/play`} onSubmit={submit}>
      <button
        className={accented ? "button" : "button plain"}
        type="submit"
        disabled={disabled}
        data-state={state}
        onClick={ignoreSecondHalf}
      >
        {/* A new element for each text, so that none counts as a layout shift. */}
        <span key={state}>{labels[state]}</span>
        <span className="visually-hidden">{`: ${songName(song)}`}</span>
      </button>
    </form>
  );
}

/** Ignores the second half of a double click: it would pause a song that has just started. */
function ignoreSecondHalf(event: MouseEvent): void {
  if (event.detail > 1) event.preventDefault();
}

type PlayState = "idle" | "loading" | "playing" | "paused" | "heard";

export function playState(
  player: PlayerSnapshot | null,
  { songId, heard }: Pick<CarouselSong, "songId" | "heard">,
): PlayState {
  const rest = heard || player?.heardIds.includes(songId) ? "heard" : "idle";
  if (player?.songId !== songId) return rest;
  const { phase, sounding, held, secondsLeft } = player;
  if (phase === "loading" || phase === "starting") return "loading";
  if (sounding || phase === "playing" || phase === "confirming") return "playing";
  // Without any listening time there is nothing to resume.
  return held || (phase === "interrupted" && secondsLeft !== null) ? "paused" : rest;
}
