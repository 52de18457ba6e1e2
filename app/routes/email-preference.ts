import { type ActionFunctionArgs, redirect } from "@remix-run/cloudflare";
import * as z from "zod";
import { savePreference } from "~/domain/contact/preferences.server";
import type { MailTopic } from "~/domain/contact/topics";
import { isRefusal, refuse } from "~/domain/refusal";
import { loginRequired, refusalResponse, wantsJson } from "~/http/error-response.server";
import { readFields } from "~/http/fields.server";
import { returnPath } from "~/http/return-path";

export function loader() {
  return redirect("/ratings-of-my-songs");
}

const wanted = z.enum(["true", "false"]).transform((value) => value === "true");
const preference = z.union([
  z.object({ receiveRatingEmails: wanted }),
  z.object({ receiveSubscriptionEmails: wanted }),
]);

/** Saves whether the user wants mails: `receiveRatingEmails` or `receiveSubscriptionEmails`. */
export async function action({ request, context }: ActionFunctionArgs) {
  const fields = await readFields(request);
  if (isRefusal(fields)) return refusalResponse(request, fields);
  const viewer = await context.viewer();
  if (!viewer) return loginRequired(request);

  const next = returnPath(fields.get("next"));
  const back = { label: "Back", href: next };
  const parsed = preference.safeParse(Object.fromEntries(fields));
  if (!parsed.success) {
    const refusal = refuse(422, "Please say whether you want these e-mails.");
    return refusalResponse(request, refusal, viewer, back);
  }
  const [topic, value]: [MailTopic, boolean] =
    "receiveRatingEmails" in parsed.data
      ? ["rating", parsed.data.receiveRatingEmails]
      : ["subscription", parsed.data.receiveSubscriptionEmails];
  const saved = await savePreference(context.db, viewer.userId, topic, value, context.now());
  if (!saved) {
    const refusal = refuse(409, "There is no e-mail address to write to. Please give one first.");
    return refusalResponse(request, refusal, viewer, back);
  }
  if (wantsJson(request)) return Response.json({ ok: true, ...parsed.data });
  const screen = new URL(next, context.config.appOrigin);
  screen.searchParams.set("saved", "1");
  return redirect(`${screen.pathname}${screen.search}`, 303);
}
