import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import * as z from "zod";
import { rateSong } from "~/exchange/rating/rate.server";
import { isScore, ratingLabel } from "~/exchange/rating/scale";
import { memberAction } from "~/http/member-action.server";
import { leadTo } from "~/http/require.server";
import { limitPosts } from "~/http/route-handle";

export const handle = limitPosts("LIMIT_NORMAL");

export const loader = leadTo("/");

export function action(args: ActionFunctionArgs) {
  return memberAction(args, {
    fields: z.object({ score: z.string().regex(/^\d$/).transform(Number).refine(isScore) }),
    error: "Please choose one of the ratings.",
    run({ context, viewer, songId, fields: { score } }) {
      const { ratingMailWaitMs: mailWaitMs } = context.config;
      const services = { ...context, spotify: context.spotify(viewer), mailWaitMs };
      return rateSong(services, viewer, { songId, score });
    },
    json: ({ fields: { score } }) => ({ ok: true, score, label: ratingLabel(score) }),
    to: ({ songId }) => `/?rated=${encodeURIComponent(songId)}`,
  });
}
