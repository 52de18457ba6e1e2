import { Link } from "@remix-run/react";
import { usePost } from "~/components/form/use-post";
import { Notice } from "~/components/notice";
import { Cover } from "~/components/song/cover";
import { SongTitle } from "~/components/song/song-title";
import { SpotifyCredit } from "~/components/song/spotify-credit";
import type { PassView } from "~/domain/pass/pass.server";

interface PassProps extends PassView {
  reasons: readonly { reason: string; label: string }[];
  maxReportLength: number;
}

/** Asks why a song cannot be rated, and says what comes of it before anything is pressed. */
export function Pass({ songId, track, obstacle, left, reasons, maxReportLength }: PassProps) {
  const { busy, error, onSubmit } = usePost(() => "/");
  return (
    <div className="add-song">
      <h1>I can't rate this</h1>
      <div className="song compact">
        <Cover track={track} first="5.5rem" />
        <h2>
          <SongTitle track={track} />
        </h2>
      </div>
      {obstacle ? (
        <Notice tone="info">{obstacle}</Notice>
      ) : (
        <form
          className="add-song"
          method="post"
          action={`/songs/${songId}/pass`}
          onSubmit={onSubmit}
        >
          <p>
            The song leaves your list for good, and another one takes its place if there is one. You
            earn nothing by it and lose nothing. Its owner is not told.
          </p>
          <div className="rating">
            <fieldset>
              <legend>Why can't you rate it?</legend>
              {reasons.map(({ reason, label }) => (
                <label key={reason}>
                  <input type="radio" name="reason" value={reason} required />
                  {label}
                </label>
              ))}
            </fieldset>
          </div>
          <p className="field">
            <label htmlFor="words">If you report it: what is wrong with it?</label>
            <input id="words" name="words" maxLength={maxReportLength} autoComplete="off" />
          </p>
          <p className="quiet">
            A report goes to the people who run Fivefold, and to nobody else. {left}
          </p>
          <button className="button" type="submit" aria-disabled={busy || undefined}>
            {busy ? "Sending..." : "Take it off my list"}
          </button>
          {error ? <Notice tone="error">{error}</Notice> : null}
        </form>
      )}
      <Link className="button plain" to="/">
        Back to the Carousel
      </Link>
      <SpotifyCredit />
    </div>
  );
}
