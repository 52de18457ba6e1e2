import { redirect } from "@remix-run/cloudflare";
import { privateHead } from "~/components/head/head";
import { loadEmptyPool } from "~/exchange/carousel/empty-pool/empty-pool.server";
import { loadSubmission } from "~/exchange/submission/submission.server";
import type { RequestContext } from "~/http/context.server";
import { viewerView } from "~/members/viewer.server";

const confirmationSeconds = 3;

/**
 * The data of the confirmation of a submission; null if the session has ended. With `stay` it does not return
 * by itself.
 * @throws Response that redirects to the carousel if the viewer has no such submission.
 */
export async function loadSongAddedScreen(context: RequestContext, query: URLSearchParams) {
  const submissionId = query.get("submission") ?? "";
  const { db, secret, isSpotifyOpen, place } = context;
  const now = context.now();
  const asked = { sessionId: context.sessionId ?? "", submissionId, now };
  const loaded = await loadSubmission(db, asked);
  if (!loaded) return null;
  const { viewer, submission } = loaded;
  if (!submission) throw redirect("/");
  const { limited } = submission;
  const seconds = limited || query.has("stay") ? null : confirmationSeconds;
  return {
    screen: "songaddedtopool" as const,
    head: privateHead("Song added - Fivefold"),
    refresh: seconds === null ? null : { seconds, to: "/" },
    viewer: viewerView(viewer),
    ...submission,
    origin: context.config.appOrigin,
    emptyPool: limited
      ? await loadEmptyPool(db, viewer, { secret, now, isSpotifyOpen, place })
      : null,
    next: `/?menu=songaddedtopool&submission=${submissionId}`,
    seconds,
  };
}
