import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import { endRelease } from "~/exchange/release/release.server";
import { memberAction } from "~/http/member-action.server";
import { leadTo } from "~/http/require.server";
import { limitPosts } from "~/http/route-handle";

export const handle = limitPosts("LIMIT_STRICT");

export const loader = leadTo("/ratings-of-my-songs");

export function action(args: ActionFunctionArgs) {
  return memberAction(args, {
    run({ context, viewer, songId }) {
      return endRelease(context.db, viewer, songId);
    },
    to: ({ songId }) => `/ratings-of-my-songs/${encodeURIComponent(songId)}#release`,
  });
}
