import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import type { RouteHandle } from "~/http/route-handle";
import { suppressReturned } from "~/mailing/suppression.server";
import { logEvent } from "~/platform/log";

export const handle: RouteHandle = {
  rateLimits: { POST: [{ limiter: "LIMIT_WIDE", per: "address" }] },
  // Far above any event of Resend's.
  maxBodyBytes: 65_536,
};

export function loader() {
  return Response.json(
    { error: "Events are posted here." },
    { status: 405, headers: { Allow: "POST" } },
  );
}

/**
 * Receives Resend's events about mails that came back or were reported as spam, which end the mails to that
 * address (rule 34, unsubscribing). Answers 404 without a secret, 400 unless Resend signed the event within the last 300
 * seconds, 200 once it is written, and 500 if it must be sent again.
 */
export async function action({ request, context }: ActionFunctionArgs) {
  const { db, secret, readMailEvent } = context;
  if (!readMailEvent) return Response.json({ error: "No secret is set." }, { status: 404 });
  const body = new TextDecoder().decode(await request.arrayBuffer());
  const event = await readMailEvent(body, request.headers);
  if (event === "unsigned") {
    logEvent("mail_webhook_refused");
    return Response.json({ error: "The signature is not valid." }, { status: 400 });
  }
  try {
    if (event) {
      await suppressReturned(db, secret, event);
      logEvent("mail_returned", { kind: event.why });
    }
    return Response.json({ received: true });
  } catch (error) {
    logEvent("webhook_failed", { type: "mail", error });
    return Response.json({ error: "Send it again." }, { status: 500 });
  }
}
