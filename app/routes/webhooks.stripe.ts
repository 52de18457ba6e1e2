import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import type { RouteHandle } from "~/http/route-handle";
import { toOperator, unclaimedPaymentMail } from "~/letters/operator-mails";
import { logEvent } from "~/platform/log";
import { handleEvent } from "~/premium/webhook.server";

export const handle: RouteHandle = {
  forPremium: true,
  rateLimits: { POST: [{ limiter: "LIMIT_WIDE", per: "address" }] },
  // Far above any event of Stripe's.
  maxBodyBytes: 262_144,
};

export function loader() {
  return Response.json(
    { error: "Events are posted here." },
    { status: 405, headers: { Allow: "POST" } },
  );
}

/**
 * Receives Stripe's events. Answers 400 unless Stripe signed the event within the last 300 seconds, 200 as
 * soon as the work is durable, and 500 if the event must be sent again.
 */
export async function action({ request, context }: ActionFunctionArgs) {
  const billing = context.billing();
  const signature = request.headers.get("Stripe-Signature");
  const body = new TextDecoder().decode(await request.arrayBuffer());
  const event = await billing.readEvent(body, signature);
  if (!event) {
    logEvent("webhook_refused");
    return Response.json({ error: "The signature is not valid." }, { status: 400 });
  }
  try {
    const mailUnclaimedPayment = (customerId: string, eventId: string) =>
      context
        .mailer()
        .send(
          toOperator(unclaimedPaymentMail(customerId), context.config),
          `unclaimed-payment:${eventId}`,
        );
    await handleEvent({ ...context, billing, mailUnclaimedPayment }, event);
    return Response.json({ received: true });
  } catch (error) {
    logEvent("webhook_failed", { type: event.type, eventId: event.id, error });
    return Response.json({ error: "Send it again." }, { status: 500 });
  }
}
