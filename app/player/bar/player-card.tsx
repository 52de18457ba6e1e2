import type { ComponentProps } from "react";
import { Controls, isTimed } from "./controls";
import { formatTime } from "./format-time";

/** The player as a part of its song's card, which has cover, title and the button that plays and pauses. */
export function PlayerCard({
  banner,
  ...controls
}: Omit<ComponentProps<typeof Controls>, "card" | "offCarousel"> & { banner: string | null }) {
  const { reachedMs, totalMs } = controls.state;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a landmark of its own, not a section of a text
    <div className="listen" role="region" aria-label="Player">
      {isTimed(controls.state) ? (
        <p className="clock" role="timer" translate="no">
          <span>{formatTime(reachedMs / 1000)}</span>
          <small>{` / ${formatTime(totalMs / 1000)}`}</small>
        </p>
      ) : null}
      <Controls {...controls} offCarousel={false} card>
        {banner ? <p className="quiet">{banner}</p> : null}
      </Controls>
    </div>
  );
}
