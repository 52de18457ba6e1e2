import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import { forgetAtEdge } from "~/http/edge-cache";
import { memberAction } from "~/http/member-action.server";
import { leadTo } from "~/http/require.server";
import { limitPosts } from "~/http/route-handle";
import { isRejection } from "~/platform/rejection";
import { shareSong } from "~/results/share.server";

export const handle = limitPosts("LIMIT_STRICT");

export const loader = leadTo("/ratings-of-my-songs");

export function action(args: ActionFunctionArgs) {
  return memberAction(args, {
    async run({ context, viewer, songId }) {
      const { appOrigin } = context.config;
      const shared = await shareSong(context, viewer, songId);
      if (isRejection(shared)) return shared;
      await forgetAtEdge(appOrigin, shared.path);
      return { ok: true, address: appOrigin + shared.path };
    },
    to: ({ songId }) => `/ratings-of-my-songs/${encodeURIComponent(songId)}#share`,
  });
}
