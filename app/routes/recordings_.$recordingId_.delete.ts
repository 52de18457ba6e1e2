import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import { memberAction } from "~/http/member-action.server";
import { leadTo } from "~/http/require.server";
import { limitPosts } from "~/http/route-handle";
import { deleteDraft } from "~/recordings/drafts.server";

export const handle = limitPosts("LIMIT_NORMAL");

export const loader = leadTo("/?menu=addownsong");

export function action(args: ActionFunctionArgs) {
  const recordingId = args.params.recordingId ?? "";
  return memberAction(args, {
    run: ({ context, viewer }) => deleteDraft(context, viewer, recordingId),
    to: "/?menu=addownsong",
  });
}
