import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import * as z from "zod";
import { roundPath } from "~/exchange/round/round";
import { openRound } from "~/exchange/rounds/host.server";
import { memberAction } from "~/http/member-action.server";
import { leadTo } from "~/http/require.server";
import { limitPosts } from "~/http/route-handle";
import { isAmong } from "~/members/identity";

export const handle = limitPosts("LIMIT_STRICT");

export const loader = leadTo("/rounds");

export function action(args: ActionFunctionArgs) {
  return memberAction(args, {
    fields: z.object({
      key: z.uuid(),
      name: z.string(),
      seats: z.coerce.number(),
      until: z.coerce.number().int(),
      days: z.coerce.number(),
    }),
    error: "Give the round a name, and choose its seats and times.",
    run: ({ services, viewer, fields }) =>
      openRound(services, viewer, isAmong(services.config.operators, viewer), fields),
    to: (_, { token }) => roundPath(token),
    back: { label: "Back to the rounds", href: "/rounds" },
  });
}
