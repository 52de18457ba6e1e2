import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import * as z from "zod";
import { giveReasons } from "~/exchange/rating/own-rating.server";
import { reasonBits } from "~/exchange/rating/reasons";
import { memberAction } from "~/http/member-action.server";
import { leadTo } from "~/http/require.server";
import { limitPosts } from "~/http/route-handle";
import { reject } from "~/platform/rejection";

export const handle = limitPosts("LIMIT_NORMAL");

export const loader = leadTo("/");

const names = (list: string) => (list === "" ? [] : list.split(","));
const reasonFields = z.object({
  liked: z.string().default("").transform(names),
  improve: z.string().default("").transform(names),
});

/** Saves the reasons of a rating: `liked` and `improve`, each repeated for each aspect. */
export function action(args: ActionFunctionArgs) {
  const error =
    "Please choose up to three, each as something you liked or something that could be better.";
  const here = `/?rated=${encodeURIComponent(args.params.songId ?? "")}`;
  return memberAction(args, {
    fields: reasonFields,
    error,
    lists: ["liked", "improve"],
    async run({ context, viewer, songId, fields }) {
      const bits = reasonBits(fields);
      return bits === null ? reject(422, error) : giveReasons(context, viewer, { songId, bits });
    },
    to: here,
    back: { label: "Back to your rating", href: here },
  });
}
