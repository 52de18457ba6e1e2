import { loadViewer, selectViewer, toViewer, type Viewer } from "~/members/viewer.server";
import { logEvent } from "~/platform/log";
import { type Billing, BillingError } from "./billing";
import type { CheckoutResult } from "./checkout-result";
import { givesPremium } from "./record";
import { selectReturnTo } from "./return-to.server";
import { type BillingServices, syncCustomerWith } from "./sync.server";
import { successTexts } from "./texts";

/** The services of looking up a checkout. */
export interface LookupServices extends BillingServices {
  config: { contactEmail: string };
}

/** The outcome of a checkout, and the viewer after it was recorded. */
export interface CheckoutLookup {
  result: CheckoutResult;
  viewer: Viewer | null;
  /** The path that the checkout leads its buyer back to, once it is paid and recorded; else null. */
  returnTo: string | null;
}

/**
 * Looks up a checkout and records the subscription that it led to.
 * @param loginId the key of the visitor's login, or null.
 */
export async function lookUpCheckout(
  services: LookupServices,
  { checkoutId, loginId }: { checkoutId: string; loginId: string | null },
): Promise<CheckoutLookup> {
  const { db, now } = services;
  const found = await findCheckout(services, checkoutId);
  if ("state" in found) {
    const viewer = await loadViewer(db, loginId, { now: now() });
    return { result: found, viewer, returnTo: null };
  }
  const { result, buyerId, ...written } = await recordCheckout(services, found, loginId);
  const viewer =
    written.viewer === undefined ? await loadViewer(db, loginId, { now: now() }) : written.viewer;
  const isBuyer = viewer !== null && viewer.userId === buyerId;
  if (result.state !== "success") return { result, viewer, returnTo: null };
  if (!isBuyer) return { result: { ...result, email: null }, viewer, returnTo: null };
  return { result, viewer, returnTo: result.written ? (written.returnTo ?? null) : null };
}

/** A checkout after its subscription was recorded. */
interface WrittenCheckout {
  result: CheckoutResult;
  /** The user who began the checkout, or to whom its subscription was matched; null without one. */
  buyerId: string | null;
  /** Undefined if nothing was written, as `returnTo`. */
  viewer?: Viewer | null;
  /** The path that the viewer's latest checkout leads back to. */
  returnTo?: string | null;
}

/**
 * Records the subscription of a checkout. The viewer is read in the same batch, after the record, so that the
 * tier badge is right at once.
 */
async function recordCheckout(
  services: LookupServices,
  { id, email, customerId, userId, isExpired }: FoundCheckout,
  loginId: string | null,
): Promise<WrittenCheckout> {
  const { db, now, config } = services;
  try {
    if (isExpired || !customerId) throw new Error("Nothing was bought");
    const hint = { begunBy: userId };
    const synced = await syncCustomerWith(services, customerId, hint, {
      viewer: selectViewer(db, { sessionId: loginId ?? "", now: now() }),
      returnTo: selectReturnTo(db, loginId ?? "", now()),
    });
    if (synced.userId === null) {
      return { result: { state: "success", email, written: false, userId }, buyerId: userId };
    }
    const written = givesPremium(synced.record);
    return {
      result: { state: "success", email, written, userId },
      buyerId: userId ?? synced.userId,
      viewer: toViewer(synced.also.viewer),
      returnTo: synced.also.returnTo[0]?.returnTo ?? null,
    };
  } catch (error) {
    logEvent("subscription_not_written", { checkoutId: id, error });
    const text = successTexts.failed(config.contactEmail);
    return { result: { state: "error", error: text, status: 502 }, buyerId: null };
  }
}

interface FoundCheckout {
  id: string;
  email: string;
  customerId: string | null;
  userId: string | null;
  isExpired: boolean;
}

/** The checkout at the payment provider, or the result where there is nothing to record. */
async function findCheckout(
  { billing, config }: Pick<LookupServices, "billing" | "config">,
  checkoutId: string,
): Promise<FoundCheckout | CheckoutResult> {
  if (checkoutId === "") {
    return { state: "error", error: successTexts.noSessionId(config.contactEmail), status: 400 };
  }
  let checkout: Awaited<ReturnType<Billing["checkout"]>>;
  try {
    checkout = await billing.checkout(checkoutId);
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
  const { id, status, email, customerId, userId } = checkout;
  if (status === "open") return { state: "processing" };
  if (!email) return { state: "error", error: successTexts.noEmail(id), status: 404 };
  return { id, email, customerId, userId, isExpired: status === "expired" };
}
