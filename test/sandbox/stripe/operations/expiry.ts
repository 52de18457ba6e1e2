/** Checkout sessions that were not paid in time. */
import type Stripe from "stripe";
import { emit } from "../events.ts";
import { type StripeService, timeOf } from "../service.ts";

/** Ends an open session; nothing for others. */
export function expire(service: StripeService, session: Stripe.Checkout.Session): void {
  if (session.status !== "open") return;
  Object.assign(session, { status: "expired", url: null });
  emit(service, "checkout.session.expired", session);
}

/** Expires what is due. Called before anybody looks. */
export function expireDue(service: StripeService): void {
  const now = timeOf(service);
  for (const { session } of service.state.sessions.values()) {
    if (session.expires_at <= now) expire(service, session);
  }
}
