import { type ActionFunctionArgs, redirect } from "@remix-run/cloudflare";
import * as z from "zod";
import { requestConfirmation } from "~/domain/contact/address.server";
import { enqueueMail } from "~/domain/outbox/outbox.server";
import { isRefusal, refuse } from "~/domain/refusal";
import { loginRequired, refusalResponse, wantsJson } from "~/http/error-response.server";
import { readFields } from "~/http/fields.server";

export function loader() {
  return redirect("/account");
}

/** The longest that mail servers take (RFC 5321, path). */
const address = z.string().trim().max(254).pipe(z.email());
const back = { label: "Back to my account", href: "/account" };

/** Has a link mailed to the user's own `address`, by which they confirm it. */
export async function action({ request, context }: ActionFunctionArgs) {
  const fields = await readFields(request);
  if (isRefusal(fields)) return refusalResponse(request, fields);
  const viewer = await context.viewer();
  if (!viewer) return loginRequired(request);

  const parsed = address.safeParse(fields.get("address") ?? "");
  if (!parsed.success) {
    const refusal = refuse(422, "This is not an e-mail address we can write to.");
    return refusalResponse(request, refusal, viewer, back);
  }
  const { db, config, outboxQueue } = context;
  const asked = await requestConfirmation(
    db,
    config.sessionSecret,
    viewer.userId,
    parsed.data,
    context.now(),
  );
  if (isRefusal(asked)) return refusalResponse(request, asked, viewer, back);
  context.waitUntil(enqueueMail(outboxQueue, asked.outboxId));
  if (wantsJson(request)) return Response.json({ ok: true, address: parsed.data });
  return redirect("/account", 303);
}
