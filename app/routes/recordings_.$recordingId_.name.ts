import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import * as z from "zod";
import { memberAction } from "~/http/member-action.server";
import { leadTo } from "~/http/require.server";
import { limitPosts } from "~/http/route-handle";
import { nameDraft } from "~/sources/files/drafts.server";

export const handle = limitPosts("LIMIT_NORMAL");

export const loader = leadTo("/?menu=addownsong");

const later = z.string().default("");

export function action(args: ActionFunctionArgs) {
  const recordingId = args.params.recordingId ?? "";
  const upload = `/recordings/${encodeURIComponent(recordingId)}`;
  return memberAction(args, {
    fields: z.object({
      ...{ title: z.string(), artist: z.string() },
      ...{ rights: later, made: later, loudness: later },
    }),
    run: ({ context, viewer, fields }) => nameDraft(context, viewer, recordingId, fields),
    to: upload,
    back: (_post, { status }) => ({
      label: "Back to the upload",
      href: status === 404 ? "/?menu=addownsong" : upload,
    }),
  });
}
