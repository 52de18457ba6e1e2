/** Which musician a customer, or a call about one, belongs to. */
import type Stripe from "stripe";
import { musicianById, musicians } from "../catalogue.ts";
import type { StripeState } from "./state.ts";

const byEmail = new Map(
  musicians.flatMap(({ email, id }) =>
    email === null ? [] : [[email.toLowerCase(), id] as const],
  ),
);

/**
 * The musician whose seeded user ("user-demo-premium") or e-mail address it is; else the user's id as
 * it stands, so that tests with users of their own can name those; null where nothing is known.
 */
export function whose(userId: string | null | undefined, email: string | null | undefined) {
  const seeded = userId?.startsWith("user-") ? userId.slice("user-".length) : "";
  if (musicianById.has(seeded)) return seeded;
  return byEmail.get((email ?? "").toLowerCase()) ?? (userId || null);
}

export function musicianOf(customer: Stripe.Customer | undefined): string | null {
  return customer ? whose(customer.metadata.user_id, customer.email) : null;
}

/** Whose call it is, by what its address and its fields name. */
export function callerOf(
  state: StripeState,
  path: string,
  fields: Record<string, string>,
): string | null {
  const ids = [...path.split("/"), fields.customer ?? "", fields.subscription ?? ""];
  for (const id of ids) {
    const session = state.sessions.get(id)?.session;
    const customer = [
      id,
      session?.customer,
      state.subscriptions.get(id)?.customer,
      state.invoices.get(id)?.customer,
    ]
      .map((one) => state.customers.get(String(one)))
      .find((one) => one !== undefined);
    const found =
      musicianOf(customer) ?? whose(session?.client_reference_id, session?.customer_email);
    if (found !== null) return found;
  }
  return whose(
    fields["metadata[user_id]"] ??
      fields["subscription_data[metadata][user_id]"] ??
      fields.client_reference_id,
    fields.email ?? fields.customer_email,
  );
}
