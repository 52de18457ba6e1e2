import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import * as z from "zod";
import { askForSongMail, endSongWish } from "~/exchange/carousel/empty-pool/empty-pool.server";
import { memberAction } from "~/http/member-action.server";
import { leadTo } from "~/http/require.server";
import { limitPosts } from "~/http/route-handle";

export const handle = limitPosts("LIMIT_NORMAL");

export const loader = leadTo("/");

const songMailFields = z.object({
  wanted: z.enum(["true", "false"]).transform((value) => value === "true"),
  next: z.string().optional(),
});

export function action(args: ActionFunctionArgs) {
  return memberAction(args, {
    fields: songMailFields,
    error: "Say whether you want this e-mail.",
    async run({ context: { db, secret, now, place }, viewer, fields: { wanted } }) {
      const rejected = wanted
        ? await askForSongMail(db, viewer, { secret, now: now(), place })
        : null;
      if (!wanted) await endSongWish(db, viewer.userId);
      return rejected ?? { ok: true, wanted };
    },
    to: ({ next }) => next,
    back: ({ next }) => ({ label: "Back", href: next }),
  });
}
