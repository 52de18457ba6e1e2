import { Form, Link } from "@remix-run/react";
import { usePost } from "~/components/form/use-post";
import { Notice } from "~/components/notice";
import { Cover } from "~/components/song/cover";
import { songName } from "~/components/song/song-title";
import { SpotifyCredit } from "~/components/song/spotify-credit";
import type { SearchResult } from "~/domain/submission/add-song.server";
import { counted } from "~/platform/text";

interface AddSongProps {
  /** Why the viewer may not submit right now; null if they may. */
  obstacle: string | null;
  /** Songs rated toward this submission. */
  ratedCount: number;
  /** The viewer may add a song because there was none to rate. */
  noneAvailable: boolean;
  /** The search term; empty before the first search. */
  query: string;
  /** The songs found, or null before the first search. */
  results: SearchResult["results"];
  error: string | null;
  /** Identifies the form, so that submitting it twice adds the song once. */
  submissionKey: string;
}

/** The add-song screen (spec section 2), or why the viewer may not submit right now. */
export function AddSong(props: AddSongProps) {
  const { obstacle, ratedCount, noneAvailable, query, results, error, submissionKey } = props;
  if (obstacle) {
    return (
      <div className="standalone-message">
        <h1>Not yet</h1>
        <p>{obstacle}</p>
        <Link className="button" to="/">
          take me Back to the Carousel
        </Link>
      </div>
    );
  }
  return (
    <div className="add-song">
      <h1>
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
      </search>
      {results ? <Results query={query} results={results} submissionKey={submissionKey} /> : null}
      <Link className="button plain" to="/">
        take me Back to the Carousel
      </Link>
      {results?.length ? <SpotifyCredit /> : null}
    </div>
  );
}

type FoundTrack = NonNullable<SearchResult["results"]>[number];

function Results({
  query,
  results,
  submissionKey,
}: {
  query: string;
  results: NonNullable<SearchResult["results"]>;
  submissionKey: string;
}) {
  if (results.length === 0) {
    return (
      <p role="status">
        No songs found for “<bdi>{query}</bdi>”. Check the spelling, or try the artist's name.
      </p>
    );
  }
  return (
    <ul className="results">
      {results.map((track) => (
        <li className="song compact" key={track.trackId}>
          <Cover track={track} />
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
          </div>
          <SubmitForm track={track} submissionKey={submissionKey} />
        </li>
      ))}
    </ul>
  );
}

function SubmitForm({ track, submissionKey }: { track: FoundTrack; submissionKey: string }) {
  const { busy, error, onSubmit } = usePost(
    ({ submissionId }) => `/?menu=songaddedtopool&submission=${submissionId}`,
  );
  return (
    <form className="play" method="post" action="/submissions" onSubmit={onSubmit}>
      <input type="hidden" name="trackId" value={track.trackId} />
      <input type="hidden" name="key" value={submissionKey} />
      <button className="button plain" type="submit" aria-disabled={busy || undefined}>
        {busy ? "Submitting..." : "Submit this song!"}
        <span className="visually-hidden"> {songName(track)}</span>
      </button>
      {error ? <Notice tone="error">{error}</Notice> : null}
    </form>
  );
}
