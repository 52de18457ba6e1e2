import type { LinksFunction, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { Link, useLoaderData } from "@remix-run/react";
import { useContext } from "react";
import { useFreshData } from "~/components/form/use-fresh-data";
import { useUntouched } from "~/components/form/use-untouched";
import { privateHead } from "~/components/head/head";
import { LoginPrompt } from "~/components/layout/login-prompt";
import { Page } from "~/components/layout/page";
import { errorHead, PageError } from "~/components/layout/page-error";
import { PremiumContext } from "~/components/premium/premium-context";
import { premiumPrice } from "~/components/premium/price";
import { UpgradeLink } from "~/components/premium/upgrade-link";
import { RangeBar } from "~/components/result/range-bar";
import { restingText } from "~/components/result/resting-song";
import { ResultBlock, Tallies } from "~/components/result/result-block";
import { SpotifyCredit } from "~/components/song/spotify-credit";
import { roundPath } from "~/exchange/round/round";
import type { RouteHandle } from "~/http/route-handle";
import { viewerView } from "~/members/viewer.server";
import { dayAndMonth, fullDate } from "~/platform/dates";
import { counted } from "~/platform/text";
import { Sound } from "~/player/alone/sound";
import { countLiked } from "~/results/opinions";
import { verdictOfRound, waitingText, whySealed } from "~/results/sentences";
import type { SongResult, SubmissionResult } from "~/results/song-result";
import { readOwnSong } from "~/results/song-result.server";
import resultCss from "~/styles/result.css";
import { fiveOf, Mixes, mixesOf } from "./mixes";
import { ReasonTallies } from "./reasons";
import { SongActions } from "./song-actions";

export const handle: RouteHandle<Awaited<ReturnType<typeof loader>>> = {
  returnTarget: true,
  rateLimits: { GET: [{ limiter: "LIMIT_WIDE", per: "session" }] },
  scripts: ({ viewer }) => viewer !== null,
  playsSongs: ({ viewer }) => viewer !== null,
};

export const links: LinksFunction = () => [{ rel: "stylesheet", href: resultCss }];

export const meta: MetaFunction<typeof loader> = ({ data, error }) =>
  data?.head ?? errorHead(error);

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const songId = params.songId ?? "";
  const viewer = await context.viewer();
  if (!viewer) {
    const head = privateHead("Ratings of a song - Fivefold");
    const { offers } = context.config;
    return { viewer: null, songId, ended: context.hasEndedLogin(), offers, head };
  }
  const { db, isActivity } = context;
  const song = await readOwnSong(db, viewer, songId, { now: context.now(), isActivity });
  // What is new of other songs is told again elsewhere.
  const view = { ...viewerView(viewer), news: null };
  if (!song) {
    const text = "None of your songs has this address.";
    throw Response.json({ viewer: view, title: "Nothing here", text }, { status: 404 });
  }
  return {
    viewer: view,
    song,
    // Set by the list, on the first look.
    drawn: new URL(request.url).searchParams.has("drawn"),
    origin: context.config.appOrigin,
    head: privateHead(`Ratings of "${song.title}" - Fivefold`),
  };
}

type Loaded = ReturnType<typeof useLoaderData<typeof loader>>;

export default function RatingsOfOneSong() {
  const loaded = useLoaderData<typeof loader>();
  useFreshData(loaded.viewer !== null);
  return (
    <Page viewer={loaded.viewer} current="ratings" song={loaded.viewer ? loaded.song : undefined}>
      {loaded.viewer ? (
        <SongPage {...loaded} />
      ) : (
        <LoginPrompt
          heading="Ratings of a song"
          ended={loaded.ended}
          offers={loaded.offers}
          next={`/ratings-of-my-songs/${encodeURIComponent(loaded.songId)}`}
        >
          <p className="lead">
            Here you will see what the ratings of your song say. Please login to get started.
          </p>
          <p>Only you will see your ratings.</p>
        </LoginPrompt>
      )}
    </Page>
  );
}

export { PageError as ErrorBoundary };

function SongPage({ song, origin, drawn }: Extract<Loaded, { viewer: object }>) {
  const isDrawn = useUntouched() && drawn;
  const sale = useContext(PremiumContext);
  const { songId, received, hidden, result } = song;
  const { scores, submissions, range, comparisons, reasons, inPlaylists, releaseWishes, wait } =
    result;
  const path = `/ratings-of-my-songs/${encodeURIComponent(songId)}`;
  const rest = restingText(song);
  const waits = waitingText(song.waiting);
  const mixes = mixesOf(submissions);
  const isWholeSeen = received > 0 && scores.length === received;
  return (
    <>
      <Link className="back" to="/ratings-of-my-songs">
        Ratings of my songs
      </Link>
      <ResultBlock
        song={song}
        verdict={result.verdict}
        className={isDrawn ? "result drawn" : "result"}
        cover="(width < 48rem) 5.5rem, 27rem"
        fives={submissions.map((submission) => ({
          key: submission.number,
          ...fiveOf(submission),
          caption: <Caption {...submission} isOnly={submissions.length === 1} />,
        }))}
        mixes={mixes.length > 1 ? <Mixes mixes={mixes} /> : null}
      >
        {song.hasFile && mixes.length < 2 ? (
          <Sound
            src={`/songs/${encodeURIComponent(songId)}/audio`}
            name="your recording"
            seconds={song.durationMs / 1000}
          />
        ) : null}
        {rest === null ? null : <p>{rest}</p>}
        {song.sealed > 0 ? <p>{whySealed}</p> : null}
        {inPlaylists ? <p>{inPlaylists}</p> : null}
        {releaseWishes ? <p>{releaseWishes}</p> : null}
      </ResultBlock>
      <div className="parts">
        {song.rounds.map(({ token, name, scores }) => (
          <section key={token} aria-labelledby={token}>
            <h2 id={token}>
              <bdi>{name}</bdi>
            </h2>
            <p className="lead">{verdictOfRound(countLiked(scores))}</p>
            <Tallies scores={scores} hidden={0} />
            <Link to={roundPath(token)}>See the round</Link>
          </section>
        ))}
        {range || comparisons.length > 0 ? (
          <section aria-labelledby="means">
            <h2 id="means">Who else would like it</h2>
            {range ? (
              <>
                <p className="lead">{range.sentence}</p>
                <RangeBar {...range} />
              </>
            ) : null}
            {comparisons.map((sentence) => (
              <p key={sentence}>{sentence}</p>
            ))}
          </section>
        ) : null}
        {isWholeSeen ? (
          <section aria-labelledby="why">
            <h2 id="why">What they named</h2>
            <ReasonTallies counts={reasons} />
            {submissions.length > 1 ? (
              <p className="quiet">{`All ${submissions.some(({ mix }) => mix) ? "mixes" : "submissions"} together.`}</p>
            ) : null}
          </section>
        ) : null}
        {hidden > 0 ? (
          <section aria-labelledby="hidden">
            <h2 id="hidden">{`You have ${counted(hidden, "more rating")}`}</h2>
            <p>
              Only premium users can see all ratings, what listeners liked, and what they would
              improve.
            </p>
            <UpgradeLink next={path} className="button plain" />
            <p className="quiet">{`Fivefold Premium, ${premiumPrice(sale)}`}</p>
          </section>
        ) : null}
        {wait ? <HowLong {...wait} /> : null}
        <SongActions song={song} path={path} origin={origin} />
      </div>
      {waits === null ? null : (
        <p>
          <Link to="/">{waits}</Link>
        </p>
      )}
      <SpotifyCredit songs={[song]} />
    </>
  );
}

function Caption({ number, mix, submittedAt, isOnly }: SubmissionResult & { isOnly: boolean }) {
  return (
    <p className="quiet">
      <span>{isOnly && !mix ? "Submitted on " : `${mix ?? `Submission ${number}`}, `}</span>
      <time dateTime={new Date(submittedAt).toISOString()}>{fullDate(submittedAt)}</time>
    </p>
  );
}

function HowLong({ usuallyBy, usual }: NonNullable<SongResult["wait"]>) {
  return (
    <section aria-labelledby="wait">
      <h2 id="wait">How long it takes</h2>
      {usuallyBy === null ? (
        <p>{usual}</p>
      ) : (
        <>
          <p className="lead">{`Usually by ${dayAndMonth(usuallyBy)}.`}</p>
          <p className="quiet">{usual}</p>
        </>
      )}
    </section>
  );
}
