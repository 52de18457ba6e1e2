import type { LinksFunction, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { useFreshData } from "~/components/form/use-fresh-data";
import { privateHead, publicHead } from "~/components/head/head";
import { LoginPrompt } from "~/components/layout/login-prompt";
import { Page } from "~/components/layout/page";
import { errorHead, PageError } from "~/components/layout/page-error";
import type { RouteHandle } from "~/http/route-handle";
import { viewerView } from "~/members/viewer.server";
import { placeFrom } from "~/results/received";
import { ratingsOfOwnSongs } from "~/results/received.server";
import resultCss from "~/styles/result.css";
import { RatingsPage } from "./ratings";

export const handle: RouteHandle<Awaited<ReturnType<typeof loader>>> = {
  crawlers: "listed",
  returnTarget: true,
  scripts: ({ viewer }) => viewer !== null,
  playsSongs: ({ viewer }) => viewer !== null,
};

export const links: LinksFunction = () => [{ rel: "stylesheet", href: resultCss }];

export const meta: MetaFunction<typeof loader> = ({ data, error }) =>
  data?.head ?? errorHead(error);

export async function loader({ request, context }: LoaderFunctionArgs) {
  const query = new URL(request.url).searchParams;
  // The song to which a mail links.
  const song = query.get("song");
  const now = context.now();
  const after = placeFrom(query.get("after"));
  const { sessionId, secret, isActivity } = context;
  const received = sessionId
    ? await ratingsOfOwnSongs(context.db, sessionId, { after, song }, { secret, now, isActivity })
    : null;
  if (!received) {
    context.noteEndedLogin();
    const page = {
      path: "/ratings-of-my-songs",
      title: "Ratings of my songs - Fivefold",
      description:
        "Every song added to Fivefold receives 5 ratings from musicians who listened to it. Log in to read those of your songs; nobody else sees them.",
    } as const;
    const head = publicHead(page, context.config.appOrigin);
    return { viewer: null, song, ended: context.hasEndedLogin(), head };
  }
  const { viewer, ...list } = received;
  return {
    viewer: viewerView(viewer),
    song,
    ...list,
    isFirst: after === null,
    canSubmit: viewer.credits >= viewer.tierConfig.ratingsToSubmit,
    unlocked: query.has("unlocked"),
    saved: query.has("saved"),
    now,
    head: privateHead("Ratings of my songs - Fivefold"),
  };
}

export default function RatingsOfMySongs() {
  const data = useLoaderData<typeof loader>();
  const loading = useFreshData(data.viewer !== null);
  return (
    <Page viewer={data.viewer} current="ratings">
      {data.viewer ? (
        <RatingsPage {...data} open={data.song} loading={loading} />
      ) : (
        <LoginPrompt heading="Ratings of my songs" ended={data.ended} next={pathTo(data.song)}>
          <p className="lead">
            Here you will see the ratings your songs received after you added them. Please login to
            get started.
          </p>
          <p>Only you will see your ratings.</p>
        </LoginPrompt>
      )}
    </Page>
  );
}

export { PageError as ErrorBoundary };

/** The path of this screen with a song's panel open. */
function pathTo(song: string | null): string {
  const screen = "/ratings-of-my-songs";
  if (song === null) return screen;
  const id = encodeURIComponent(song);
  return `${screen}?song=${id}#song-${id}`;
}
