import { privateHead } from "~/components/head/head";
import { loadCarousel } from "~/exchange/carousel/carousel.server";
import { roundPath } from "~/exchange/round/round";
import type { JustSubmitted } from "~/exchange/submission/submission.server";
import type { RequestContext } from "~/http/context.server";
import { hearsSpotify } from "~/members/hearing";
import { spotifyGap } from "~/members/spotify-gap";
import { viewerView } from "~/members/viewer.server";
import { mostNews, type NewsView } from "~/members/views";
import { sha256 } from "~/platform/crypto.server";
import { dayAndMonth, secondsUntil } from "~/platform/dates";
import type { NewsLine } from "./news";

const passedTexts = new Map<string | undefined, string>([
  ["song", "The song is off your list."],
  ["report", "Thank you. Your report has arrived, and the song is off your list."],
]);

function newsLine({ songs, only }: NewsView): NewsLine {
  return only
    ? { to: songPath(only.songId), title: only.title, words: "has a new rating", isNew: true }
    : {
        to: "/ratings-of-my-songs",
        title: null,
        words: `${songs}${songs < mostNews ? "" : " or more"} songs have new ratings`,
        isNew: true,
      };
}

function submittedLine({ songId, title, usuallyBy }: JustSubmitted): NewsLine {
  const until = usuallyBy === null ? "" : ` Usually all five are in by ${dayAndMonth(usuallyBy)}.`;
  return { to: songPath(songId), title, words: `is submitted.${until}`, isNew: false };
}

function songPath(songId: string): string {
  return `/ratings-of-my-songs/${encodeURIComponent(songId)}`;
}

/** The data of the carousel; null if the session has ended. */
export async function loadCarouselScreen(context: RequestContext, query: URLSearchParams) {
  const { db, config, random, secret, isActivity, isSpotifyOpen, place } = context;
  const now = context.now();
  const asked = {
    sessionId: context.sessionId ?? "",
    ratedSongId: query.get("rated"),
  };
  const loaded = await loadCarousel(db, asked, {
    ...{ now, random, secret, isActivity, isSpotifyOpen, place },
  });
  if (!loaded) return null;
  const { viewer, view, justRated, submitted, openRound } = loaded;
  const shown = viewerView(viewer);
  const favorite = view.songs.find(
    (song) => song.favorited && song.songId === query.get("favorite"),
  );
  const hears = hearsSpotify(viewer);
  const [pass, passedId] = query.get("passed")?.split(":") ?? [];
  const passed = passedTexts.get(pass) ?? null;
  const { listen } = view;
  const heardSong = view.songs.find(({ songId }) => songId === listen?.songId);
  // To load the page again would cut off a sound that plays in it.
  const isWaiting = listen && !listen.finished && heardSong?.trackId !== null;
  const waiting = isWaiting ? secondsUntil(listen.unlocksAt, now) : 0;
  return {
    screen: "carousel" as const,
    head: privateHead("Play and rate - Fivefold"),
    refresh: waiting > 0 ? { seconds: waiting, to: "/" } : null,
    viewer: shown,
    view,
    origin: config.appOrigin,
    news: openRound
      ? { to: roundPath(openRound.token), title: openRound.name, words: "is open", isNew: true }
      : shown.news
        ? newsLine(shown.news)
        : submitted && submittedLine(submitted),
    justRated: passed ? null : justRated,
    passed,
    report: passedId ? `/songs/${encodeURIComponent(passedId)}/pass/reason` : null,
    justFavorited: favorite?.songId ?? null,
    // Where Spotify is not open, nobody misses its songs.
    gap: config.spotifyClients.length > 0 ? spotifyGap(viewer, "play", true) : null,
    player: {
      // A session that is connected to Spotify gets another player.
      listener: await sha256(`${viewer.userId} ${hears}`),
      spotify: hears ? { sdkUrl: config.spotifySdkUrl, apiUrl: config.spotifyApiUrl } : null,
    },
  };
}
