import {
  type LinksFunction,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
} from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { Page } from "~/components/layout/page";
import { errorHead, PageError } from "~/components/layout/page-error";
import type { RouteHandle } from "~/http/route-handle";
import { earlyPlayScript } from "~/player/early-play-script.server";
import playerCss from "~/player/player.css";
import { AddSong } from "./add-song/add-song";
import { loadAddSongScreen } from "./add-song/load.server";
import { CarouselScreen } from "./carousel/carousel";
import { loadCarouselScreen } from "./carousel/load.server";
import { NoSongs } from "./carousel/no-songs";
import { Landing } from "./landing/landing.server";
import { landingScreen } from "./landing/load.server";
import { ReloadLanding } from "./landing/reload";
import { GiveReasons } from "./reasons/give-reasons";
import { CountedDown } from "./song-added/counted-down";
import { loadSongAddedScreen } from "./song-added/load.server";
import { TakeBack } from "./song-added/take-back";

type Screen = Awaited<ReturnType<typeof loader>>;

export const handle: RouteHandle<Screen> = {
  sameForVisitors: true,
  crawlers: "listed",
  returnTarget: true,
  // The add-song screen searches at Spotify.
  rateLimits: { GET: [{ limiter: "LIMIT_NORMAL", per: "session", query: "menu" }] },
  countsVisits: ({ screen }) => screen === "landing",
  scripts: runsScripts,
  playsSongs: runsScripts,
  preloadsPlayer: (data) => data.screen === "carousel" && data.view.state === "songs",
};

/** The confirmation of a song leads on to the carousel within the same document, where songs play. */
function runsScripts(data: Screen): boolean {
  return data.screen === "carousel" || (data.screen === "songaddedtopool" && !data.limited);
}

export const meta: MetaFunction<typeof loader> = ({ data, error }) =>
  data?.head ?? errorHead(error);

export const links: LinksFunction = () => [{ rel: "stylesheet", href: playerCss }];

/** The landing page, or for a logged-in user the screen that the menu state names. */
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
        throw redirect("/imprint");
      default:
        return loadCarouselScreen(context, query);
    }
  }
}

export default function Index() {
  const data = useLoaderData<typeof loader>();
  return (
    <Page viewer={data.viewer} current={data.screen === "landing" ? null : "carousel"}>
      {screenOf(data)}
    </Page>
  );
}

export { PageError as ErrorBoundary };

function screenOf(data: ReturnType<typeof useLoaderData<typeof loader>>) {
  switch (data.screen) {
    case "landing":
      // Browsers do not have its code: it is always a document, without scripts.
      return typeof document === "undefined" ? <Landing {...data} /> : <ReloadLanding />;
    case "carousel":
      return (
        <>
          {data.justAdded ? <TakeBack {...data.justAdded} /> : null}
          <CarouselScreen
            {...data}
            earlyPlayScript={earlyPlayScript}
            insteadOfSongs={<NoSongs {...data.view} />}
          >
            {data.justRated?.reasons ? (
              <GiveReasons key={data.justRated.songId} {...data.justRated} />
            ) : null}
          </CarouselScreen>
        </>
      );
    case "addownsong":
      return <AddSong {...data} />;
    case "songaddedtopool":
      return <CountedDown {...data} />;
  }
}
