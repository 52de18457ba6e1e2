import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import * as z from "zod";
import { giveRelease } from "~/exchange/release/release.server";
import { memberAction } from "~/http/member-action.server";
import { leadTo } from "~/http/require.server";
import { limitPosts } from "~/http/route-handle";

export const handle = limitPosts("LIMIT_STRICT");

export const loader = leadTo("/ratings-of-my-songs");

export function action(args: ActionFunctionArgs) {
  const here = `/ratings-of-my-songs/${encodeURIComponent(args.params.songId ?? "")}#release`;
  return memberAction(args, {
    fields: z.object({ link: z.string() }),
    error: "Please paste the song's link.",
    run({ context, viewer, songId, fields: { link } }) {
      return giveRelease(context, viewer, { songId, link });
    },
    to: here,
    back: { label: "Back to the song", href: here },
  });
}
