import { Link } from "@remix-run/react";
import type { ReactNode } from "react";
import { FiveMarks } from "~/components/five-marks";
import { ButtonForm } from "~/components/form/button-form";
import { Cover } from "~/components/song/cover";
import { SongTitle } from "~/components/song/song-title";
import { ratingsPerSubmission } from "~/db/rules";
import {
  fewestMembers,
  inText,
  listenText,
  mostToHear,
  ofAll,
  roundPath,
} from "~/exchange/round/round";
import type { RoundSongView } from "~/exchange/rounds/view.server";
import { dayAndHour } from "~/platform/dates";
import { inWords } from "~/platform/text";
import { RoundHeading } from "./heading";
import type { Loaded } from "./loaded";
import { Seats } from "./seats";
import { SendLink } from "./send-link";

/** Until it begins: the seats, the link to pass on, and one's own song. */
export function Gathering({ round, now, address }: Loaded) {
  const { name, taken, seats, gatherUntil, isHost, mine, names, token, listenMs } = round;
  const path = roundPath(token);
  const canBegin = isHost && taken >= fewestMembers;
  const free = seats - taken;
  const until = dayAndHour(gatherUntil, now);
  const atOnce =
    seats > fewestMembers
      ? `, from ${inText(fewestMembers)} on when ${isHost ? "you begin it" : "its host begins it"}, or with so many`
      : "; otherwise it ends";
  return (
    <>
      <div className="round">
        <div className="prose">
          <RoundHeading name={name} isHost={isHost}>
            {canBegin
              ? `${inWords(taken)} are in. It can begin.`
              : `${ofAll(taken, seats)} are in.`}
          </RoundHeading>
          <p className="lead">
            {canBegin
              ? `${inWords(free)} seat${free === 1 ? " is" : "s are"} free until ${until}. Then it begins by itself.`
              : `It begins when all ${inText(seats)} are in${atOnce} on ${until}.`}
          </p>
          {canBegin ? (
            <ButtonForm action={`${path}/begin`} to={path} accented>
              Begin now
            </ButtonForm>
          ) : null}
          {mine ? null : (
            <Link className="button" to={`${path}?seat`}>
              Hand in your song
            </Link>
          )}
          <SendLink address={address} name={name} free={free} />
        </div>
        <Seats taken={taken} of={seats} />
      </div>
      {mine ? (
        <section className="round-part">
          <h2>Your song</h2>
          <Own {...mine} />
          <p>
            {`We write to you when it begins. Then you hear up to ${inText(mostToHear)} songs within ${listenText(listenMs)}, those that play for you; each takes about a minute. Your marks open to you once you have.`}
          </p>
          <div className="actions">
            <Link className="button plain small" to={`${path}?seat`}>
              Change
            </Link>
            <Leave path={path}>Your seat is free then, for somebody else or for you again.</Leave>
          </div>
        </section>
      ) : null}
      <section className="round-part">
        <h2>In the round</h2>
        <p>
          <span>
            {taken === 0 ? "Nobody yet." : `${[...names, ...(mine ? ["you"] : [])].join(", ")}.`}
          </span>
        </p>
      </section>
      {isHost ? (
        <div className="actions">
          <End path={path}>It never begins then, and all seats are gone.</End>
        </div>
      ) : null}
    </>
  );
}

function Own({ song }: RoundSongView) {
  return (
    <div className="song compact">
      <Cover track={song} />
      <p>
        <SongTitle track={song} />
      </p>
    </div>
  );
}

function Leave({ path, children }: { path: string; children: string }) {
  return (
    <Sure ask="Leave the round" what={children}>
      <ButtonForm action={`${path}/leave`} to="/rounds?left" small>
        Yes, leave it
      </ButtonForm>
    </Sure>
  );
}

function End({ path, children }: { path: string; children: string }) {
  return (
    <Sure ask="End the round" what={children}>
      <ButtonForm action={`${path}/end`} to={path} small>
        Yes, end it
      </ButtonForm>
    </Sure>
  );
}

/** Asks before what nobody can take back. */
function Sure({ ask, what, children }: { ask: string; what: string; children: ReactNode }) {
  return (
    <details>
      <summary className="link-button">{ask}</summary>
      <p className="quiet">{what}</p>
      {children}
    </details>
  );
}

/** While all listen, and for who is late: how many have, and how many have heard one's own. */
export function Listening({ round, now }: Loaded) {
  const { name, taken, listened, isHost, mine, token, endsAt, isReminded, openedAt } = round;
  const heard =
    mine &&
    (mine.received === 0
      ? "Nobody has"
      : `${inWords(mine.received)} ${mine.received === 1 ? "has" : "have"}`);
  const path = roundPath(token);
  const left = taken - listened;
  const until = dayAndHour(endsAt ?? now, now);
  const isLate = openedAt !== null;
  const isYours = mine !== null && !mine.hasListened;
  return (
    <section className="result">
      {mine ? <Cover track={mine.song} first="(width < 48rem) 5.5rem, 27rem" /> : null}
      {mine ? (
        <p className="name">
          <SongTitle track={mine.song} />
        </p>
      ) : null}
      <RoundHeading
        name={name}
        isHost={isHost}
      >{`${ofAll(listened, taken)} have listened.`}</RoundHeading>
      {mine ? (
        <FiveMarks scores={[]} sealed={Math.min(mine.received, ratingsPerSubmission)} />
      ) : null}
      <p className="lead">
        {isLate
          ? "The round is over. Your marks open once you have heard the songs that are yours to hear."
          : `${mine?.hasListened ? "You are done. " : ""}${heard ? `${heard} heard yours. ` : ""}The marks open for all at once, when everybody has listened, and on ${until} at the latest.`}
      </p>
      {isYours ? (
        <Link className="button" to="/">
          Hear the next song
        </Link>
      ) : null}
      {isHost && !isLate && left > 0 && !isReminded ? (
        <>
          <ButtonForm action={`${path}/remind`} to={path}>
            {left === 1
              ? "Remind the one who has not listened"
              : `Remind the ${inText(left)} who have not listened`}
          </ButtonForm>
          <p className="quiet">
            Once. You do not see who it is, nor any mark; you wait like everybody.
          </p>
        </>
      ) : null}
      {isHost && isReminded && !isLate ? <p role="status">Reminded.</p> : null}
      <div className="actions">
        {mine ? (
          <Leave path={path}>You lose the marks of your song; others keep what you gave.</Leave>
        ) : null}
        {round.mayEnd ? <End path={path}>The marks open now, to all who have listened.</End> : null}
      </div>
    </section>
  );
}

/** For whom nothing happens here any more. */
export function Over({ round }: Loaded) {
  const { name, state, taken, mine } = round;
  const isEnded = state === "ended";
  return (
    <div className="prose">
      <RoundHeading name={name}>
        {isEnded ? "This round is over." : "This round has begun without you."}
      </RoundHeading>
      <p className="lead">
        {isEnded
          ? `It ended with ${taken === 0 ? "nobody" : inText(taken)}, before it began. Nobody owes anything${mine ? ", and you may submit your song as ever" : ""}.`
          : "It takes no more songs."}
      </p>
      <Link className="button" to="/rounds">
        Open a round of your own
      </Link>
    </div>
  );
}
