import type {
  HeadersFunction,
  LinksFunction,
  LoaderFunctionArgs,
  MetaFunction,
} from "@remix-run/cloudflare";
import { Link, useLoaderData } from "@remix-run/react";
import { utcDate } from "~/components/format/date";
import { sharedHead } from "~/components/head/head";
import { Tally } from "~/components/icons";
import { Page } from "~/components/layout/page";
import { errorHead, PageError } from "~/components/layout/page-error";
import { OpinionDots, OpinionKey } from "~/components/result/opinion-dots";
import { RangeBar } from "~/components/result/range-bar";
import { Cover } from "~/components/song/cover";
import { SongTitle } from "~/components/song/song-title";
import { SpotifyCredit } from "~/components/song/spotify-credit";
import { isTrack } from "~/exchange/song";
import type { RouteHandle } from "~/http/route-handle";
import { countByLabel, opinionWords } from "~/results/opinions";
import { sharePath } from "~/results/share";
import { readShare, type SharedSong } from "~/results/share.server";
import resultCss from "~/styles/result.css";
import sharedCss from "./shared.css";

export const handle: RouteHandle = {
  sameForEverybody: true,
  showsCovers: () => true,
  rateLimits: { GET: [{ limiter: "LIMIT_WIDE", per: "address" }] },
};

export const links: LinksFunction = () =>
  [resultCss, sharedCss].map((href) => ({ rel: "stylesheet", href }));

export const meta: MetaFunction<typeof loader> = ({ data, error }) =>
  data?.head ?? errorHead(error);

/** Crawlers may read the page for previews, but not list it. */
const unlisted = { "X-Robots-Tag": "noindex" };

/** Cached for a minute at the edge (app/http/edge-cache.ts), but not by browsers. */
export const headers: HeadersFunction = ({ errorHeaders }) =>
  errorHeaders ?? { "Cache-Control": "public, max-age=0, s-maxage=60", ...unlisted };

export async function loader({ params, context }: LoaderFunctionArgs) {
  const token = params.token ?? "";
  const shared = await readShare(context.db, token);
  if (!shared) throw Response.json(notShared, { status: 404, headers: unlisted });
  const scores = shared.uploads.flatMap((upload) => upload.scores);
  const head = sharedHead(
    {
      path: sharePath(token) as `/${string}`,
      title: shared.title,
      description: `${shared.range?.sentence ?? shared.verdict} Rated: ${opinionWords(scores)}`,
      picture: isTrack(shared.track) ? shared.track.artUrl : null,
    },
    context.config.appOrigin,
  );
  return { shared, head };
}

export default function SharedResultRoute() {
  return (
    <Page viewer={null} current={null}>
      <SharedResultPage />
    </Page>
  );
}

export { PageError as ErrorBoundary };

const notShared = {
  title: "Nothing is shared here",
  text: "Its owner has taken it back, or the address is incomplete.",
};

/** A result as everybody with its address sees it (rule 31). */
function SharedResultPage() {
  const { shared } = useLoaderData<typeof loader>();
  const { track, range, publishedAt } = shared;
  return (
    <>
      <article className="shared">
        <Cover track={track} first="(width < 48rem) 90vw, 20rem" />
        <div className="song-result-main">
          <h1>
            <SongTitle track={track} />
          </h1>
          <section aria-labelledby="said">
            {range ? <Result {...shared} /> : <LabelList {...shared} />}
          </section>
          {track.spotifyUrl === null ? null : (
            <a className="button" href={track.spotifyUrl} target="_blank" rel="noopener">
              Listen on Spotify
              <span className="visually-hidden">
                : <bdi>{track.title}</bdi>
              </span>
            </a>
          )}
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
      <div className="shared-begin">
        <p>At Fivefold, musicians listen to each other's songs and rate them anonymously.</p>
        <Link className="button plain" to="/">
          Get your own song rated
        </Link>
      </div>
      <SpotifyCredit songs={[track]} />
    </>
  );
}

function Result({ uploads, verdict }: SharedSong) {
  return (
    <>
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
    </>
  );
}

function LabelList({ uploads, verdict }: SharedSong) {
  const scores = uploads.flatMap(({ scores }) => scores);
  return (
    <>
      <Tally count={5} />
      <h2 id="said">{verdict}</h2>
      <ul className="shared-words">
        {countByLabel(scores)
          .filter(({ count }) => count > 0)
          .reverse()
          .map(({ score, label, count }) => (
            <li key={score}>
              <OpinionDots scores={Array(count).fill(score)} />
              <b aria-hidden="true">{label}</b>
            </li>
          ))}
      </ul>
    </>
  );
}
