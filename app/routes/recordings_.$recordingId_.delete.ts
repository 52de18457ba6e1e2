import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import * as z from "zod";
import { memberAction } from "~/http/member-action.server";
import { leadTo } from "~/http/require.server";
import { limitPosts } from "~/http/route-handle";
import { deleteDraft } from "~/sources/files/drafts.server";

export const handle = limitPosts("LIMIT_NORMAL");

export const loader = leadTo("/?menu=addownsong");

const upload = { label: "Back to the upload", href: "/?menu=addownsong" };

export function action(args: ActionFunctionArgs) {
  const recordingId = args.params.recordingId ?? "";
  return memberAction(args, {
    fields: z.object({ next: z.literal("/account").optional() }),
    run: ({ context, viewer }) => deleteDraft(context, viewer, recordingId),
    to: ({ fields }) => fields.next ?? upload.href,
    back: ({ fields }) =>
      fields.next ? { label: "Back to your account", href: fields.next } : upload,
  });
}
