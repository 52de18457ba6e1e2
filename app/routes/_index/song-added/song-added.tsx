import { Link, useNavigate } from "@remix-run/react";
import { useEffect, useRef, useState } from "react";
import { Tally } from "~/components/icons";
import { LogoutButton } from "~/components/layout/page";
import { Cover } from "~/components/song/cover";
import { ExplicitMark } from "~/components/song/song-title";
import { SpotifyCredit } from "~/components/song/spotify-credit";
import { SpotifyLink } from "~/components/song/spotify-link";
import type { EmptyPool } from "~/exchange/carousel/empty-pool/empty-pool.server";
import type { SubmissionView } from "~/exchange/submission/submission.server";
import { EmptyPoolOffers } from "~/routes/_index/empty-pool/empty-pool";

interface SongAddedProps extends SubmissionView {
  emptyPool: EmptyPool | null;
  next: string;
  seconds: number | null;
}

export function SongAdded(props: SongAddedProps) {
  const { track, limited, emptyPool, next, seconds } = props;
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
        <SpotifyCredit songs={[props.track]} />
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
      {seconds === null ? null : <Countdown seconds={seconds} next={next} />}
      <SpotifyCredit songs={[props.track]} />
    </div>
  );
}

function Added(props: SongAddedProps) {
  const { track, songId, number, limited, wait } = props;
  return (
    <div className="song compact">
      <Cover track={track} first="5.5rem" />
      {limited && track.spotifyUrl !== null ? (
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

/**
 * Returns to the carousel after `seconds`, unless the user stops it by the link or by anything that shows that
 * they read on.
 */
function Countdown({ seconds, next }: { seconds: number; next: string }) {
  const [left, setLeft] = useState<number | null>(seconds);
  const navigate = useNavigate();
  useEffect(() => {
    if (left === null) return;
    if (left <= 0) {
      navigate("/", { replace: true });
      return;
    }
    const timer = window.setTimeout(() => setLeft(left - 1), 1000);
    return () => window.clearTimeout(timer);
  }, [left, navigate]);
  const stayLink = useRef<HTMLAnchorElement>(null);
  const isPressed = useRef(false);
  useEffect(() => {
    const stay = ({ target }: Event) => {
      // A press on the link also moves the focus.
      if (target !== stayLink.current) setLeft(null);
    };
    const signs = ["keydown", "pointerdown", "wheel"];
    for (const sign of signs) window.addEventListener(sign, stay);
    return () => {
      for (const sign of signs) window.removeEventListener(sign, stay);
    };
  }, []);
  return (
    <p className="quiet">
      {left === null ? (
        <span role="status" tabIndex={-1} ref={(text) => isPressed.current && text?.focus()}>
          Staying on this page.
        </span>
      ) : (
        <>
          {/* Screen readers announce it once, not every second. */}
          <span aria-hidden="true">{`Back to the carousel in ${left}… `}</span>
          <span className="visually-hidden">{`The carousel comes back by itself after ${seconds} seconds. `}</span>
          <Link
            ref={stayLink}
            to={`${next}&stay`}
            onClick={(event) => {
              event.preventDefault();
              isPressed.current = true;
              setLeft(null);
            }}
          >
            Stay here
          </Link>
        </>
      )}
    </p>
  );
}
