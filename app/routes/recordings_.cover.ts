import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import * as z from "zod";
import { tintOfDrawing } from "~/covers/cover-tints.server";
import { coverPath, isCoverHash } from "~/covers/drawn-cover";
import { memberAction } from "~/http/member-action.server";
import { leadTo } from "~/http/require.server";
import { limitPosts } from "~/http/route-handle";
import { drawnFromFile } from "~/sources/files/take-in.server";

export const handle = limitPosts("LIMIT_NORMAL");

export const loader = leadTo("/?menu=addownsong");

/** What is drawn for a file with this hash, before it travels. */
export function action(args: ActionFunctionArgs) {
  return memberAction(args, {
    fields: z.object({ hash: z.string().refine(isCoverHash) }),
    async run({ context: { config }, fields: { hash } }) {
      const drawnFrom = await drawnFromFile(config.sessionSecret, hash);
      return { artUrl: coverPath(drawnFrom), tint: tintOfDrawing(drawnFrom) };
    },
    to: "/?menu=addownsong",
  });
}
