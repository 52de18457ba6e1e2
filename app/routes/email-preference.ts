import { type ActionFunctionArgs, redirect } from "@remix-run/cloudflare";
import * as z from "zod";
import { savePreference } from "~/domain/contact/email-preferences.server";
import {
  jsonOrRedirect,
  requireAccepted,
  requireFields,
  requireViewer,
} from "~/http/require.server";
import { returnPath } from "~/http/return-path";
import type { RouteHandle } from "~/http/route-handle";

export const handle: RouteHandle = {
  rateLimits: { POST: [{ limiter: "LIMIT_NORMAL", per: "session" }] },
};

export function loader() {
  return redirect("/ratings-of-my-songs");
}

const wanted = z.enum(["true", "false"]).transform((value) => value === "true");
const next = z.string().optional();
const preferenceFields = z.union([
  z.object({ receiveRatingEmails: wanted, next }),
  z.object({ receiveSubscriptionEmails: wanted, next }),
]);

/** Saves whether the user wants mails: `receiveRatingEmails` or `receiveSubscriptionEmails`. */
export async function action({ request, context }: ActionFunctionArgs) {
  const viewer = await requireViewer({ request, context });
  const { next, ...choice } = await requireFields(request, preferenceFields, {
    error: "Please say whether you want these e-mails.",
    viewer,
  });
  const path = returnPath(next, context.routes);
  const preference =
    "receiveRatingEmails" in choice
      ? { topic: "rating" as const, wanted: choice.receiveRatingEmails }
      : { topic: "subscription" as const, wanted: choice.receiveSubscriptionEmails };
  const options = { ...preference, secret: context.config.sessionSecret, now: context.now() };
  const saved = await savePreference(context.db, viewer, options);
  requireAccepted(request, saved, { viewer, back: { label: "Back", href: path } });
  const screen = new URL(path, context.config.appOrigin);
  screen.searchParams.set("saved", "1");
  const to = `${screen.pathname}${screen.search}`;
  return jsonOrRedirect(request, { json: { ok: true, ...choice }, to });
}
