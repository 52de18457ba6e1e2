import type {
  HeadersFunction,
  LinksFunction,
  LoaderFunctionArgs,
  MetaFunction,
} from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { sharedHead } from "~/components/head/head";
import { Page } from "~/components/layout/page";
import { errorHead, PageError } from "~/components/layout/page-error";
import type { RouteHandle } from "~/http/route-handle";
import { opinionWords } from "~/results/opinions";
import { sharePath } from "~/results/share";
import { readShare } from "~/results/share.server";
import resultCss from "~/styles/result.css";
import sharedCss from "./shared.css";
import { SharedResultPage } from "./shared-result";

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

/** A result that its owner has published, for everybody with the address. */
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
      picture: shared.track.artUrl,
    },
    context.config.appOrigin,
  );
  return { shared, head };
}

export default function SharedResultRoute() {
  const { shared } = useLoaderData<typeof loader>();
  return (
    <Page viewer={null} current={null}>
      <SharedResultPage shared={shared} />
    </Page>
  );
}

export { PageError as ErrorBoundary };

const notShared = {
  title: "Nothing is shared here",
  text: "Its owner has taken it back, or the address is incomplete.",
};
