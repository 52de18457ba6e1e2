import { Link } from "@remix-run/react";
import { LogoutButton } from "~/components/layout/logout-button";
import { SpotifyCredit } from "~/components/song/spotify-credit";
import type { Meanwhile } from "~/domain/song-wish/meanwhile";
import { counted } from "~/platform/text";
import { MeanwhileOffers } from "~/routes/_index/meanwhile";

export interface SongAddedProps {
  title: string;
  spotifyUrl: string;
  /** Show the "No More Songs" confirmation (spec section 4, "Upload eligibility"). */
  limited: boolean;
  /** What the viewer can do meanwhile; null unless the confirmation is that one. */
  meanwhile: Meanwhile | null;
  /** The path of this screen. */
  next: string;
  /** Until the carousel comes back by itself; null if it does not. */
  secondsLeft: number | null;
}

/** The confirmation of a submission (spec section 2, "Song-added confirmation"). */
export function SongAdded({
  title,
  spotifyUrl,
  limited,
  meanwhile,
  next,
  secondsLeft,
}: SongAddedProps) {
  if (limited) {
    return (
      <div className="standalone-message">
        <h1>Song Added Successfully!</h1>
        <h2>No More Songs to Rate</h2>
        <p>Please come back later for more songs to rate.</p>
        {meanwhile?.mail === null ? <a href="/">Rate the songs that are left</a> : null}
        {meanwhile ? <MeanwhileOffers {...meanwhile} next={next} /> : null}
        <LogoutButton />
      </div>
    );
  }
  return (
    <div className="standalone-message">
      <h1>
        Success! Your song: "
        <a href={spotifyUrl} target="_blank" rel="noopener">
          <bdi>{title}</bdi>
        </a>
        " is added!
      </h1>
      <Link className="button" to="/">
        Take me to the Fivefold so I can play and rate more songs
      </Link>
      {secondsLeft === null ? null : (
        <p className="quiet">{`Back to the carousel in ${counted(secondsLeft, "second")}.`}</p>
      )}
      <SpotifyCredit />
    </div>
  );
}
