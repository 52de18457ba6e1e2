import { Form, Link } from "@remix-run/react";
import { useFocusAfter } from "~/components/form/use-focus-after";
import { usePost } from "~/components/form/use-post";
import { Notice } from "~/components/notice";
import { Cover } from "~/components/song/cover";
import { ExplicitMark } from "~/components/song/song-title";
import { SpotifyCredit } from "~/components/song/spotify-credit";
import { SpotifyLink } from "~/components/song/spotify-link";
import type { AddSongView, SubmissionQuestion } from "~/exchange/submission/add-song.server";
import { counted } from "~/platform/text";
import {
  type AddSongLocation,
  addSongPath,
  BackToSearch,
  type ListedSong,
  OtherPages,
  Place,
  Result,
} from "./results";

interface AddSongProps extends Omit<AddSongView, "viewer" | "results" | "pasted"> {
  results: ListedSong[] | null;
  /** Number of songs rated towards this submission. */
  ratedCount: number;
  /** The place on the screen. */
  from: AddSongLocation;
  /** Identifies the form, so that sending it twice adds the song once. */
  submissionKey: string;
}

/** The add-song screen, or the reason why the viewer may not submit right now. */
export function AddSong(props: AddSongProps) {
  const { obstacle, added, ratedCount, noneAvailable, from, place, question, error } = props;
  const heading = useFocusAfter(`${from.albumId} ${from.artistId} ${from.page}`);
  if (obstacle) {
    return (
      <div className="standalone-message">
        {added ? (
          <h1>
            Your song “<bdi>{added}</bdi>” is added
          </h1>
        ) : (
          <h1>Not yet</h1>
        )}
        <p>{obstacle}</p>
        <Link className="button" to="/">
          take me Back to the Carousel
        </Link>
      </div>
    );
  }
  if (question) return <Question {...question} {...props} />;
  const ending = (
    <>
      <Link className="button plain" to="/">
        take me Back to the Carousel
      </Link>
      {props.results?.length ? <SpotifyCredit /> : null}
    </>
  );
  if (place) {
    return (
      <div className="add-song">
        <Place
          place={place}
          songs={props.results ?? []}
          more={props.more}
          spot={from}
          heading={heading}
        />
        {ending}
      </div>
    );
  }
  return (
    <div className="add-song">
      <h1 ref={heading} tabIndex={-1}>
        {noneAvailable
          ? "No songs were available to rate"
          : `Great job! You've rated ${counted(ratedCount, "song")}`}
      </h1>
      <p className="lead">Now choose the Song you want to submit:</p>
      {error ? <Notice tone="error">{error}</Notice> : null}
      <search>
        <Form className="search" method="get" action="/">
          <input type="hidden" name="menu" value="addownsong" />
          <input
            type="search"
            name="q"
            defaultValue={from.query}
            placeholder="Enter A Song or Artist"
            aria-label="Song or artist"
            autoComplete="off"
            maxLength={200}
          />
          <button className="button" type="submit">
            SEARCH
          </button>
        </Form>
        <p className="quiet">Or paste the song's link from Spotify.</p>
      </search>
      <Results {...props} />
      {ending}
    </div>
  );
}

/** The songs found; without any, the way back to the search or to the viewer's own songs. */
function Results({ from, results, more, ownName, error }: AddSongProps) {
  const isPlace = from.albumId !== null || from.artistId !== null;
  if (results?.length) {
    return (
      <>
        <h2 aria-live="polite">
          <span>{ownName === null ? "Songs found for " : "Songs by "}</span>
          <bdi>{ownName ?? `“${from.query}”`}</bdi>
          {from.page > 1 ? <span>{`, page ${from.page}`}</span> : null}
        </h2>
        <ul className="results">
          {results.map((track, index) => (
            <Result key={track.trackId} track={track} spot={from} first={index === 0} />
          ))}
        </ul>
        <OtherPages spot={from} more={more} />
      </>
    );
  }
  if (from.page > 1 && !isPlace && !error) {
    return (
      <>
        <p role="status">There are no more songs.</p>
        <OtherPages spot={from} more={false} />
      </>
    );
  }
  return (
    <>
      {results && !error ? (
        <p role="status">
          No songs found for “<bdi>{ownName ?? from.query}</bdi>”.{" "}
          <span>
            {ownName === null
              ? "Check the spelling, or try the artist's name."
              : "Search for yours by its name."}
          </span>
        </p>
      ) : null}
      {ownName === null ? <BackToSearch query={isPlace ? from.query : ""} /> : null}
    </>
  );
}

interface QuestionProps extends SubmissionQuestion {
  /** The place where the song was chosen. */
  from: AddSongLocation;
  /** Identifies the form, so that sending it twice adds the song once. */
  submissionKey: string;
}

/** Asks whether to submit the chosen song, with what it costs and brings. */
function Question({ track, from, submissionKey, ...terms }: QuestionProps) {
  const { cost, gain, pending, wait, unratable } = terms;
  const { busy, error, onSubmit } = usePost(
    ({ submissionId }) => `/?menu=songaddedtopool&submission=${submissionId}`,
  );
  return (
    <div className="add-song">
      <h1>
        Submit “<bdi>{track.title}</bdi>”?
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
        {unratable ? null : (
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
          <p className="quiet">{wait}</p>
          <form className="play" method="post" action="/submissions" onSubmit={onSubmit}>
            <input type="hidden" name="trackId" value={track.trackId} />
            <input type="hidden" name="key" value={submissionKey} />
            <button
              className="button"
              type="submit"
              aria-disabled={busy || undefined}
              // Ignores the second click of a double click on the song, which may have been in the same
              // place.
              onClick={(event) => event.detail > 1 && event.preventDefault()}
            >
              {busy ? "Submitting..." : "Submit this song!"}
            </button>
          </form>
          {error ? <Notice tone="error">{error}</Notice> : null}
        </>
      )}
      <Link className="button plain" to={addSongPath(from)}>
        Back to the songs
      </Link>
      <SpotifyCredit />
    </div>
  );
}
