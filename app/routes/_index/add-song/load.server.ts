import { privateHead } from "~/components/head/head";
import { loadAddSong } from "~/exchange/submission/add-song.server";
import type { RequestContext } from "~/http/context.server";
import { spotifyGap } from "~/members/spotify-gap";
import { viewerView } from "~/members/viewer.server";
import { formatTime } from "~/player/bar/format-time";
import { pageOf } from "~/sources/catalogue";

const maxTermLength = 200;

/**
 * The data of the add-song screen: the viewer's own songs, the results of a search or a link (`q`), an album
 * or artist (`album`, `artist`, `page`), or the question about a song (`track`). Each URL keeps how the
 * viewer got there, for the way back. Null if the session has ended.
 */
export async function loadAddSongScreen(context: RequestContext, query: URLSearchParams) {
  const term = query.get("q");
  const asked = {
    albumId: query.get("album"),
    artistId: query.get("artist"),
    page: pageOf(Number(query.get("page") ?? 1)),
  };
  const loaded = await loadAddSong(context, {
    sessionId: context.sessionId ?? "",
    term: term && Array.from(term).slice(0, maxTermLength).join(""),
    trackId: query.get("track"),
    mixOf: query.get("mix"),
    place: asked,
  });
  if (!loaded) return null;
  const { viewer, results, pasted, ...view } = loaded;
  const { albumId, artistId, page } = view.place ?? asked;
  const name = (view.place?.artist ?? view.place?.album)?.name;
  return {
    screen: "addownsong" as const,
    head: privateHead(`${name ? `${name} - ` : ""}Submit a song - Fivefold`),
    viewer: viewerView(viewer),
    ...view,
    artist: viewer.displayName,
    takesGenerated: context.takesGenerated,
    /** The screen shows the form of an upload. */
    takesUploads:
      context.config.offers.uploads &&
      (view.obstacle === null || view.round !== null) &&
      !view.question &&
      !view.place,
    results:
      results?.map((song) => ({ ...song, length: formatTime(song.durationMs / 1000) })) ?? null,
    isUpload: query.has("upload"),
    ratedCount: viewer.credits,
    gap: spotifyGap(viewer, "add", context.config.spotifyClients.length > 0),
    here: `/?${query}`,
    from: { query: pasted ? "" : (term ?? ""), albumId, artistId, page },
    submissionKey: crypto.randomUUID(),
  };
}
