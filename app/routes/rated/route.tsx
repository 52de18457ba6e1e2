import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { privateHead } from "~/components/head/head";
import { LoginPrompt } from "~/components/layout/login-prompt";
import { Page } from "~/components/layout/page";
import { errorHead, PageError } from "~/components/layout/page-error";
import type { RouteHandle } from "~/http/route-handle";
import { savedAmong } from "~/library/favorite.server";
import { ratingsGiven } from "~/library/given.server";
import { viewerView } from "~/members/viewer.server";
import { placeFrom, placeText } from "~/results/received";
import { RatedSongs } from "./rated-songs";

export const handle: RouteHandle<Awaited<ReturnType<typeof loader>>> = {
  crawlers: "disallowed",
  returnTarget: true,
  // Asks Spotify for the favorites.
  rateLimits: { GET: [{ limiter: "LIMIT_NORMAL", per: "session", query: "favorite" }] },
  scripts: ({ viewer }) => viewer !== null,
  playsSongs: ({ viewer }) => viewer !== null,
};

export const meta: MetaFunction = ({ error }) =>
  error ? errorHead(error) : privateHead("Songs I rated - Fivefold");

/**
 * The songs that the viewer has rated, from the place `after` on. A plain favorite form returns here with
 * `favorite`: the page then includes Spotify's answer, because there is no script to ask for it.
 */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const query = new URL(request.url).searchParams;
  const after = placeFrom(query.get("after"));
  const now = context.now();
  const { db, sessionId, isActivity } = context;
  const given = sessionId ? await ratingsGiven(db, sessionId, after, { now, isActivity }) : null;
  if (!given) {
    context.noteEndedLogin();
    return { viewer: null, ended: context.hasEndedLogin() };
  }
  const { viewer, songs, next } = given;
  return {
    viewer: viewerView(viewer),
    songs: songs.map(({ trackId: _trackId, ...song }) => song),
    saved: query.has("favorite") ? await savedAmong(context.spotify(viewer), songs) : undefined,
    after: after && placeText(after),
    next,
  };
}

export default function Rated() {
  const data = useLoaderData<typeof loader>();
  return (
    <Page viewer={data.viewer} current="rated">
      {data.viewer ? (
        <RatedSongs key={data.after} {...data} />
      ) : (
        <LoginPrompt heading="Songs I rated" ended={data.ended} next="/rated">
          <p className="lead">
            Here you will find the songs you rated, and what you gave them. Please login to get
            started.
          </p>
        </LoginPrompt>
      )}
    </Page>
  );
}

export { PageError as ErrorBoundary };
