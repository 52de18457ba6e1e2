import type { FormEventHandler } from "react";
import { songName } from "~/components/song/song-title";
import type { CarouselSong } from "~/domain/carousel/view";
import { ratingScale } from "~/domain/rating/scale";
import { counted } from "~/platform/text";
import type { SongStatus } from "./song-status";

/** The element id of a song's panel. */
export function ratingPanelId(songId: string): string {
  return `rate-${songId}`;
}

/** The choices for one song, disabled until the song is unlocked. A plain form that posts `score`. */
export function RatingPanel({
  song,
  status,
  onSubmit,
}: {
  song: CarouselSong;
  status: SongStatus;
  /** Takes over the plain form. */
  onSubmit: FormEventHandler<HTMLFormElement>;
}) {
  const unlocked = status.kind === "unlocked";
  const sending = unlocked && status.sending;
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
          Your rating<span className="visually-hidden"> of {songName(song)}</span>
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
          {status.kind === "listening" && status.secondsLeft !== null
            ? `Opens in ${counted(status.secondsLeft, "second")}.`
            : `Opens after ${counted(song.requiredSeconds, "second")} of listening.`}
        </p>
      )}
    </form>
  );
}
