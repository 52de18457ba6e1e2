import { Link } from "@remix-run/react";
import type { ReactElement } from "react";
import { Tally } from "~/components/icons";
import { LogoutButton } from "~/components/layout/page";
import { Cover } from "~/components/song/cover";
import { ExplicitMark } from "~/components/song/song-title";
import { SpotifyCredit } from "~/components/song/spotify-credit";
import { SpotifyLink } from "~/components/song/spotify-link";
import type { EmptyPool } from "~/exchange/carousel/empty-pool/empty-pool.server";
import type { SubmissionView } from "~/exchange/submission/submission.server";
import { EmptyPoolOffers } from "~/routes/_index/empty-pool/empty-pool-offers";

export interface SongAddedProps extends SubmissionView {
  /** Offers if nothing is left to rate; else null. */
  emptyPool: EmptyPool | null;
  /** The path of this screen. */
  next: string;
  /** The countdown to the carousel, if there is one. */
  countdown: ReactElement | null;
}

/** The confirmation of a submission. */
export function SongAdded(props: SongAddedProps) {
  const { track, limited, emptyPool, next, countdown } = props;
  if (limited) {
    return (
      <div className="standalone-message">
        <h1>Song Added Successfully!</h1>
        <Added {...props} />
        <h2>No More Songs to Rate</h2>
        <p>Please come back later for more songs to rate.</p>
        {emptyPool?.mail === null ? <a href="/">Rate the songs that are left</a> : null}
        {emptyPool ? <EmptyPoolOffers {...emptyPool} next={next} /> : null}
        <LogoutButton />
        <SpotifyCredit />
      </div>
    );
  }
  return (
    <div className="standalone-message">
      <h1>
        Success! Your song: "<bdi>{track.title}</bdi>" is added!
      </h1>
      <Added {...props} />
      <Link className="button" to="/">
        Take me to the Fivefold so I can play and rate more songs
      </Link>
      {countdown}
      <SpotifyCredit />
    </div>
  );
}

/** The song with its five ratings to come, and the user's options. */
function Added(props: SongAddedProps) {
  const { track, songId, number, limited, wait } = props;
  return (
    <div className="song compact">
      <Cover track={track} first="5.5rem" />
      {limited ? (
        <a className="song-title" href={track.spotifyUrl} target="_blank" rel="noopener">
          <bdi>{track.title}</bdi>
        </a>
      ) : (
        <SpotifyLink track={track} />
      )}
      {track.explicit ? (
        <p>
          <ExplicitMark track={track} />
        </p>
      ) : null}
      <p className="no-ratings">
        <Tally count={5} />
        <span>{`0 of 5 ${number > 1 ? "new " : ""}ratings`}</span>
      </p>
      <p className="quiet">{wait}</p>
      <p>
        <Link to={`/ratings-of-my-songs?song=${songId}#song-${songId}`}>See its ratings</Link>
      </p>
    </div>
  );
}
