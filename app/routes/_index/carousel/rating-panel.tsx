import { type FormEvent, useState } from "react";
import { Notice } from "~/components/notice";
import { songName } from "~/components/song/song-title";
import type { CarouselSong } from "~/domain/carousel/view";
import { unlockSeconds } from "~/domain/listening/progress";
import { ratingScale } from "~/domain/rating/scale";
import { counted } from "~/platform/text";
import { rateIn } from "~/player/bar/rate-in";
import type { SongStatus } from "./song-status";
import { useChoice } from "./use-choice";

/** Said at every other song while one is played and rated. */
export const blockedText = "wait until current song is played and rated";

/**
 * The choices for one song, disabled until the song is unlocked. A plain form that posts `score`;
 * with JavaScript choosing sends it (`useChoice`).
 */
export function RatingPanel({
  song,
  status,
  compact,
  secondsLeft,
  scripted,
  error,
  onRate,
}: {
  song: CarouselSong;
  status: SongStatus;
  /** Its summary says already that another song comes first. */
  compact: boolean;
  /** Until rating unlocks, while the song plays in this page; else null. */
  secondsLeft: number | null;
  /** The page's scripts run, so that choosing rates at once. */
  scripted: boolean;
  /** Why the rating has not been counted, or null. */
  error: string | null;
  /** Takes over the plain form. */
  onRate(form: HTMLFormElement): void;
}) {
  const unlocked = status.kind === "unlocked";
  const sending = unlocked && status.sending;
  const hintId = `hint-${song.songId}`;
  const choice = useChoice(onRate, sending);
  const [opens] = useState(!unlocked);
  const rateLabel = secondsLeft === null ? "Rate this song" : rateIn(secondsLeft);
  const label = sending ? "Sending..." : rateLabel;

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    onRate(event.currentTarget);
  }

  return (
    <form
      className="rating"
      method="post"
      action={`/songs/${song.songId}/rating`}
      onSubmit={submit}
    >
      <fieldset
        className={opens ? "opens" : ""}
        disabled={!unlocked}
        aria-describedby={hintId}
        {...choice}
      >
        <legend>
          Your rating<span className="visually-hidden"> of {songName(song)}</span>
        </legend>
        {ratingScale.map(({ score, label: choiceLabel }) => (
          <label key={score}>
            <input type="radio" name="score" value={score} required />
            {choiceLabel}
          </label>
        ))}
        <button className="button" type="submit" aria-disabled={sending || undefined}>
          {/* Another element for another text: none of them moves. */}
          <span key={label}>{label}</span>
        </button>
      </fieldset>
      {/* Always a line, so that nothing moves when the rating opens. */}
      <p className="quiet" id={hintId}>
        {status.kind === "blocked" && !compact ? blockedText : hint(song, status, scripted)}
      </p>
      {error ? (
        <div ref={reveal}>
          <Notice tone="error">{error}</Notice>
        </div>
      ) : null}
    </form>
  );
}

/** Brings what has come up out from under the player bar. */
function reveal(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: "nearest" });
}

function hint({ requiredSeconds }: CarouselSong, status: SongStatus, scripted: boolean): string {
  if (status.kind === "unlocked") {
    return scripted ? "Choosing one rates the song at once." : "Choose one, then press the button.";
  }
  return status.kind === "listening"
    ? `Opens in ${counted(status.secondsLeft, "second")}.`
    : `Opens after ${counted(unlockSeconds(requiredSeconds), "second")} of listening.`;
}
