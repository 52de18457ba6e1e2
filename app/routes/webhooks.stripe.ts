import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import { enqueueMail } from "~/domain/outbox/outbox.server";
import { handleEvent } from "~/domain/subscription/webhook.server";
import { readBody } from "~/http/fields.server";
import { logEvent } from "~/platform/log";

/** No event of Stripe's comes near it, in bytes. */
const largestEvent = 262_144;

export function loader() {
  return Response.json(
    { error: "Events are posted here." },
    { status: 405, headers: { Allow: "POST" } },
  );
}

/**
 * Stripe's events. 400 for what Stripe has not signed within the last 300 seconds; 200 once the
 * work is durable, 500 where it has to come again.
 */
export async function action({ request, context }: ActionFunctionArgs) {
  const body = await readBody(request, largestEvent);
  if (!body) return Response.json({ error: "The event is too large." }, { status: 413 });
  const billing = context.billing();
  const signature = request.headers.get("Stripe-Signature");
  const event = await billing.readEvent(new TextDecoder().decode(body), signature);
  if (!event) {
    logEvent("webhook_refused");
    return Response.json({ error: "The signature is not good." }, { status: 400 });
  }
  try {
    const outboxId = await handleEvent(context.db, billing, event, context.now);
    if (outboxId) context.waitUntil(enqueueMail(context.outboxQueue, outboxId));
    return Response.json({ received: true });
  } catch (error) {
    logEvent("webhook_failed", { type: event.type, eventId: event.id, error });
    return Response.json({ error: "Please send it again." }, { status: 500 });
  }
}
