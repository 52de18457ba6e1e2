import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import { forgetAtEdge } from "~/http/edge-cache";
import { memberAction } from "~/http/member-action.server";
import { leadTo } from "~/http/require.server";
import { limitPosts } from "~/http/route-handle";
import { isRejection } from "~/platform/rejection";
import { unshareSong } from "~/results/share.server";

export const handle = limitPosts("LIMIT_STRICT");

export const loader = leadTo("/ratings-of-my-songs");

export function action(args: ActionFunctionArgs) {
  return memberAction(args, {
    async run({ context, viewer, songId }) {
      const unshared = await unshareSong(context.db, viewer, songId);
      if (isRejection(unshared)) return unshared;
      if (unshared.path) await forgetAtEdge(context.config.appOrigin, unshared.path);
      return null;
    },
    to: ({ songId }) => `/ratings-of-my-songs/${encodeURIComponent(songId)}#share`,
  });
}
