import { privateHead } from "~/components/head/head";
import { viewerView } from "~/domain/session/viewer.server";
import { loadAddSong } from "~/domain/submission/add-song.server";
import type { RequestContext } from "~/http/context.server";

/** The longest search term that is passed on to Spotify, in characters. */
const maxTermLength = 200;

/**
 * What the add-song screen shows: the viewer's own songs, what a search or a link has found (`q`), or
 * the question about one song (`track`). With `undone` it says that this submission was taken back, if
 * that has just happened. Null if the session has ended.
 */
export async function loadAddSongScreen(context: RequestContext, query: URLSearchParams) {
  const term = query.get("q");
  const loaded = await loadAddSong(context, {
    sessionId: context.sessionId ?? "",
    term: term?.slice(0, maxTermLength) ?? null,
    trackId: query.get("track"),
    undoneId: query.get("undone"),
  });
  if (!loaded) return null;
  const { viewer, ...view } = loaded;
  return {
    screen: "addownsong" as const,
    head: privateHead("Add a song - Fivefold"),
    viewer: viewerView(viewer),
    ...view,
    ratedCount: viewer.credits,
    query: term ?? "",
    submissionKey: crypto.randomUUID(),
  };
}
