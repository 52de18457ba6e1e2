import type { LinksFunction, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { useFreshData } from "~/components/form/use-fresh-data";
import { privateHead } from "~/components/head/head";
import { LoginPrompt } from "~/components/layout/login-prompt";
import { Page } from "~/components/layout/page";
import { errorHead, PageError } from "~/components/layout/page-error";
import type { RouteHandle } from "~/http/route-handle";
import { viewerView } from "~/members/viewer.server";
import { readOwnSong } from "~/results/song-result.server";
import resultCss from "~/styles/result.css";
import { SongPage } from "./song-page";

export const handle: RouteHandle<Awaited<ReturnType<typeof loader>>> = {
  returnTarget: true,
  rateLimits: { GET: [{ limiter: "LIMIT_WIDE", per: "session" }] },
  scripts: ({ viewer }) => viewer !== null,
  playsSongs: ({ viewer }) => viewer !== null,
};

export const links: LinksFunction = () => [{ rel: "stylesheet", href: resultCss }];

export const meta: MetaFunction<typeof loader> = ({ data, error }) =>
  data?.head ?? errorHead(error);

/** The result of one song, for its owner only. */
export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const songId = params.songId ?? "";
  const viewer = await context.viewer();
  if (!viewer) {
    const head = privateHead("Ratings of a song - Fivefold");
    return { viewer: null, songId, ended: context.hasEndedLogin(), head };
  }
  const { db, isActivity } = context;
  const song = await readOwnSong(db, viewer, songId, { now: context.now(), isActivity });
  const view = viewerView(viewer);
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
