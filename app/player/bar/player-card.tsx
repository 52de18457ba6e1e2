import { useRef } from "react";
import { offersInitialize } from "~/player/machine/state";
import { Actions, type ControlsProps, Volume } from "./controls";
import { formatTime } from "./format-time";

/** The player as a part of its song's card, which has cover, title and the button that plays and pauses. */
export function PlayerCard(props: Omit<ControlsProps, "offCarousel"> & { banner: string | null }) {
  const { state, controller, banner, onVolume } = props;
  const { song, status, volume, heardMs, totalMs } = state;
  const isTimed = song && !state.rated && (heardMs > 0 || state.phase === "playing");
  const statusLine = useRef<HTMLParagraphElement>(null);
  function press(action: () => void) {
    statusLine.current?.focus();
    action();
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a landmark of its own, not a section of a text
    <div className="listen" role="region" aria-label="Player">
      {isTimed ? (
        <p className="clock" role="timer" translate="no">
          <span>{formatTime(heardMs / 1000)}</span>
          <small>{` / ${formatTime(totalMs / 1000)}`}</small>
        </p>
      ) : null}
      <div className="status">
        {banner ? <p className="quiet">{banner}</p> : null}
        <p ref={statusLine} className={`status-line ${status.tone}`} role="status" tabIndex={-1}>
          {/* A new element for each text, so that none counts as a layout shift. */}
          <span key={status.text}>{status.text}</span>
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
        <Actions state={state} controller={controller} offCarousel={false} press={press} />
      </div>
      {song && volume !== null ? <Volume volume={volume} onVolume={onVolume} /> : null}
    </div>
  );
}
