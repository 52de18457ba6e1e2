import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { ratingsOfOwnSongs } from "~/domain/rating/received.server";
import { touchSession, viewerView } from "~/domain/session/viewer.server";
import { LoginPrompt } from "~/ui/login-prompt";
import { Page } from "~/ui/page";
import { RatingsPage } from "~/ui/ratings";
import { useFreshData } from "~/ui/use-fresh-data";

export const meta: MetaFunction = () => [{ title: "Ratings of my songs - Fivefold" }];

export async function loader({ context }: LoaderFunctionArgs) {
  const viewer = await context.viewer();
  if (!viewer) return { viewer: null, panels: [], scripts: false };
  const { db } = context;
  const touch = touchSession(db, viewer.session, context.now());
  const panels = await ratingsOfOwnSongs(db, viewer.userId, viewer.config, touch);
  return { viewer: viewerView(viewer), panels, scripts: true };
}

export default function RatingsOfMySongs() {
  const { viewer, panels } = useLoaderData<typeof loader>();
  const loading = useFreshData(viewer !== null);
  return (
    <Page viewer={viewer} current="ratings">
      {viewer ? (
        <RatingsPage panels={panels} tier={viewer.tier.tier} loading={loading} />
      ) : (
        <LoginPrompt />
      )}
    </Page>
  );
}
