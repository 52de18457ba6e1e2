import type { Database } from "~/db/client.server";
import { runBatch } from "~/db/gated";
import { selectEndedBySpotify } from "~/members/spotify-token.server";
import { logEvent } from "~/platform/log";
import type { CommunityFigures } from "./community";
import { selectCommunity, toCommunity } from "./community.server";

/**
 * The landing page's data, in one round trip: the community's figures, and whether Spotify has ended the
 * visitor's login. The page does without them where the database does not answer.
 */
export async function loadLanding(
  db: Database,
  sessionId: string | null,
): Promise<{ community: CommunityFigures | null; endedBySpotify: boolean }> {
  try {
    const { community, ended } = await runBatch(db, {
      community: selectCommunity(db),
      ended: selectEndedBySpotify(db, sessionId),
    });
    return { community: toCommunity(community), endedBySpotify: ended.length > 0 };
  } catch (error) {
    logEvent("landing_without_figures", { error });
    return { community: null, endedBySpotify: false };
  }
}
