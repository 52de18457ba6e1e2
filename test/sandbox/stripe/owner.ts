/** Which musician a customer or a checkout session belongs to. */
import type Stripe from "stripe";
import { musicianFor } from "../musician.ts";

export function musicianOfCustomer(customer: Stripe.Customer | undefined): string | null {
  return customer ? musicianFor(customer.metadata.user_id, customer.email) : null;
}

/** Goes by the session's own fields, not by its customer. */
export function musicianOfSession(session: Stripe.Checkout.Session | undefined): string | null {
  return musicianFor(session?.client_reference_id, session?.customer_email);
}
