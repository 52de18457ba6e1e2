import { Link } from "@remix-run/react";
import type { ReactElement, ReactNode } from "react";
import { Circle, RoundLink } from "~/components/circle";
import { FiveMarks } from "~/components/five-marks";
import { LogoutButton } from "~/components/layout/page";
import { Cover } from "~/components/song/cover";
import { SongTitle } from "~/components/song/song-title";
import { SpotifyCredit } from "~/components/song/spotify-credit";
import type { EmptyPool } from "~/exchange/carousel/empty-pool/empty-pool.server";
import { circleText } from "~/exchange/pool/circle";
import type { SubmissionView } from "~/exchange/submission/submission.server";
import { dayAndMonth } from "~/platform/dates";
import { EmptyPoolOffers } from "~/routes/_index/empty-pool/empty-pool";
import { WayBack } from "./way-back";

interface SongAddedProps extends SubmissionView {
  emptyPool: EmptyPool | null;
  origin: string;
  next: string;
  seconds: number | null;
}

export function SongAdded(props: SongAddedProps) {
  const { track, limited, emptyPool, next, seconds } = props;
  if (limited) {
    return (
      <>
        <Added {...props} heading={<h1>Song Added Successfully!</h1>}>
          <SeeRatings {...props} />
        </Added>
        <div className="standalone-message">
          <h2>No More Songs to Rate</h2>
          <p>Please come back later for more songs to rate.</p>
          {emptyPool?.mail === null ? <a href="/">Rate the songs that are left</a> : null}
          {emptyPool ? <EmptyPoolOffers {...emptyPool} next={next} /> : null}
          <LogoutButton />
        </div>
        <SpotifyCredit songs={[track]} />
      </>
    );
  }
  return (
    <>
      <Added
        {...props}
        heading={
          <h1>
            Success! Your song: "<bdi>{track.title}</bdi>" is added!
          </h1>
        }
      >
        <WayBack seconds={seconds} next={next}>
          <SeeRatings {...props} />
          {circleText(props.members) === null ? null : <RoundLink />}
        </WayBack>
      </Added>
      <SpotifyCredit songs={[track]} />
    </>
  );
}

function SeeRatings({ songId }: Pick<SongAddedProps, "songId">) {
  return (
    <Link className="link-button" to={`/ratings-of-my-songs?song=${songId}#song-${songId}`}>
      See its ratings
    </Link>
  );
}

/** The block of its result, with all that is still to come. */
function Added({
  track,
  number,
  usuallyBy,
  wait,
  members,
  origin,
  heading,
  children,
}: SongAddedProps & { heading: ReactElement; children: ReactNode }) {
  return (
    <section className="result added">
      <Cover track={track} first="(width < 48rem) 5.5rem, 27rem" />
      <p className="name">
        <SongTitle track={track} />
      </p>
      {heading}
      <FiveMarks scores={[]} />
      <div className="added-next">
        <p className="lead">
          {`Five strangers will hear it. ${
            usuallyBy === null
              ? wait
              : `Usually all five ${number > 1 ? "new ones " : ""}are in by ${dayAndMonth(usuallyBy)}.`
          }`}
        </p>
        <Circle members={members} origin={origin} />
        {children}
      </div>
    </section>
  );
}
