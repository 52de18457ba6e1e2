import { Link } from "@remix-run/react";
import { usePost } from "~/components/form/use-post";
import { HandInForm } from "~/components/hand-in-form";
import { Notice } from "~/components/notice";
import { Cover } from "~/components/song/cover";
import { MadeChoice } from "~/components/song/made-choice";
import { ExplicitMark } from "~/components/song/song-title";
import { SpotifyCredit } from "~/components/song/spotify-credit";
import { SpotifyLink } from "~/components/song/spotify-link";
import type { AddSongView, SubmissionQuestion } from "~/exchange/submission/add-song.server";
import { type AddSongLocation, addSongPath } from "./results";

interface QuestionProps extends SubmissionQuestion, Pick<AddSongView, "obstacle" | "round"> {
  from: AddSongLocation;
  /** Identifies the form, so that sending it twice adds the song once. */
  submissionKey: string;
}

export function Question({ track, from, submissionKey, isByOthers, ...terms }: QuestionProps) {
  const { cost, gain, pending, wait, unratable, round, obstacle } = terms;
  const { busy, error, onSubmit } = usePost(
    ({ submissionId }) => `/?menu=songaddedtopool&submission=${submissionId}`,
  );
  return (
    <div className="add-song">
      <h1>
        <span>{round ? "Hand in" : "Submit"}</span> “<bdi>{track.title}</bdi>”?
      </h1>
      <div className="song compact">
        <Cover track={track} first="5.5rem" />
        <p className="quiet">
          <bdi>{track.artists.join(", ")}</bdi>
          {" | "}
          <bdi>{track.album}</bdi>
        </p>
        {track.explicit ? (
          <p>
            <ExplicitMark track={track} />
          </p>
        ) : null}
        <SpotifyLink track={track} />
        {unratable || obstacle ? null : (
          <>
            <p>{gain}</p>
            {pending ? <p>{pending}</p> : null}
            <p>{cost}</p>
          </>
        )}
      </div>
      {unratable ? (
        <Notice tone="error">{unratable}</Notice>
      ) : (
        <>
          {isByOthers ? (
            <Notice tone="info">
              <strong>Is this yours?</strong> Spotify names other artists than you. Submit only
              songs that you have made, alone or with others.
            </Notice>
          ) : null}
          {round ? <HandInForm round={round} song={{ trackId: track.trackId }} /> : null}
          {obstacle ? null : (
            <>
              <p className="quiet">{wait}</p>
              <form className="prose" method="post" action="/submissions" onSubmit={onSubmit}>
                <input type="hidden" name="trackId" value={track.trackId} />
                <input type="hidden" name="key" value={submissionKey} />
                <MadeChoice chosen="people" />
                <button
                  className="button"
                  type="submit"
                  aria-disabled={busy || undefined}
                  // Ignores the second click of a double click on the song, which may have been in the same
                  // place.
                  onClick={(event) => event.detail > 1 && event.preventDefault()}
                >
                  {busy ? "Submitting..." : "Submit your song"}
                </button>
              </form>
              {error ? <Notice tone="error">{error}</Notice> : null}
            </>
          )}
        </>
      )}
      <Link className="button plain" to={addSongPath(from)}>
        Back to the songs
      </Link>
      <SpotifyCredit />
    </div>
  );
}
