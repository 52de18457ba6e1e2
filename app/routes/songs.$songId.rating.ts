import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import * as z from "zod";
import { rateSong } from "~/exchange/rating/rate.server";
import { isScore, ratingLabel } from "~/exchange/rating/scale";
import {
  jsonOrRedirect,
  leadTo,
  requireAccepted,
  requireFields,
  requireViewer,
} from "~/http/require.server";
import type { RouteHandle } from "~/http/route-handle";

export const handle: RouteHandle = {
  rateLimits: { POST: [{ limiter: "LIMIT_NORMAL", per: "session" }] },
};

export const loader = leadTo("/");

const ratingFields = z.object({
  score: z.string().regex(/^\d$/).transform(Number).refine(isScore),
});

/** Rates a song with a `score`. */
export async function action({ request, params, context }: ActionFunctionArgs) {
  const viewer = await requireViewer({ request, context });
  const error = "Please choose one of the ratings.";
  const { score } = await requireFields(request, ratingFields, { error, viewer });
  const songId = params.songId ?? "";
  const services = {
    ...context,
    spotify: context.spotify(viewer),
    mailWaitMs: context.config.ratingMailWaitMs,
  };
  requireAccepted(request, await rateSong(services, viewer, { songId, score }), { viewer });
  return jsonOrRedirect(request, {
    json: { ok: true, score, label: ratingLabel(score) },
    to: `/?rated=${encodeURIComponent(songId)}`,
  });
}
