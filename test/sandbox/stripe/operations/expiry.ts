/** The expiry of checkout sessions. */
import type Stripe from "stripe";
import { emit } from "../events.ts";
import { type StripeService, timeOf } from "../service.ts";

/** Expires an open session; does nothing to others. */
export function expire(service: StripeService, session: Stripe.Checkout.Session): void {
  if (session.status !== "open") return;
  Object.assign(session, { status: "expired", url: null });
  emit(service, "checkout.session.expired", session);
}

/** Expires all sessions whose time is over. Called before sessions are read. */
export function expireDue(service: StripeService): void {
  const now = timeOf(service);
  for (const { session } of service.state.sessions.values()) {
    if (session.expires_at <= now) expire(service, session);
  }
}
