import { Form, Link } from "@remix-run/react";
import { Notice } from "~/components/notice";
import { Cover } from "~/components/song/cover";
import { songName } from "~/components/song/song-title";
import { SpotifyCredit } from "~/components/song/spotify-credit";
import type { AddSongView, OfferedSong } from "~/domain/submission/add-song.server";
import { counted } from "~/platform/text";
import { Question } from "./question";

interface AddSongProps extends Omit<AddSongView, "viewer"> {
  /** Songs rated toward this submission. */
  ratedCount: number;
  /** The search term; empty before the first search. */
  query: string;
  /** Identifies the form, so that submitting it twice adds the song once. */
  submissionKey: string;
}

/** The add-song screen (spec section 2), or why the viewer may not submit right now. */
export function AddSong(props: AddSongProps) {
  const { obstacle, ratedCount, noneAvailable, query, question, error, undone } = props;
  const notice = undone ? (
    <Notice tone="ok">Your song was taken back, and the ratings it cost count again.</Notice>
  ) : null;
  if (obstacle) {
    return (
      <div className="standalone-message">
        <h1>Not yet</h1>
        {notice}
        <p>{obstacle}</p>
        <Link className="button" to="/">
          take me Back to the Carousel
        </Link>
      </div>
    );
  }
  if (question) return <Question {...question} {...props} />;
  return (
    <div className="add-song">
      <h1>
        {noneAvailable
          ? "No songs were available to rate"
          : `Great job! You've rated ${counted(ratedCount, "song")}`}
      </h1>
      {notice}
      <p className="lead">Now choose the Song you want to submit:</p>
      {error ? <Notice tone="error">{error}</Notice> : null}
      <search>
        <Form className="search" method="get" action="/">
          <input type="hidden" name="menu" value="addownsong" />
          <input
            type="search"
            name="q"
            defaultValue={query}
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
      <Link className="button plain" to="/">
        take me Back to the Carousel
      </Link>
      {props.results?.length ? <SpotifyCredit /> : null}
    </div>
  );
}

/** What was found, or else the way to the viewer's own songs, where these were not what was looked for. */
function Results({ query, results, ownName, error }: AddSongProps) {
  if (results?.length) {
    return (
      <>
        <h2>
          {ownName === null ? "Songs found" : "Songs by "}
          {ownName === null ? null : <bdi>{ownName}</bdi>}
        </h2>
        <ul className="results">
          {results.map((track, index) => (
            <Result key={track.trackId} track={track} query={query} first={index === 0} />
          ))}
        </ul>
      </>
    );
  }
  return (
    <>
      {results && !error ? (
        <p role="status">
          No songs found for “<bdi>{ownName ?? query}</bdi>”.{" "}
          {ownName === null
            ? "Check the spelling, or try the artist's name."
            : "Search for yours by its name."}
        </p>
      ) : null}
      {ownName === null ? <Link to="/?menu=addownsong">Show my songs</Link> : null}
    </>
  );
}

function Result({ track, query, first }: { track: OfferedSong; query: string; first: boolean }) {
  const chosen = new URLSearchParams({ menu: "addownsong", track: track.trackId });
  if (query) chosen.set("q", query);
  return (
    <li className="song compact">
      <Cover track={track} first={first ? "5.5rem" : undefined} />
      <div className="result-text">
        <a className="song-title" href={track.spotifyUrl} target="_blank" rel="noopener">
          <bdi>{track.title}</bdi>
          <span className="visually-hidden"> (opens Spotify)</span>
        </a>
        <p className="quiet">
          <bdi>{track.artists.join(", ")}</bdi>
          {" | "}
          <bdi>{track.album}</bdi>
        </p>
        {track.submitted ? <p className="quiet">{track.submitted}</p> : null}
      </div>
      <p className="play">
        <Link className="button plain" to={`/?${chosen}`}>
          Submit this song!
          <span className="visually-hidden"> {songName(track)}</span>
        </Link>
      </p>
    </li>
  );
}
