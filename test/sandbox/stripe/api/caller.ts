import { musicianFor } from "../../musician.ts";
import { musicianOfCustomer, musicianOfSession } from "../owner.ts";
import type { StripeState } from "../state.ts";

/** The musician that a call is about, found by the ids in its path and by its fields. */
export function musicianOfCall(
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
      .map((candidate) => state.customers.get(String(candidate)))
      .find((found) => found !== undefined);
    const musician = musicianOfCustomer(customer) ?? musicianOfSession(session);
    if (musician !== null) return musician;
  }
  return musicianFor(
    /^metadata\["user_id"\]:"(.*)"$/.exec(fields.query ?? "")?.[1] ??
      fields["metadata[user_id]"] ??
      fields["subscription_data[metadata][user_id]"] ??
      fields.client_reference_id,
    fields.email ?? fields.customer_email,
  );
}
