import { Link } from "@remix-run/react";
import { type ReactNode, type RefObject, useRef } from "react";
import { Icon } from "~/components/icons";
import type { PlayerController } from "~/player/controller";
import { messages } from "~/player/machine/messages";
import {
  canMoveToApp,
  canResume,
  isLost,
  offersInitialize,
  type PlayerState,
  playsElsewhere,
  waitsForNetwork,
} from "~/player/machine/state";
import { useOffline } from "./use-offline";

interface ControlsProps {
  state: PlayerState;
  controller: RefObject<PlayerController>;
  /** True on screens other than the carousel, where nothing can be rated. */
  offCarousel: boolean;
  /** Brings a song back from the listener's own app; null where it cannot play in the page. */
  onPlayHere: (() => void) | null;
  onVolume(volume: number): void;
}

/** Until a song is chosen, the bar shows only faults. */
export function isIdle(state: PlayerState): boolean {
  return !state.song && state.status.tone === "ok" && !offersInitialize(state);
}

/** Whether the card tells the time, and has the volume beside it. */
export function isTimed({ song, rated, reachedMs, phase }: PlayerState): boolean {
  return song !== null && !rated && (reachedMs > 0 || phase === "playing");
}

/** What card and bar have both: how it stands, and what can be done about it. */
export function Controls(props: ControlsProps & { card: boolean; children?: ReactNode }) {
  const { state, controller, offCarousel, onVolume, card, children } = props;
  const { status, volume } = state;
  const statusLine = useRef<HTMLParagraphElement>(null);
  function press(action: () => void) {
    statusLine.current?.focus();
    action();
  }
  const isUnlocked = offCarousel && state.phase === "unlocked" && !state.rated;
  const isOffline = useOffline() && waitsForNetwork(state);
  const tone = isOffline ? "error" : status.tone;
  const ownText = isUnlocked ? "You can rate this song now." : status.text;
  const text = isOffline ? messages.offline : ownText;
  const hidden = !card && isIdle(state);
  const line = (
    <>
      {children}
      <p
        ref={statusLine}
        className={
          hidden
            ? "visually-hidden"
            : card
              ? `status-line ${tone}`
              : `player__status player__status--${tone}`
        }
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
          Reconnect
        </button>
      ) : null}
    </>
  );
  const volumeControl =
    volume === null || (card ? !isTimed(state) : hidden) ? null : (
      <Volume volume={volume} onVolume={onVolume} />
    );
  const actions = <Actions {...props} press={press} />;
  return card ? (
    <>
      <div className="status">
        {line}
        {actions}
      </div>
      {volumeControl}
    </>
  ) : (
    <>
      <PauseButton state={state} controller={controller} />
      <div className="player__line">
        {line}
        {volumeControl}
      </div>
      {actions}
    </>
  );
}

/** One button for both, which keeps the focus. */
function PauseButton({ state, controller }: Pick<ControlsProps, "state" | "controller">) {
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

function Volume({ volume, onVolume }: { volume: number; onVolume(volume: number): void }) {
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

function Actions(
  props: Pick<ControlsProps, "state" | "controller" | "offCarousel" | "onPlayHere"> & {
    card: boolean;
    press(action: () => void): void;
  },
) {
  const { state, controller, offCarousel, onPlayHere, card, press } = props;
  const inApp = state.place === "app";
  // Else the card's PLAY SONG does the same.
  const isNeeded = !card || inApp || state.held || canResume(state);
  const restarts = state.showRestart && isNeeded;
  const isOpen = state.song && !state.rated;
  return (
    <div className="player__actions">
      {canResume(state) && restarts && !inApp ? (
        <button
          className="button"
          type="button"
          onClick={() => press(() => controller.current?.resume())}
        >
          Resume
        </button>
      ) : null}
      {restarts && !isLost(state) ? (
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
      {inApp && restarts && onPlayHere ? (
        <button className="button plain" type="button" onClick={() => press(onPlayHere)}>
          Play in this page
        </button>
      ) : null}
      {state.song && leadsToPass(state) ? (
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

function leadsToPass({ song, showRestart, status }: PlayerState): boolean {
  return status.kind === "undecodable" || (showRestart && song?.explicit === true);
}

function restartLabel(state: PlayerState): string {
  if (playsElsewhere(state)) return "Play it here";
  if (state.place === "app") return "Resume Playback";
  return state.reachedMs > 0 ? "Restart song" : "Try again";
}
