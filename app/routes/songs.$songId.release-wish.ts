import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import * as z from "zod";
import { askForRelease, endReleaseWish } from "~/exchange/release/release.server";
import { memberAction } from "~/http/member-action.server";
import { leadTo } from "~/http/require.server";
import { limitPosts } from "~/http/route-handle";

export const handle = limitPosts("LIMIT_NORMAL");

export const loader = leadTo("/rated");

const wishFields = z.object({
  wanted: z.enum(["true", "false"]).transform((value) => value === "true"),
  next: z.string().optional(),
});

export function action(args: ActionFunctionArgs) {
  return memberAction(args, {
    fields: wishFields,
    error: "Please say whether you want this e-mail.",
    run({ context, viewer, songId, fields: { wanted } }) {
      const write = wanted ? askForRelease : endReleaseWish;
      return write(context, viewer, songId);
    },
    to: ({ next }) => next,
    back: ({ next }) => ({ label: "Back", href: next }),
  });
}
