import { sql } from "drizzle-orm";
import type { Database } from "~/db/client.server";
import { subscriptions } from "~/db/schema";
import { givesPremium } from "~/members/tiers";
import {
  loadViewer,
  selectViewer,
  toViewer,
  type Viewer,
  viewerIdOf,
} from "~/members/viewer.server";
import { logEvent } from "~/platform/log";
import { BillingError, type CheckoutSession } from "./billing";
import { type BillingServices, syncCustomer } from "./sync.server";
import { successTexts } from "./texts";

/** The state of a checkout after the payment provider has sent the buyer back. */
export type CheckoutResult =
  | { state: "processing" }
  /**
   * `known` is false if the checkout was begun outside the product; otherwise who began it gets the subscription,
   * whatever address it was paid with. `email` is that address, for the buyer alone, because the page's address may be
   * passed on. `written` says that premium is on record.
   */
  | { state: "success"; email: string | null; written: boolean; known: boolean }
  | { state: "error"; error: string; status: 400 | 404 | 502 | 503 };

type LookupServices = BillingServices & { config: { contactEmail: string } };

/** `returnTo` is the path that the checkout leads its buyer back to, once it is paid and recorded. */
export async function lookUpCheckout(
  services: LookupServices,
  { checkoutId, loginId }: { checkoutId: string; loginId: string | null },
) {
  const { db, now } = services;
  const found = await findCheckout(services, checkoutId);
  const looked: WrittenCheckout =
    "state" in found ? { result: found } : await recordCheckout(services, found, loginId);
  const { result, returnTo = null } = looked;
  const viewer =
    looked.viewer === undefined ? await loadViewer(db, loginId, { now: now() }) : looked.viewer;
  if (result.state !== "success") return { result, viewer, returnTo: null };
  const isBuyer = viewer !== null && viewer.userId === looked.buyerId;
  if (!isBuyer) return { result: { ...result, email: null }, viewer, returnTo: null };
  return { result, viewer, returnTo: result.written ? returnTo : null };
}

interface WrittenCheckout {
  result: CheckoutResult;
  /** Whoever began the checkout, or to whom its subscription was matched. */
  buyerId?: string | null;
  viewer?: Viewer | null;
  returnTo?: string | null;
}

/** Reads the viewer in the same batch, after the record, so that the tier badge is right at once. */
async function recordCheckout(
  services: LookupServices,
  { id, email, customerId, userId, isExpired }: FoundCheckout,
  loginId: string | null,
): Promise<WrittenCheckout> {
  const { db, now, config } = services;
  const bought = { state: "success", email, known: userId !== null } as const;
  try {
    if (isExpired || !customerId) throw new Error("Nothing was bought");
    const synced = await syncCustomer(
      services,
      customerId,
      { userId },
      {
        viewer: selectViewer(db, { sessionId: loginId ?? "", now: now() }),
        returnTo: selectReturnTo(db, loginId ?? "", now()),
      },
    );
    if (synced.userId === null) {
      return { result: { ...bought, written: false }, buyerId: userId };
    }
    return {
      result: { ...bought, written: givesPremium(synced.record) },
      buyerId: userId ?? synced.userId,
      viewer: toViewer(synced.also.viewer),
      returnTo: synced.also.returnTo[0]?.returnTo ?? null,
    };
  } catch (error) {
    logEvent("subscription_not_written", { checkoutId: id, error });
    const text = successTexts.failed(config.contactEmail);
    return { result: { state: "error", error: text, status: 502 } };
  }
}

interface FoundCheckout {
  id: string;
  email: string;
  customerId: string | null;
  userId: string | null;
  isExpired: boolean;
}

async function findCheckout(
  { billing, config }: Pick<LookupServices, "billing" | "config">,
  checkoutId: string,
): Promise<FoundCheckout | CheckoutResult> {
  if (checkoutId === "") {
    return { state: "error", error: successTexts.noSessionId(config.contactEmail), status: 400 };
  }
  let checkout: CheckoutSession | null;
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

/** A page with this parameter itself shows what premium has unlocked, so the checkout leads straight to it. */
const unlockedParam = "unlocked";

export function selectReturnTo(db: Database, loginId: string, now: number) {
  return db
    .select({ returnTo: subscriptions.returnTo })
    .from(subscriptions)
    .where(sql`${subscriptions.userId} = ${viewerIdOf(loginId, now)}`);
}

export function showsUnlocked(path: string): boolean {
  return queryOf(path).has(unlockedParam);
}

/** The path for a buyer who gave up the checkout: without the parameter. */
export function withoutUnlocked(path: string): string {
  const { pathname, hash } = new URL(path, "https://here.invalid");
  const query = queryOf(path);
  query.delete(unlockedParam);
  return `${pathname}${query.size > 0 ? `?${query}` : ""}${hash}`;
}

function queryOf(path: string): URLSearchParams {
  return new URL(path, "https://here.invalid").searchParams;
}
