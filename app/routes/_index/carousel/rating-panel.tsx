import type { FormEventHandler } from "react";
import { songName } from "~/components/song/song-title";
import type { CarouselSong } from "~/domain/carousel/view";
import { ratingScale } from "~/domain/rating/scale";
import { counted } from "~/platform/text";

/** The element id of a song's panel. */
export function ratingPanelId(songId: string): string {
  return `rate-${songId}`;
}

/**
 * The four choices for one song. Closed until the song has been heard; `secondsLeft` is what is
 * still to hear of a running listen, null when none runs. A plain form that posts `score` (1 to 4);
 * `onSubmit` lets a script take over.
 */
export function RatingPanel({
  song,
  unlocked,
  secondsLeft = null,
  sending = false,
  onSubmit,
}: {
  song: CarouselSong;
  unlocked: boolean;
  secondsLeft?: number | null;
  /** The rating is on its way. */
  sending?: boolean;
  onSubmit?: FormEventHandler<HTMLFormElement> | undefined;
}) {
  const hintId = `hint-${song.songId}`;
  return (
    <form
      className="rating"
      id={ratingPanelId(song.songId)}
      method="post"
      action={`/songs/${song.songId}/rating`}
      onSubmit={onSubmit}
    >
      <fieldset disabled={!unlocked} aria-describedby={unlocked ? undefined : hintId}>
        <legend>
          Your rating<span className="unseen"> of {songName(song)}</span>
        </legend>
        {ratingScale.map(({ score, label }) => (
          <label key={score}>
            <input type="radio" name="score" value={score} required />
            {label}
          </label>
        ))}
        <button className="button" type="submit" aria-disabled={sending || undefined}>
          {sending ? "Sending..." : "Rate this song"}
        </button>
      </fieldset>
      {unlocked ? null : (
        <p className="quiet" id={hintId}>
          {secondsLeft === null
            ? `Opens after ${counted(song.requiredSeconds, "second")} of listening.`
            : `Opens in ${counted(secondsLeft, "second")}.`}
        </p>
      )}
    </form>
  );
}
