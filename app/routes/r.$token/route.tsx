import type {
  HeadersFunction,
  LinksFunction,
  LoaderFunctionArgs,
  MetaFunction,
} from "@remix-run/cloudflare";
import { Link, useLoaderData } from "@remix-run/react";
import { sharedHead } from "~/components/head/head";
import { Page } from "~/components/layout/page";
import { errorHead, PageError } from "~/components/layout/page-error";
import { RangeBar } from "~/components/result/range-bar";
import { ResultBlock } from "~/components/result/result-block";
import { SpotifyCredit } from "~/components/song/spotify-credit";
import { ratingsPerSubmission } from "~/db/rules";
import type { RouteHandle } from "~/http/route-handle";
import { fullDate } from "~/platform/dates";
import { opinionWords } from "~/results/opinions";
import { inOneLine } from "~/results/sentences";
import { sharePath } from "~/results/share";
import { readShare, type SharedSong } from "~/results/share.server";
import resultCss from "~/styles/result.css";

export const handle: RouteHandle = {
  sameForEverybody: true,
  showsCovers: () => true,
  rateLimits: { GET: [{ limiter: "LIMIT_WIDE", per: "address" }] },
};

export const links: LinksFunction = () => [{ rel: "stylesheet", href: resultCss }];

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
      description: `${shared.range?.sentence ?? inOneLine(shared.verdict)} Rated: ${opinionWords(scores)}`,
      // With other ratings at another address, because previews are kept. Not with its time, which the page does not tell.
      picture: {
        path: `${sharePath(token)}/picture?of=${shared.uploads.map((upload) => upload.scores.join("")).join("-")}`,
        alt: `${inOneLine(shared.verdict)} Rated: ${opinionWords(scores)}`,
      },
    },
    context.config.appOrigin,
  );
  return { shared, path: sharePath(token), head };
}

export default function SharedResultRoute() {
  const { shared, path } = useLoaderData<typeof loader>();
  return (
    <Page viewer={null} current={null} song={shared.track}>
      <SharedResultPage shared={shared} path={path} />
    </Page>
  );
}

export { PageError as ErrorBoundary };

const notShared = {
  title: "Nothing is shared here",
  text: "Its owner has taken it back, or the address is incomplete.",
};

/** A result as everybody with its address sees it (rule 31, shared results). */
function SharedResultPage({ shared, path }: { shared: SharedSong; path: string }) {
  const { track, range, uploads, publishedAt } = shared;
  return (
    <>
      <ResultBlock
        song={track}
        verdict={shared.verdict}
        className="result big"
        cover="(width < 48rem) 92vw, 30rem"
        fives={uploads.map(({ number, scores }) => ({
          key: number,
          scores,
          hidden: Math.max(0, ratingsPerSubmission - scores.length),
          caption: uploads.length > 1 ? <p className="quiet">{`Submission ${number}`}</p> : null,
        }))}
      >
        <div className="actions">
          {track.spotifyUrl === null ? null : (
            <a className="button" href={track.spotifyUrl} target="_blank" rel="noopener">
              Listen on Spotify
              <span className="visually-hidden">
                : <bdi>{track.title}</bdi>
              </span>
            </a>
          )}
          <p className="quiet">
            Shared by its owner on{" "}
            <time dateTime={new Date(publishedAt).toISOString().slice(0, 10)}>
              {fullDate(publishedAt)}
            </time>
            . Only complete fives are counted.
          </p>
          <p className="quiet">
            <Link to={`/notice?at=${encodeURIComponent(path)}`}>Report this page</Link>
          </p>
        </div>
      </ResultBlock>
      <div className="parts">
        {range ? (
          <section>
            <p className="lead">{range.sentence}</p>
            <RangeBar {...range} average={null} />
          </section>
        ) : null}
        <section>
          <p className="lead">
            At Fivefold, musicians listen to each other's songs and rate them anonymously.
          </p>
          <Link className="button plain" to="/">
            Get your own song rated
          </Link>
        </section>
      </div>
      <SpotifyCredit songs={[track]} />
    </>
  );
}
