import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import * as z from "zod";
import {
  jsonOrRedirect,
  leadTo,
  requireAccepted,
  requireFields,
  requireViewer,
} from "~/http/require.server";
import { returnPath } from "~/http/return-path";
import type { RouteHandle } from "~/http/route-handle";
import { savePreferences } from "~/members/email-preferences.server";
import { ratingMailRhythms } from "~/members/rating-mail-rhythm";

export const handle: RouteHandle = {
  rateLimits: { POST: [{ limiter: "LIMIT_NORMAL", per: "session" }] },
};

export const loader = leadTo("/ratings-of-my-songs");

const wanted = z
  .enum(["true", "false"])
  .transform((value) => value === "true")
  .optional();
const preferenceFields = z
  .object({
    receiveRatingEmails: wanted,
    receiveSubscriptionEmails: wanted,
    ratingMailRhythm: z.enum(ratingMailRhythms).optional(),
    next: z.string().optional(),
  })
  .refine(({ next: _next, ...choice }) => Object.keys(choice).length > 0);

/**
 * Saves the user's choices about mails: `receiveRatingEmails`, `receiveSubscriptionEmails` and
 * `ratingMailRhythm`, at least one of them. A field that is left out stays as it is; for an unchecked box, a
 * hidden field before it says "false".
 */
export async function action({ request, context }: ActionFunctionArgs) {
  const viewer = await requireViewer({ request, context });
  const { next, ...choice } = await requireFields(request, preferenceFields, {
    error: "Please choose which of these e-mails you want, and how often.",
    viewer,
  });
  const path = returnPath(next, context.routes);
  const { db, mailQueue, config } = context;
  const services = { db, mailQueue, secret: config.sessionSecret, now: context.now() };
  const saved = await savePreferences(services, viewer, choice);
  requireAccepted(request, saved, { viewer, back: { label: "Back", href: path } });
  const screen = new URL(path, config.appOrigin);
  screen.searchParams.set("saved", "1");
  const to = `${screen.pathname}${screen.search}`;
  return jsonOrRedirect(request, { json: { ok: true, ...choice }, to });
}
