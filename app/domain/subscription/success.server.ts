import { type Billing, BillingError } from "~/adapters/billing/billing";
import type { Database } from "~/db/client.server";
import { logEvent } from "~/platform/log";
import type { CheckoutResult } from "./checkout-result";
import { givesPremium } from "./record";
import { readCustomer, type Synced } from "./sync.server";
import { successTexts } from "./texts";

/**
 * What became of a checkout, and writes down the subscription it led to (spec section 2,
 * "Subscription success page").
 * @param contact the operator's e-mail address.
 * @param write carries the statements out; a page reads its viewer in the same round trip.
 */
export async function lookUpCheckout(
  db: Database,
  billing: Billing,
  sessionId: string,
  contact: string,
  clock: () => number,
  write: (statements: Synced["write"]) => Promise<unknown> = (statements) => db.batch(statements),
): Promise<CheckoutResult> {
  if (sessionId === "") {
    return { state: "error", error: successTexts.noSessionId(contact), status: 400 };
  }
  let checkout: Awaited<ReturnType<Billing["checkout"]>>;
  try {
    // What cannot be an id is not worth a question.
    checkout = /^cs_\w+$/.test(sessionId) ? await billing.checkout(sessionId) : null;
  } catch (error) {
    if (!(error instanceof BillingError)) throw error;
    logEvent("lookup_failed", { error });
    const text = error.outage ? successTexts.unreachable : successTexts.refused;
    const status = error.outage ? 503 : 502;
    return { state: "error", error: successTexts.fetchFailed(text), status };
  }
  if (!checkout) {
    const error = successTexts.fetchFailed(successTexts.unknown);
    return { state: "error", error, status: 404 };
  }
  if (checkout.status === "open") return { state: "processing" };
  const { email, customerId, userId } = checkout;
  if (!email) return { state: "error", error: successTexts.noEmail(checkout.id), status: 404 };
  try {
    if (checkout.status === "expired" || !customerId) throw new Error("Nothing was bought");
    const synced = await readCustomer(db, billing, customerId, clock, { begunBy: userId });
    if (synced) await write(synced.write);
    const written = synced !== null && givesPremium(synced.record);
    return { state: "success", email, written, userId };
  } catch (error) {
    logEvent("subscription_not_written", { checkoutId: checkout.id, error });
    return { state: "error", error: successTexts.failed(contact), status: 502 };
  }
}
