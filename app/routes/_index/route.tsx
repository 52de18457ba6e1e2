import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { lazy, Suspense } from "react";
import { ConnectSpotify } from "~/components/connect-spotify";
import { Page } from "~/components/layout/page";
import { errorHead, PageError } from "~/components/layout/page-error";
import type { RouteHandle } from "~/http/route-handle";
import { earlyPlayScript } from "~/player/early-play-script.server";
import addSongCss from "~/styles/add-song.css";
import { AddSongDocument } from "./add-song/add-song.server";
import { loadAddSongScreen } from "./add-song/load.server";
import { CarouselScreen } from "./carousel/carousel";
import { loadCarouselScreen } from "./carousel/load.server";
import { ReasonBoxes } from "./carousel/reason-boxes.server";
import { NoSongs } from "./empty-pool/empty-pool";
import { Landing } from "./landing/landing.server";
import { landingScreen, toImprint } from "./landing/load.server";
import { ReloadLanding } from "./landing/reload";
import { LateSongAdded } from "./song-added/late-song-added";
import { loadSongAddedScreen } from "./song-added/load.server";
import { SongAddedDocument } from "./song-added/song-added.server";

const LateAddSong = lazy(async () => {
  const [screen] = await Promise.all([import("./add-song/add-song"), loadStyles(addSongCss)]);
  return { default: screen.AddSong };
});

type Screen = Awaited<ReturnType<typeof loader>>;

export const handle: RouteHandle<Screen> = {
  sameForVisitors: true,
  crawlers: "listed",
  returnTarget: true,
  // The add-song screen searches Spotify.
  rateLimits: { GET: [{ limiter: "LIMIT_NORMAL", per: "session", query: "menu" }] },
  countsVisits: ({ screen }) => screen === "landing",
  scripts: runsScripts,
  playsSongs: runsScripts,
  preloadsPlayer: (data) => data.screen === "carousel" && data.view.state === "songs",
};

/**
 * Checks whether a screen runs scripts. An upload does, and the confirmation of a song leads to the carousel in the
 * same document, where songs play.
 */
function runsScripts(data: Screen): boolean {
  if (data.screen === "addownsong") return data.takesUploads && !data.from.query;
  return data.screen === "carousel" || (data.screen === "songaddedtopool" && !data.limited);
}

export const meta: MetaFunction<typeof loader> = ({ data, error }) =>
  data?.head ?? errorHead(error);

export async function loader({ request, context }: LoaderFunctionArgs) {
  const query = new URL(request.url).searchParams;
  const { sessionId } = context;
  const screen = sessionId ? await memberScreen() : null;
  if (!screen) context.noteEndedLogin();
  return screen ?? (await landingScreen(context, query));

  function memberScreen() {
    switch (query.get("menu")) {
      case "addownsong":
        return loadAddSongScreen(context, query);
      case "songaddedtopool":
        return loadSongAddedScreen(context, query);
      case "imprintdataprivacy":
        throw toImprint();
      default:
        return loadCarouselScreen(context, query);
    }
  }
}

export default function Index() {
  const data = useLoaderData<typeof loader>();
  if (data.screen === "carousel") return <Carousel {...data} />;
  return (
    <Page
      viewer={data.viewer}
      current={data.screen === "landing" ? null : "carousel"}
      song={data.screen === "songaddedtopool" ? data.track : undefined}
      {...(data.screen === "landing" ? { amber: "above" } : {})}
    >
      {screenOf(data)}
    </Page>
  );
}

export { PageError as ErrorBoundary };

type Loaded = ReturnType<typeof useLoaderData<typeof loader>>;

/** It has a page of its own, in the colour of the song that is shown. */
function Carousel(data: Extract<Loaded, { screen: "carousel" }>) {
  const connect = data.gap ? <ConnectSpotify {...data.gap} next="/" /> : null;
  return (
    <CarouselScreen
      {...data}
      earlyPlayScript={earlyPlayScript}
      reasonBoxes={ReasonBoxes}
      afterSongs={connect}
      insteadOfSongs={(offersUpload) => (
        <NoSongs {...data.view} origin={data.origin} offersUpload={offersUpload}>
          {connect}
        </NoSongs>
      )}
    />
  );
}

function screenOf(data: Exclude<Loaded, { screen: "carousel" }>) {
  switch (data.screen) {
    case "landing":
      // Its code is not sent to browsers: it is always a document without scripts.
      return typeof document === "undefined" ? <Landing {...data} /> : <ReloadLanding />;
    case "addownsong":
      return (
        <Suspense fallback={<div className="skeleton" />}>
          <link rel="stylesheet" href={addSongCss} />
          {typeof document === "undefined" ? (
            <AddSongDocument {...data} />
          ) : (
            <LateAddSong {...data} />
          )}
        </Suspense>
      );
    case "songaddedtopool":
      return (
        <Suspense fallback={<div className="skeleton" />}>
          {typeof document === "undefined" ? (
            <SongAddedDocument {...data} />
          ) : (
            <LateSongAdded {...data} />
          )}
        </Suspense>
      );
  }
}

/** So that a screen that comes late is not seen without them. */
function loadStyles(href: string): Promise<unknown> {
  return new Promise((done) => {
    const link = Object.assign(document.createElement("link"), {
      rel: "preload",
      as: "style",
      href,
    });
    link.onload = link.onerror = done;
    document.head.appendChild(link);
  });
}
