import { Link } from "@remix-run/react";
import { utcDate } from "~/components/format/date";
import { OpinionDots } from "~/components/result/opinion-dots";
import { OpinionKey } from "~/components/result/opinion-key";
import { RangeBar } from "~/components/result/range-bar";
import { Cover } from "~/components/song/cover";
import { SongTitle } from "~/components/song/song-title";
import { SpotifyCredit } from "~/components/song/spotify-credit";
import type { SharedSong } from "~/domain/result/share.server";

/** A result as everybody sees it who has the address (rule 31). */
export function SharedResultPage({ shared }: { shared: SharedSong }) {
  const { track, uploads, verdict, range, publishedAt } = shared;
  return (
    <>
      <article className="shared">
        <Cover track={track} first="(width < 48rem) 90vw, 20rem" />
        <div className="song-result-main">
          <h1>
            <SongTitle track={track} />
          </h1>
          <section aria-labelledby="said">
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
          </section>
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
      <SpotifyCredit />
      <p className="quiet">
        At Fivefold, musicians listen to each other's songs and rate them anonymously.{" "}
        <Link to="/">Find out more</Link>
      </p>
    </>
  );
}
