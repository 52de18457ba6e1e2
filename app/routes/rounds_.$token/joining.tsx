import { Link } from "@remix-run/react";
import { ConnectSpotify } from "~/components/connect-spotify";
import { ButtonForm } from "~/components/form/button-form";
import { LoginButton } from "~/components/layout/login-button";
import { Notice } from "~/components/notice";
import { Cover } from "~/components/song/cover";
import { songName } from "~/components/song/song-title";
import { dealText, inText, ofAll, roundPath } from "~/exchange/round/round";
import { dayAndHour } from "~/platform/dates";
import { RoundHeading } from "./heading";
import type { Loaded } from "./loaded";
import { Seats } from "./seats";

/** What who has the link reads first: what it is, who invites, how many are in. */
export function Invitation({ round, viewer, now }: Loaded) {
  const { name, host, taken, seats, token, gatherUntil } = round;
  const isFull = taken >= seats;
  return (
    <div className="round">
      <div className="prose">
        <h1>
          <small>
            {host === null ? (
              "You are invited to"
            ) : (
              <>
                <bdi>{host}</bdi>
                <span> invites you</span>
              </>
            )}
          </small>{" "}
          <bdi>{name}</bdi>
        </h1>
        <p className="lead">{dealText(seats)}</p>
        {isFull ? (
          <>
            <p className="lead">{`All ${inText(seats)} seats are taken.`}</p>
            <Link className="button plain" to="/rounds">
              Open a round of your own
            </Link>
          </>
        ) : (
          <Link className="button" to={`${roundPath(token)}?seat`}>
            Take a seat
          </Link>
        )}
        <p className="quiet">
          {`${ofAll(taken, seats)} are in. Songs are handed in until ${dayAndHour(gatherUntil, now)}. It costs nothing.`}
        </p>
        {viewer ? null : <Link to="/">What is Fivefold?</Link>}
      </div>
      <Seats taken={taken} of={seats} />
    </div>
  );
}

/** Which song is handed in: a file, a track, or one of one's own that are here. */
export function HandIn({ round, viewer, gap, offers }: Loaded) {
  const { name, token, mine, own } = round;
  const path = roundPath(token);
  if (!viewer) {
    return (
      <div className="prose">
        <RoundHeading name={name}>Take a seat.</RoundHeading>
        <p className="lead">Say who you are first. Then you hand in your song.</p>
        <LoginButton offers={offers} next={`${path}?seat`} />
      </div>
    );
  }
  return (
    <div className="prose round-hand-in">
      <RoundHeading name={name}>Which song is yours?</RoundHeading>
      <p className="lead">
        One song. It costs nothing, and until the round begins you can change it.
      </p>
      <ButtonForm action={`${path}/seat`} to="/?menu=addownsong" accented>
        {gap || !offers.uploads ? "Choose a song" : "Choose a file or a song on Spotify"}
      </ButtonForm>
      {gap && !offers.uploads ? <ConnectSpotify {...gap} next={`${path}?seat`} /> : null}
      <p className="quiet">
        A file is heard by everybody. A song on Spotify is heard by those who have Premium there.
      </p>
      {own.length > 0 ? (
        <>
          <h2>Or one that is here</h2>
          <ul className="round-own">
            {own
              .filter(({ names }) => !gap || "recording" in names)
              .map((song) => (
                <li key={Object.values(song.names)[0]}>
                  <Cover track={song} />
                  <bdi>{songName(song)}</bdi>
                  <ButtonForm action={`${path}/hand-in`} fields={song.names} to={path} small>
                    Hand in
                  </ButtonForm>
                </li>
              ))}
          </ul>
        </>
      ) : null}
      {mine ? (
        <Notice tone="info">
          Your song stays <bdi>{songName(mine.song)}</bdi> until you hand in another one.
        </Notice>
      ) : null}
      <Link to={path}>Back to the round</Link>
    </div>
  );
}
