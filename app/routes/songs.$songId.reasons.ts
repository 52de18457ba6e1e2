import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import * as z from "zod";
import { giveReasons } from "~/exchange/rating/own-rating.server";
import { reasonBits } from "~/exchange/rating/reasons";
import {
  jsonOrRedirect,
  leadTo,
  requireAccepted,
  requireFields,
  requireViewer,
} from "~/http/require.server";
import type { RouteHandle } from "~/http/route-handle";
import { reject } from "~/platform/rejection";

export const handle: RouteHandle = {
  rateLimits: { POST: [{ limiter: "LIMIT_NORMAL", per: "session" }] },
};

export const loader = leadTo("/");

const names = (list: string) => (list === "" ? [] : list.split(","));
const reasonFields = z.object({
  liked: z.string().default("").transform(names),
  improve: z.string().default("").transform(names),
});

/** Saves the reasons of a rating: `liked` and `improve`, each repeated for each aspect. */
export async function action({ request, params, context }: ActionFunctionArgs) {
  const viewer = await requireViewer({ request, context });
  const songId = params.songId ?? "";
  const here = `/?rated=${encodeURIComponent(songId)}`;
  const page = { viewer, back: { label: "Back to your rating", href: here } };
  const error =
    "Please choose up to three, each as something you liked or something that could be better.";
  const lists = ["liked", "improve"];
  const fields = await requireFields(request, reasonFields, { error, lists, ...page });
  const bits = requireAccepted(request, reasonBits(fields) ?? reject(422, error), page);
  const json = requireAccepted(request, await giveReasons(context, viewer, { songId, bits }), page);
  return jsonOrRedirect(request, { json, to: here });
}
