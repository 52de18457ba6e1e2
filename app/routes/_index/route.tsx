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
import playerCss from "~/player/player.css";
import { loadAddSongScreen } from "./add-song/load.server";
import { CarouselScreen } from "./carousel/carousel";
import { inlineScript } from "./carousel/inline-script.server";
import { loadCarouselScreen } from "./carousel/load.server";
import { Landing } from "./landing/landing.server";
import { landingScreen } from "./landing/load.server";
import { ReloadLanding } from "./landing/reload";
import { laterScreens } from "./later-screens.server";
import { lazyScreen } from "./lazy-screen";
import { loadSongAddedScreen } from "./song-added/load.server";

type Screen = Awaited<ReturnType<typeof loader>>;

const load = () => import("./later-screens");
const addSong = lazyScreen(laterScreens?.AddSong, async () => (await load()).AddSong);
const countedDown = lazyScreen(laterScreens?.CountedDown, async () => (await load()).CountedDown);
const giveReasons = lazyScreen(laterScreens?.GiveReasons, async () => (await load()).GiveReasons);
const noSongs = lazyScreen(laterScreens?.NoSongs, async () => (await load()).NoSongs);
const takeBack = lazyScreen(laterScreens?.TakeBack, async () => (await load()).TakeBack);

export const handle: RouteHandle<Screen> = {
  sameForVisitors: true,
  crawlers: "listed",
  returnTarget: true,
  // The add-song screen searches at Spotify.
  rateLimits: { GET: [{ limiter: "LIMIT_NORMAL", per: "session", query: "menu" }] },
  countsVisits: ({ screen }) => screen === "landing",
  scripts: runsScripts,
  playsSongs: runsScripts,
  async beforeHydration(query) {
    const isNamed = ["menu", "added", "rated"].some((name) => query.has(name));
    if (!isNamed && !document.querySelector(".standalone-message")) return;
    await Promise.all(
      [addSong, countedDown, giveReasons, noSongs, takeBack].map(({ preload }) => preload()),
    );
  },
  preloadsPlayer: (data) => data.screen === "carousel" && data.view.state === "songs",
};

/** The confirmation of a song leads on to the carousel within the same document, where songs play. */
function runsScripts(data: Screen): boolean {
  return data.screen === "carousel" || (data.screen === "songaddedtopool" && !data.limited);
}

export const meta: MetaFunction<typeof loader> = ({ data, error }) =>
  data?.head ?? errorHead(error);

export const links: LinksFunction = () => [{ rel: "stylesheet", href: playerCss }];

/** The landing page, or for a logged-in user the screen that the menu state names (spec section 2). */
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
          {data.justAdded ? <takeBack.Screen {...data.justAdded} /> : null}
          <CarouselScreen
            {...data}
            inlineScript={inlineScript}
            insteadOfSongs={<noSongs.Screen {...data.view} />}
          >
            {data.justRated?.reasons ? (
              <giveReasons.Screen key={data.justRated.songId} {...data.justRated} />
            ) : null}
          </CarouselScreen>
        </>
      );
    case "addownsong":
      return <addSong.Screen {...data} />;
    case "songaddedtopool":
      return <countedDown.Screen {...data} />;
  }
}
