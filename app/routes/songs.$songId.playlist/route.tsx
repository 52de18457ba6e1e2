import type { LinksFunction, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { Link, useLoaderData } from "@remix-run/react";
import { ConnectSpotify } from "~/components/connect-spotify";
import { useFocusAfter } from "~/components/form/use-focus-after";
import { useFreshData } from "~/components/form/use-fresh-data";
import { privateHead } from "~/components/head/head";
import { Page } from "~/components/layout/page";
import { errorHead, PageError } from "~/components/layout/page-error";
import { Notice } from "~/components/notice";
import { Cover } from "~/components/song/cover";
import { SongTitle } from "~/components/song/song-title";
import { SpotifyCredit } from "~/components/song/spotify-credit";
import { areReasonsOpen } from "~/exchange/rating/reasons";
import { requireViewer } from "~/http/require.server";
import type { RouteHandle } from "~/http/route-handle";
import { spotifyGap } from "~/members/spotify-gap";
import { viewerView } from "~/members/viewer.server";
import { isRejection } from "~/platform/rejection";
import { usePlayerAccess } from "~/player/shell/player-access";
import { loadPlaylistPage } from "~/sources/spotify/library/choice.server";
import { playlistPath } from "~/sources/spotify/library/finds";
import addSongCss from "~/styles/add-song.css";
import { ChoosePlaylist } from "./choose-playlist";

export const handle: RouteHandle = {
  returnTarget: true,
  // Asks Spotify for the playlists.
  rateLimits: { GET: [{ limiter: "LIMIT_NORMAL", per: "session" }] },
  scripts: () => true,
  playsSongs: () => true,
};

export const links: LinksFunction = () => [{ rel: "stylesheet", href: addSongCss }];

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
    /** The carousel, with the rating just given while its reasons are open. */
    back: areReasonsOpen(page.ratedAt, context.now())
      ? `/?rated=${encodeURIComponent(page.songId)}`
      : "/",
    gap: spotifyGap(viewer, "playlist", context.config.spotifyClients.length > 0),
    again: query.has("again"),
    declined: query.get("permission") === "declined",
    tab: query.has("tab"),
  };
}

function offsetOf(text: string | null): number {
  return /^\d{1,5}$/.test(text ?? "") ? Number(text) : 0;
}

export default function PlaylistRoute() {
  return (
    <Page viewer={useLoaderData<typeof loader>().viewer} current="carousel">
      <IntoPlaylist />
    </Page>
  );
}

export { PageError as ErrorBoundary };

function IntoPlaylist() {
  const { page, back, gap, again, declined, tab } = useLoaderData<typeof loader>();
  const { songId, track, added, choice, problem } = page;
  const isMissing = !added && !choice && problem === null;
  const path = playlistPath(songId);
  const heading = useFocusAfter(added?.id);
  // The permission may be given in another tab.
  useFreshData(isMissing);
  return (
    <div className="add-song">
      <h1 ref={heading} tabIndex={-1}>
        Put it into a playlist
      </h1>
      <div className="song compact">
        <Cover track={track} first="5.5rem" />
        <h2>
          <SongTitle track={track} />
        </h2>
      </div>
      {added ? <Done {...added} again={again} path={path} /> : null}
      {isMissing && gap ? <ConnectSpotify {...gap} next={path} /> : null}
      {isMissing && !gap ? <AskPermission path={path} declined={declined} tab={tab} /> : null}
      {problem ? (
        <>
          <Notice tone="error">{problem}</Notice>
          <Link className="button" to={path}>
            Try again
          </Link>
        </>
      ) : null}
      {choice && tab ? (
        <>
          <Notice tone="ok">
            Thank you. Close this tab, and choose a playlist in the one where your song plays.
          </Notice>
          <Link to={path}>Or choose one here</Link>
        </>
      ) : null}
      {choice && !tab ? <ChoosePlaylist {...choice} path={path} /> : null}
      <Link className={`button${added ? "" : " plain"}`} to={back}>
        Back to the Carousel
      </Link>
      <SpotifyCredit />
    </div>
  );
}

function Done({
  name,
  url,
  again,
  path,
}: {
  name: string;
  url: string;
  again: boolean;
  path: string;
}) {
  const playlist = (
    <a href={url} target="_blank" rel="noopener">
      <bdi>{name || "your playlist"}</bdi>
      <span className="visually-hidden"> (opens Spotify)</span>
    </a>
  );
  return (
    <>
      <Notice tone="ok">
        <span>{again ? "It is in " : "Added to "}</span>
        {playlist}
        <span>{again ? " already." : "."}</span>
      </Notice>
      <Link to={path}>Choose another playlist</Link>
    </>
  );
}

/**
 * Explains the permission, and leads to Spotify's consent page; in a new tab if this page's player has a
 * song, which leaving the page would stop.
 * @param path of the page to which Spotify returns.
 * @param tab true in that new tab.
 */
function AskPermission({ path, declined, tab }: { path: string; declined: boolean; tab: boolean }) {
  const { snapshot } = usePlayerAccess();
  const isPlaying = snapshot?.place === "page" && snapshot.songId !== null;
  return (
    <form
      className="login"
      method="post"
      action="/playlists/permission"
      target={isPlaying ? "_blank" : undefined}
    >
      {declined ? (
        <Notice tone="info">
          You did not give the permission, so nothing was changed. Your rating counts as before.
        </Notice>
      ) : null}
      <p>
        Fivefold needs your permission at Spotify for this. It can then see your playlists, private
        ones too, and add songs to them, which it does only when you press a button here.
      </p>
      <input type="hidden" name="next" value={isPlaying || tab ? `${path}?tab` : path} />
      <button className="button" type="submit">
        {declined ? "Ask me again at Spotify" : "Give permission at Spotify"}
      </button>
      {isPlaying ? (
        <p className="quiet">Spotify opens in a new tab, so that your song plays on.</p>
      ) : null}
    </form>
  );
}
