import { Link } from "@remix-run/react";
import type { RefObject } from "react";
import { Icon } from "~/components/icons";
import type { PlayerController } from "~/player/controller";
import { canMoveToApp, canResume, type PlayerState, playsElsewhere } from "~/player/machine/state";

export interface ControlsProps {
  state: PlayerState;
  controller: RefObject<PlayerController>;
  /** True on screens other than the carousel, where nothing can be rated. */
  offCarousel: boolean;
  onVolume(volume: number): void;
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
  props: Pick<ControlsProps, "state" | "controller" | "offCarousel"> & {
    press(action: () => void): void;
  },
) {
  const { state, controller, offCarousel, press } = props;
  const inApp = state.place === "app";
  const isOpen = state.song && !state.rated;
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
      ) : null}
    </div>
  );
}

function restartLabel(state: PlayerState): string {
  if (playsElsewhere(state)) return "Play it here";
  if (state.place === "app") return "Resume Playback";
  return state.heardMs > 0 ? "Restart song" : "Try again";
}
