import { Link } from "@remix-run/react";
import { utcDate } from "~/components/format/date";
import { Tally } from "~/components/icons";
import { OpinionDots, OpinionKey } from "~/components/result/opinion-dots";
import { RangeBar } from "~/components/result/range-bar";
import { Cover } from "~/components/song/cover";
import { SongTitle } from "~/components/song/song-title";
import { SpotifyCredit } from "~/components/song/spotify-credit";
import { countByLabel } from "~/results/opinions";
import type { SharedSong } from "~/results/share.server";

/** A result as everybody with its address sees it (rule 31). */
export function SharedResultPage({ shared }: { shared: SharedSong }) {
  const { track, range, publishedAt } = shared;
  return (
    <>
      <article className="shared">
        <Cover track={track} first="(width < 48rem) 90vw, 20rem" />
        <div className="song-result-main">
          <h1>
            <SongTitle track={track} />
          </h1>
          <section aria-labelledby="said">
            {range ? <Result {...shared} /> : <Words {...shared} />}
          </section>
          <a className="button" href={track.spotifyUrl} target="_blank" rel="noopener">
            Listen on Spotify
            <span className="visually-hidden">
              : <bdi>{track.title}</bdi>
            </span>
          </a>
          {range ? (
            <section>
              <p>{range.sentence}</p>
              <RangeBar {...range} average={null} />
            </section>
          ) : null}
          <p className="quiet">
            Shared by its owner on{" "}
            <time dateTime={new Date(publishedAt).toISOString().slice(0, 10)}>
              {utcDate(publishedAt)}
            </time>
            .
          </p>
        </div>
      </article>
      <div className="shared-begin">
        <p>At Fivefold, musicians listen to each other's songs and rate them anonymously.</p>
        <Link className="button plain" to="/">
          Get your own song rated
        </Link>
      </div>
      <SpotifyCredit />
    </>
  );
}

/** A result with enough ratings for a verdict: five dots in a row. */
function Result({ uploads, verdict }: SharedSong) {
  return (
    <>
      <h2 id="said">{verdict}</h2>
      <ol className="submissions">
        {uploads.map(({ number, scores }) => (
          <li key={number}>
            {uploads.length > 1 ? <p className="quiet">{`Submission ${number}`}</p> : null}
            <OpinionDots scores={scores} />
          </li>
        ))}
      </ol>
      <OpinionKey scores={uploads.flatMap(({ scores }) => scores)} />
    </>
  );
}

/** A result with fewer ratings: the label of each, the best first. */
function Words({ uploads, verdict }: SharedSong) {
  const scores = uploads.flatMap(({ scores }) => scores);
  return (
    <>
      <Tally count={5} />
      <h2 id="said">{verdict}</h2>
      <ul className="shared-words">
        {countByLabel(scores)
          .filter(({ count }) => count > 0)
          .reverse()
          .map(({ score, label, count }) => (
            <li key={score}>
              <OpinionDots scores={Array(count).fill(score)} />
              <b aria-hidden="true">{label}</b>
            </li>
          ))}
      </ul>
    </>
  );
}
