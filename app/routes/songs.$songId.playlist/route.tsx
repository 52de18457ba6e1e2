import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { privateHead } from "~/components/head/head";
import { Page } from "~/components/layout/page";
import { errorHead, PageError } from "~/components/layout/page-error";
import { requireViewer } from "~/http/require.server";
import type { RouteHandle } from "~/http/route-handle";
import { loadPlaylistPage } from "~/library/choice.server";
import { viewerView } from "~/members/viewer.server";
import { isRejection } from "~/platform/rejection";
import { IntoPlaylist } from "./into-playlist";

export const handle: RouteHandle = {
  returnTarget: true,
  // Asks Spotify for the playlists.
  rateLimits: { GET: [{ limiter: "LIMIT_NORMAL", per: "session" }] },
  scripts: () => true,
  playsSongs: () => true,
};

export const meta: MetaFunction = ({ error }) =>
  error ? errorHead(error) : privateHead("Put a song into a playlist - Fivefold");

/**
 * The data of the viewer's playlists for a song that they have rated, from the offset `from` on, or of the
 * result in the playlist `added`. Without the permission it asks for that: Spotify's page returns here, with
 * `tab` if it was opened in another tab.
 */
export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const viewer = await requireViewer({ request, context });
  const query = new URL(request.url).searchParams;
  const asked = {
    songId: params.songId ?? "",
    added: query.get("added"),
    from: offsetOf(query.get("from")),
  };
  const services = {
    ...context,
    spotify: context.spotify(viewer),
    openUrl: context.config.spotifyOpenUrl,
  };
  const page = await loadPlaylistPage(services, viewer, asked);
  const view = viewerView(viewer);
  if (isRejection(page)) {
    const action = { label: "Back to the Carousel", href: "/" };
    const thrown = { viewer: view, title: "Not this song", text: page.error, action };
    throw Response.json(thrown, { status: page.status });
  }
  return {
    viewer: view,
    page,
    again: query.has("again"),
    declined: query.get("permission") === "declined",
    tab: query.has("tab"),
  };
}

/** The offset in the list that a URL names; 0 if it names none. */
function offsetOf(text: string | null): number {
  return /^\d{1,5}$/.test(text ?? "") ? Number(text) : 0;
}

export default function PlaylistRoute() {
  const { viewer, ...loaded } = useLoaderData<typeof loader>();
  return (
    <Page viewer={viewer} current="carousel">
      <IntoPlaylist {...loaded} />
    </Page>
  );
}

export { PageError as ErrorBoundary };
