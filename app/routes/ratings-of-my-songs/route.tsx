import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { useFreshData } from "~/components/form/use-fresh-data";
import { privateHead, publicHead } from "~/components/head/head";
import { publicPages } from "~/components/head/public-pages";
import { LoginPrompt } from "~/components/layout/login-prompt";
import { Page } from "~/components/layout/page";
import { ratingsOfOwnSongs } from "~/domain/rating/received.server";
import { touchSession, viewerView } from "~/domain/session/viewer.server";
import { RatingsPage } from "./ratings";

export const meta: MetaFunction<typeof loader> = ({ data }) => data?.head ?? [];

export async function loader({ request, context }: LoaderFunctionArgs) {
  const query = new URL(request.url).searchParams;
  // The song that a mail leads to.
  const song = query.get("song");
  const viewer = await context.viewer();
  if (!viewer) {
    const head = publicHead(publicPages.ratings, context.config.appOrigin);
    return { viewer: null, song, head, scripts: false } as const;
  }
  const { db } = context;
  const now = context.now();
  const touch = touchSession(db, viewer.session, now);
  const received = await ratingsOfOwnSongs(db, viewer.userId, viewer.limits, touch);
  const saved = query.has("saved");
  const head = privateHead("Ratings of my songs - Fivefold");
  const shown = { viewer: viewerView(viewer), song, ...received, saved, now };
  return { ...shown, head, scripts: true } as const;
}

export default function RatingsOfMySongs() {
  const data = useLoaderData<typeof loader>();
  const loading = useFreshData(data.viewer !== null);
  return (
    <Page viewer={data.viewer} current="ratings">
      {data.viewer ? (
        <RatingsPage
          {...data}
          tier={data.viewer.subscription.tier}
          open={data.song}
          loading={loading}
        />
      ) : (
        <LoginPrompt heading="Ratings of my songs" next={pathOf(data.song)}>
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

/** This screen, open at a song. */
function pathOf(song: string | null): string {
  const screen = "/ratings-of-my-songs";
  if (song === null) return screen;
  const id = encodeURIComponent(song);
  return `${screen}?song=${id}#song-${id}`;
}
