import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import * as z from "zod";
import { memberAction } from "~/http/member-action.server";
import { leadTo } from "~/http/require.server";
import { limitPosts } from "~/http/route-handle";
import { noteSilent } from "~/sources/files/drafts.server";

export const handle = limitPosts("LIMIT_NORMAL");

export const loader = leadTo("/?menu=addownsong");

/** The page of a draft tells that the browser makes nothing of its sound. */
export function action(args: ActionFunctionArgs) {
  const recordingId = args.params.recordingId ?? "";
  return memberAction(args, {
    fields: z.object({}),
    run: ({ context, viewer }) => noteSilent(context, viewer, recordingId),
    to: `/recordings/${encodeURIComponent(recordingId)}`,
    back: { label: "Back to the upload", href: "/?menu=addownsong" },
  });
}
