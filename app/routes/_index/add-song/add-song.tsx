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
        <a className="button" href="/">
          take me Back to the Carousel
        </a>
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
        <form className="search" method="get" action="/">
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
        </form>
      </search>
      {results ? <Results query={query} results={results} submissionKey={submissionKey} /> : null}
      <a className="button plain" href="/">
        take me Back to the Carousel
      </a>
      {results?.length ? <SpotifyCredit /> : null}
    </div>
  );
}

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
          <form className="play" method="post" action="/submissions">
            <input type="hidden" name="trackId" value={track.trackId} />
            <input type="hidden" name="key" value={submissionKey} />
            <button className="button plain" type="submit">
              Submit this song!<span className="visually-hidden"> {songName(track)}</span>
            </button>
          </form>
        </li>
      ))}
    </ul>
  );
}
