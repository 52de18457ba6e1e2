import { Form, Link } from "@remix-run/react";
import { ConnectSpotify } from "~/components/connect-spotify";
import { useFocusAfter } from "~/components/form/use-focus-after";
import { Notice } from "~/components/notice";
import { SpotifyCredit } from "~/components/song/spotify-credit";
import { roundPath } from "~/exchange/round/round";
import type { AddSongView, MixedSong } from "~/exchange/submission/add-song.server";
import type { SpotifyGap } from "~/members/spotify-gap";
import { counted } from "~/platform/text";
import { Question } from "./question";
import {
  type AddSongLocation,
  BackToSearch,
  type ListedSong,
  OtherPages,
  Place,
  Result,
} from "./results";
import { Drafts, Upload } from "./upload";

interface AddSongProps extends Omit<AddSongView, "viewer" | "results" | "pasted"> {
  results: ListedSong[] | null;
  ratedCount: number;
  /** Set where songs from Spotify can neither be found nor submitted. */
  gap: SpotifyGap | null;
  /** The path of this screen. */
  here: string;
  from: AddSongLocation;
  /** Identifies the form, so that sending it twice adds the song once. */
  submissionKey: string;
  artist: string;
  takesUploads: boolean;
  takesGenerated: boolean;
  /** Of the two ways, this one is meant. */
  isUpload: boolean;
}

function Lead({ round }: Pick<AddSongProps, "round">) {
  return (
    <p className="lead">
      {round ? (
        <>
          <span>For </span>
          <bdi>{round.name}</bdi>
          <span>. It costs nothing:</span>
        </>
      ) : (
        "Now choose the Song you want to submit:"
      )}
    </p>
  );
}

function Back({ round }: Pick<AddSongProps, "round">) {
  return round ? (
    <Link className="button plain small" to={roundPath(round.token)}>
      Back to the round
    </Link>
  ) : (
    <Link className="button plain small" to="/">
      take me Back to the Carousel
    </Link>
  );
}

export function AddSong(props: AddSongProps) {
  const { obstacle, added, ratedCount, noneAvailable, from, place, question, error } = props;
  const heading = useFocusAfter(`${from.albumId} ${from.artistId} ${from.page}`);
  if (obstacle && !props.round) {
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
        {props.mix ? (
          <p>
            <span>Your new mix of </span>“<bdi>{props.mix.title}</bdi>”
            <span> waits until then.</span>
          </p>
        ) : null}
        <Drafts drafts={props.drafts} />
        <Link className="button" to="/">
          take me Back to the Carousel
        </Link>
      </div>
    );
  }
  if (props.mix) return <NewMix {...props} mix={props.mix} />;
  const title = props.round
    ? "Which song is yours?"
    : noneAvailable
      ? "No songs were available to rate"
      : `Great job! You've rated ${counted(ratedCount, "song")}`;
  if (props.gap) {
    return (
      <div className="add-song">
        <h1>{title}</h1>
        <Lead {...props} />
        <Back {...props} />
        <div className="ways">
          {props.takesUploads ? <Upload {...props} /> : null}
          <section>
            <h2>Find it on Spotify</h2>
            <ConnectSpotify {...props.gap} next={props.here} />
          </section>
        </div>
      </div>
    );
  }
  const takesFile = props.takesUploads && !from.query;
  if (question) return <Question {...question} {...props} />;
  const ending = props.results?.length ? <SpotifyCredit /> : null;
  if (place) {
    return (
      <div className="add-song">
        <Back {...props} />
        <Place
          place={place}
          songs={props.results ?? []}
          more={props.more}
          location={from}
          heading={heading}
        />
        {ending}
      </div>
    );
  }
  return (
    <div className="add-song">
      <h1 ref={heading} tabIndex={-1}>
        {title}
      </h1>
      <Lead {...props} />
      <Back {...props} />
      {error ? <Notice tone="error">{error}</Notice> : null}
      <div className="ways">
        {takesFile ? (
          <fieldset className="switch either" aria-label="Two ways">
            <label>
              <input type="radio" name="way" defaultChecked={!props.isUpload} />
              <span>Find it on Spotify</span>
            </label>
            <label>
              <input type="radio" name="way" defaultChecked={props.isUpload} />
              <span>Upload your own</span>
            </label>
          </fieldset>
        ) : null}
        <section>
          <h2>Find it on Spotify</h2>
          <search>
            <Form className="search field" method="get" action="/">
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
        </section>
        {takesFile ? <Upload {...props} /> : null}
      </div>
      {ending}
    </div>
  );
}

function NewMix({ mix, ...props }: AddSongProps & { mix: MixedSong }) {
  const song = `/ratings-of-my-songs/${encodeURIComponent(mix.songId)}`;
  return (
    <div className="add-song">
      <h1>
        A new mix of “<bdi>{mix.title}</bdi>”
      </h1>
      {mix.obstacle ? <Notice tone="info">{mix.obstacle}</Notice> : null}
      {mix.obstacle === null && props.takesUploads ? <Upload {...props} mix={mix} /> : null}
      <Link className="button plain" to={song}>
        Back to the song
      </Link>
    </div>
  );
}

function Results({ from, results, more, ownName, error }: AddSongProps) {
  const isPlace = from.albumId !== null || from.artistId !== null;
  if (results?.length) {
    return (
      <>
        <h3 aria-live="polite">
          <span>{ownName === null ? "Songs found for " : "Songs by "}</span>
          <bdi>{ownName ?? `“${from.query}”`}</bdi>
          {from.page > 1 ? <span>{`, page ${from.page}`}</span> : null}
        </h3>
        <ul className="results">
          {results.map((track, index) => (
            <Result key={track.trackId} track={track} location={from} first={index === 0} />
          ))}
        </ul>
        <OtherPages location={from} more={more} />
      </>
    );
  }
  if (from.page > 1 && !isPlace && !error) {
    return (
      <>
        <p role="status">There are no more songs.</p>
        <OtherPages location={from} more={false} />
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
