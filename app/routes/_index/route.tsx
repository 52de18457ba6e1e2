import {
  type LinksFunction,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
} from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { faqPage } from "~/components/head/faq-page";
import { privateHead, publicHead } from "~/components/head/head";
import { publicPages } from "~/components/head/public-pages";
import { Page } from "~/components/layout/page";
import { loadCarousel } from "~/domain/carousel/carousel.server";
import { viewerView } from "~/domain/session/viewer.server";
import { loadAddSong, searchSongs } from "~/domain/submission/add-song.server";
import { selectSubmission } from "~/domain/submission/submit.server";
import type { RequestContext } from "~/http/context.server";
import playerCss from "~/player/player.css";
import { AddSong } from "~/routes/_index/add-song/add-song";
import { NotYet } from "~/routes/_index/add-song/not-yet";
import { CarouselScreen } from "~/routes/_index/carousel/carousel";
import { secondsUntil } from "~/routes/_index/carousel/listen-status";
import { Landing } from "~/routes/_index/landing/landing";
import { CountedDown } from "~/routes/_index/song-added/counted-down";

/** How long the confirmation stays before the carousel comes back (spec section 9), in seconds. */
const confirmationSeconds = 3;

export const meta: MetaFunction<typeof loader> = ({ data }) => data?.head ?? [];

export const links: LinksFunction = () => [{ rel: "stylesheet", href: playerCss }];

/** Without a login the landing page; with one the screen that the menu state names (spec section 2). */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const query = new URL(request.url).searchParams;
  const { sessionId } = context;
  const ended = query.has("ended");
  const landing = {
    screen: "landing" as const,
    head: [...publicHead(publicPages.landing, context.config.appOrigin), faqPage()],
    ended,
    viewer: null,
    scripts: false,
    refresh: null,
  };
  if (!sessionId) return landing;
  switch (query.get("menu")) {
    case "addownsong":
      return (await addSong(context, sessionId, query.get("q"))) ?? landing;
    case "songaddedtopool":
      return (await songAdded(context, query.get("submission") ?? "")) ?? landing;
    case "imprintdataprivacy":
      throw redirect("/imprint");
    default:
      return (await carousel(context, sessionId, query)) ?? landing;
  }
}

async function carousel(context: RequestContext, sessionId: string, query: URLSearchParams) {
  const { db, config } = context;
  const now = context.now();
  const ratedSongId = query.get("rated");
  const loaded = await loadCarousel(db, { sessionId, ratedSongId }, now, context.random);
  if (!loaded) return null;
  const { viewer, view, justRated } = loaded;
  const favorite = view.songs.find(
    (song) => song.favorited && song.songId === query.get("favorite"),
  );
  const waiting =
    view.listen && !view.listen.finished ? secondsUntil(view.listen.unlocksAt, now) : 0;
  return {
    screen: "carousel" as const,
    head: privateHead("Play and rate - Fivefold"),
    scripts: true,
    refresh: waiting > 0 ? { seconds: waiting, to: "/" } : null,
    viewer: viewerView(viewer),
    view,
    justRated,
    justFavorited: favorite?.songId ?? null,
    player: { sdkUrl: config.spotifySdkUrl, apiUrl: config.spotifyApiUrl },
  };
}

async function addSong(context: RequestContext, sessionId: string, term: string | null) {
  const loaded = await loadAddSong(context.db, sessionId, context.now());
  if (!loaded) return null;
  const { viewer, eligibility, noneAvailable } = loaded;
  const searched = term !== null && eligibility.eligible;
  const found = searched
    ? await searchSongs(context.spotify(viewer), term.slice(0, 200), viewer.displayName)
    : { results: null, error: null };
  return {
    screen: "addownsong" as const,
    head: privateHead("Add a song - Fivefold"),
    scripts: false,
    refresh: null,
    viewer: viewerView(viewer),
    eligibility,
    noneAvailable,
    ratedCount: viewer.credits,
    query: term ?? "",
    submissionKey: crypto.randomUUID(),
    ...found,
  };
}

async function songAdded(context: RequestContext, submissionId: string) {
  const viewer = await context.viewer();
  if (!viewer) return null;
  const [submission] = await selectSubmission(context.db, viewer.userId, submissionId);
  if (!submission) throw redirect("/");
  const { title, spotifyUrl, limited } = submission;
  return {
    screen: "songaddedtopool" as const,
    head: privateHead("Song added - Fivefold"),
    scripts: !limited,
    refresh: limited ? null : { seconds: confirmationSeconds, to: "/" },
    viewer: viewerView(viewer),
    title,
    spotifyUrl,
    limited,
  };
}

export default function Index() {
  const screen = useLoaderData<typeof loader>();
  return (
    <Page viewer={screen.viewer} current={screen.screen === "landing" ? null : "carousel"}>
      {screen.screen === "landing" ? <Landing ended={screen.ended} /> : null}
      {screen.screen === "carousel" ? <CarouselScreen {...screen} /> : null}
      {screen.screen === "addownsong" ? (
        screen.eligibility.eligible ? (
          <AddSong {...screen} />
        ) : (
          <NotYet remaining={screen.eligibility.remaining} />
        )
      ) : null}
      {screen.screen === "songaddedtopool" ? (
        <CountedDown
          title={screen.title}
          spotifyUrl={screen.spotifyUrl}
          limited={screen.limited}
          seconds={confirmationSeconds}
        />
      ) : null}
    </Page>
  );
}
