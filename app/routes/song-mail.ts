import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import * as z from "zod";
import { askForSongMail, endSongWish } from "~/exchange/carousel/empty-pool/empty-pool.server";
import {
  jsonOrRedirect,
  leadTo,
  requireAccepted,
  requireFields,
  requireViewer,
} from "~/http/require.server";
import { returnPath } from "~/http/return-path";
import type { RouteHandle } from "~/http/route-handle";

export const handle: RouteHandle = {
  rateLimits: { POST: [{ limiter: "LIMIT_NORMAL", per: "session" }] },
};

export const loader = leadTo("/");

const songMailFields = z.object({
  wanted: z.enum(["true", "false"]).transform((value) => value === "true"),
  next: z.string().optional(),
});

/** Asks for one mail when there are songs to rate again, or cancels it. */
export async function action({ request, context }: ActionFunctionArgs) {
  const viewer = await requireViewer({ request, context });
  const { wanted, next } = await requireFields(request, songMailFields, {
    error: "Please say whether you want this e-mail.",
    viewer,
  });
  const { db, secret } = context;
  const to = returnPath(next, context.routes);
  if (wanted) {
    const asked = await askForSongMail(db, viewer, { secret, now: context.now() });
    requireAccepted(request, asked, { viewer, back: { label: "Back", href: to } });
  } else {
    await endSongWish(db, viewer.userId);
  }
  return jsonOrRedirect(request, { json: { ok: true, wanted }, to });
}
