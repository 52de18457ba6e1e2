import type { FormEvent, FormEventHandler, MouseEvent } from "react";
import { songName } from "~/components/song/song-title";
import type { PlayerSnapshot } from "~/player/machine/state";
import type { Song } from "~/sources/song";

const labels: Record<PlayState, string> = {
  idle: "PLAY SONG",
  loading: "Loading...",
  playing: "Pause",
  paused: "Resume",
  heard: "Play again",
};

interface PlayFormProps {
  song: Pick<Song, "artists" | "title"> & { songId: string };
  state: PlayState;
  /** The step that one is led to. */
  loud: boolean;
  disabled?: boolean;
  onPlay: FormEventHandler<HTMLFormElement>;
  onPause(): void;
}

/** One round button that plays, pauses and resumes a song. */
export function PlayForm(props: PlayFormProps) {
  const { song, state, loud, disabled, onPlay, onPause } = props;

  function submit(event: FormEvent<HTMLFormElement>) {
    if (state !== "playing" && state !== "loading") return onPlay(event);
    event.preventDefault();
    if (state === "playing") onPause();
  }

  return (
    <form className="play" method="post" action={`/songs/${song.songId}/play`} onSubmit={submit}>
      <button
        className={loud ? "key loud" : "key"}
        type="submit"
        disabled={disabled}
        data-state={state}
        onClick={ignoreSecondHalf}
      >
        <svg viewBox="0 0 64 64" aria-hidden="true">
          <circle cx={32} cy={32} r={30} />
          <path
            d={state === "playing" ? "M22.5 21H29V43H22.5zM35 21h6.5V43H35z" : "M26 20.5v23L45 32z"}
          />
        </svg>
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
  { songId, heard }: { songId: string; heard: boolean },
): PlayState {
  const rest = heard || player?.heardIds.includes(songId) ? "heard" : "idle";
  if (player?.songId !== songId) return rest;
  const { phase, sounding, held, secondsLeft } = player;
  if (phase === "loading" || phase === "starting") return "loading";
  if (sounding || phase === "playing" || phase === "confirming") return "playing";
  // Without any listening time there is nothing to resume.
  return held || (phase === "interrupted" && secondsLeft !== null) ? "paused" : rest;
}
