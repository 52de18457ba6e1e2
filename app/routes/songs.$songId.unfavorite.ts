import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import * as z from "zod";
import { memberAction } from "~/http/member-action.server";
import { leadTo } from "~/http/require.server";
import { withParameter } from "~/http/return-path";
import { limitPosts } from "~/http/route-handle";
import { favoriteSong } from "~/library/favorite.server";

export const handle = limitPosts("LIMIT_NORMAL");

export const loader = leadTo("/");

const favoriteFields = z.object({ next: z.string().optional() });

export function action(args: ActionFunctionArgs) {
  return memberAction(args, {
    fields: favoriteFields,
    run({ context, viewer, songId }) {
      const services = { ...context, spotify: context.spotify(viewer) };
      return favoriteSong(services, viewer, { songId, saved: false });
    },
    to: ({ next, songId }) => withParameter(next, "favorite", songId),
    back: ({ next }) => ({ label: "Back", href: next }),
  });
}
