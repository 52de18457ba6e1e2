import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import { confirmListen } from "~/exchange/listening/listening.server";
import { memberAction } from "~/http/member-action.server";
import { leadTo } from "~/http/require.server";
import { limitPosts } from "~/http/route-handle";

export const handle = limitPosts("LIMIT_NORMAL");

export const loader = leadTo("/");

export function action(args: ActionFunctionArgs) {
  return memberAction(args, {
    run: ({ context, viewer, songId }) =>
      confirmListen({ ...context, spotify: context.spotify(viewer) }, viewer, songId),
    to: "/",
  });
}
