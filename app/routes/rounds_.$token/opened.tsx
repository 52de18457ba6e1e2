import { Link } from "@remix-run/react";
import { ButtonForm } from "~/components/form/button-form";
import { useUntouched } from "~/components/form/use-untouched";
import { MarkKey } from "~/components/result/mark-key";
import { Tallies } from "~/components/result/result-block";
import { Cover } from "~/components/song/cover";
import { SongTitle } from "~/components/song/song-title";
import { SpotifyCredit } from "~/components/song/spotify-credit";
import { tinted } from "~/components/song/tinted";
import { ratingsPerSubmission } from "~/db/rules";
import { inText, ofAll, roundPath } from "~/exchange/round/round";
import type { MineView, RoundSongView } from "~/exchange/rounds/view.server";
import { inWords } from "~/platform/text";
import { countLiked } from "~/results/opinions";
import { verdictOfRound } from "~/results/sentences";
import type { Loaded } from "./loaded";

/** Once it is open: one's own marks, opened by a press, and then the others' songs, never ranked. */
export function Opened({ round, drawn }: Loaded) {
  const { mine, others, token, taken, listened } = round;
  const isFresh = useUntouched() && drawn;
  if (!mine) return null;
  const path = roundPath(token);
  const shown = others.filter(({ scores }) => scores !== null).length;
  return (
    <>
      <section className={isFresh ? "result opens" : "result"}>
        <Cover track={mine.song} first="5.5rem" />
        <p className="name">
          <SongTitle track={mine.song} />
        </p>
        <Five {...mine} />
        {mine.scores ? (
          <>
            <h1>{verdictOfRound(countLiked(mine.scores))}</h1>
            <MarkKey scores={mine.scores} hidden={0} />
            <ButtonForm action={`${path}/${mine.isShown ? "hide" : "show"}`} to={path}>
              {mine.isShown ? "Keep mine to myself" : "Show mine to the round"}
            </ButtonForm>
            <Rest {...mine} path={path} />
          </>
        ) : (
          <>
            <h1>
              {listened === taken
                ? `All ${inText(taken)} have listened.`
                : `${ofAll(listened, taken)} have listened. The round is over.`}
            </h1>
            <ButtonForm action={`${path}/open`} to={`${path}?drawn`} accented>
              Open yours
            </ButtonForm>
          </>
        )}
      </section>
      {mine.isOpened && others.length > 0 ? (
        <section className="round-part">
          <h2>{`The other ${inText(others.length)}`}</h2>
          <p className="lead">
            {`${mine.isShown ? "The round sees yours. " : ""}${
              shown === 0
                ? "Nobody else has laid theirs open yet."
                : `${inWords(shown)} ${shown === 1 ? "has" : "have"} laid theirs open${shown < others.length ? `; ${inText(others.length - shown)} keep${others.length - shown === 1 ? "s" : ""} them` : ""}.`
            }`}
          </p>
          <ul className="wall">
            {others.map((one) => (
              <li key={one.song.songId} className={tinted(one.song)}>
                <Cover track={one.song} />
                <div>
                  <h3>
                    <SongTitle track={one.song} />
                  </h3>
                  <Five {...one} />
                </div>
              </li>
            ))}
          </ul>
          <SpotifyCredit songs={[mine.song, ...others.map(({ song }) => song)]} />
        </section>
      ) : null}
    </>
  );
}

/** Its marks; closed ones are the same for everybody. */
function Five({ scores, received }: RoundSongView) {
  return (
    <Tallies
      scores={scores ?? []}
      hidden={0}
      sealed={scores ? 0 : Math.min(received, ratingsPerSubmission)}
    />
  );
}

/** What the round left out, the exchange can give. */
function Rest({ scores, song, isAsked, path }: MineView & { path: string }) {
  const missing = ratingsPerSubmission - (scores?.length ?? 0);
  return (
    <>
      {missing > 0 ? (
        <>
          <p>{`${inWords(missing)} of the five ${missing === 1 ? "is" : "are"} missing: somebody has not listened, could not, or had rated it before.`}</p>
          {isAsked ? (
            <p>Musicians outside the round give the rest.</p>
          ) : (
            <>
              <ButtonForm action={`${path}/exchange`} to={path} small>
                Let others give the rest
              </ButtonForm>
              <p className="quiet">Then musicians outside the round hear it and rate it.</p>
            </>
          )}
        </>
      ) : null}
      <Link to={`/ratings-of-my-songs/${encodeURIComponent(song.songId)}`}>
        All ratings of this song
      </Link>
    </>
  );
}
