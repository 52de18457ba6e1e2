import type { LinksFunction, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { Link, useLoaderData } from "@remix-run/react";
import { useFreshData } from "~/components/form/use-fresh-data";
import { useUntouched } from "~/components/form/use-untouched";
import { utcDate } from "~/components/format/date";
import { privateHead } from "~/components/head/head";
import { LoginPrompt } from "~/components/layout/login-prompt";
import { Page } from "~/components/layout/page";
import { errorHead, PageError } from "~/components/layout/page-error";
import { UpgradeLink } from "~/components/premium/upgrade-link";
import { OpinionDots, OpinionKey } from "~/components/result/opinion-dots";
import { RangeBar } from "~/components/result/range-bar";
import { ReceivedTally } from "~/components/result/received-tally";
import { restingText } from "~/components/result/resting-song";
import { Cover } from "~/components/song/cover";
import { SongTitle } from "~/components/song/song-title";
import { SpotifyCredit } from "~/components/song/spotify-credit";
import type { RouteHandle } from "~/http/route-handle";
import { viewerView } from "~/members/viewer.server";
import type { SubmissionResult } from "~/results/song-result";
import { readOwnSong } from "~/results/song-result.server";
import resultCss from "~/styles/result.css";
import { ReasonBars } from "./reason-bars";
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
    const { open } = context.config;
    return { viewer: null, songId, ended: context.hasEndedLogin(), open, head };
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
    <Page viewer={loaded.viewer} current="ratings">
      {loaded.viewer ? (
        <SongPage {...loaded} />
      ) : (
        <LoginPrompt
          heading="Ratings of a song"
          ended={loaded.ended}
          open={loaded.open}
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
  const { songId, title, received, entitled, result } = song;
  const {
    scores,
    submissions,
    range,
    comparisons,
    reasons,
    inPlaylists,
    releaseWishes,
    hidden,
    wait,
  } = result;
  const path = `/ratings-of-my-songs/${encodeURIComponent(songId)}`;
  return (
    <>
      <Link to="/ratings-of-my-songs">Ratings of my songs</Link>
      <article className={`song-result${isDrawn ? " drawn-dots" : ""}`}>
        <header className="song-result-head">
          <Cover track={song} first="(width < 48rem) 5.5rem, 10rem" />
          <div>
            <h1>
              "<bdi>{title}</bdi>"
            </h1>
            <p>
              <SongTitle track={song} />
            </p>
            <p className="quiet">
              <ReceivedTally
                received={received}
                entitled={entitled}
                drawn={isDrawn}
                more={restingText(song)}
              />
            </p>
          </div>
        </header>
        <div className="song-result-main">
          <section aria-labelledby="said">
            <h2 id="said">{result.verdict}</h2>
            <ol className="submissions">
              {submissions.map((submission) => (
                <Submission
                  key={submission.number}
                  {...submission}
                  isOnly={submissions.length === 1}
                />
              ))}
            </ol>
            {scores.length > 0 ? <OpinionKey scores={scores} /> : null}
            {inPlaylists ? <p>{inPlaylists}</p> : null}
            {releaseWishes ? <p>{releaseWishes}</p> : null}
          </section>
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
          {reasons ? (
            <section aria-labelledby="why">
              <h2 id="why">What was liked, and what could be better</h2>
              <ReasonBars {...reasons} />
            </section>
          ) : null}
          {hidden ? (
            <div className="locked-ratings">
              <p>{hidden}</p>
              <UpgradeLink next={path} />
            </div>
          ) : null}
        </div>
        <div className="song-result-main">
          {wait ? (
            <section aria-labelledby="wait">
              <h2 id="wait">How long it takes</h2>
              <p>{wait}</p>
            </section>
          ) : null}
          <SongActions song={song} path={path} origin={origin} />
        </div>
      </article>
      <SpotifyCredit songs={[song]} />
    </>
  );
}

function Submission({
  number,
  mix,
  submittedAt,
  received,
  scores,
  isOnly,
}: SubmissionResult & {
  /** True if the sentence above already says how many ratings are shown. */
  isOnly: boolean;
}) {
  return (
    <li>
      <p className="quiet">
        <span>{`${mix ?? `Submission ${number}`}, `}</span>
        <time dateTime={new Date(submittedAt).toISOString()}>{utcDate(submittedAt)}</time>
        <span>
          {received === 0
            ? ": no ratings yet"
            : received > scores.length && !isOnly
              ? `: you see ${scores.length} of ${received}`
              : null}
        </span>
      </p>
      <OpinionDots scores={scores} />
    </li>
  );
}
