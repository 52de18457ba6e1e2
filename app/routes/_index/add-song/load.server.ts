import { privateHead } from "~/components/head/head";
import { viewerView } from "~/domain/session/viewer.server";
import { loadAddSong, searchSongs } from "~/domain/submission/add-song.server";
import type { RequestContext } from "~/http/context.server";

/** The longest search term that is passed on to Spotify, in characters. */
const maxTermLength = 200;

/** What the add-song screen shows, with the results if something was searched; null if the session has ended. */
export async function loadAddSongScreen(context: RequestContext, query: URLSearchParams) {
  const { db, sessionId, secret, isActivity } = context;
  const now = context.now();
  const loaded = await loadAddSong(db, sessionId ?? "", { now, secret, isActivity });
  if (!loaded) return null;
  const { viewer, obstacle, noneAvailable } = loaded;
  const term = query.get("q");
  const found =
    term !== null && !obstacle
      ? await searchSongs(context.spotify(viewer), term.slice(0, maxTermLength), viewer.displayName)
      : { results: null, error: null };
  return {
    screen: "addownsong" as const,
    head: privateHead("Add a song - Fivefold"),
    viewer: viewerView(viewer),
    obstacle,
    noneAvailable,
    ratedCount: viewer.credits,
    query: term ?? "",
    submissionKey: crypto.randomUUID(),
    ...found,
  };
}
