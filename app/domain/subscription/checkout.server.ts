import { eq, lt, notInArray, sql } from "drizzle-orm";
import { type Billing, BillingError, type NewCheckout } from "~/adapters/billing/billing";
import type { Database } from "~/db/client.server";
import { subscriptions, users } from "~/db/schema";
import { addressOf } from "~/domain/contact/preferences.server";
import { type Refusal, refuse } from "~/domain/refusal";
import type { Viewer } from "~/domain/session/viewer.server";
import { logEvent } from "~/platform/log";
import { givesPremium, isLive, premiumStatuses } from "./record";
import { syncCustomer } from "./sync.server";
import { billingTexts } from "./texts";

/** What a caller may ask of a checkout; everything else is decided here. */
export interface CheckoutWishes {
  priceId?: string | undefined;
  successUrl?: string | undefined;
  cancelUrl?: string | undefined;
}

/**
 * Begins the checkout of premium, or goes on with the one begun before (spec section 4, "Subscribe
 * and manage"). However often and wherever it is pressed: one customer a user, one open checkout,
 * hence one subscription.
 * @returns where it is to be paid.
 */
export async function startCheckout(
  db: Database,
  billing: Billing,
  viewer: Viewer,
  wishes: CheckoutWishes,
  appOrigin: string,
  clock: () => number,
): Promise<{ url: string } | Refusal> {
  const addresses = returnAddresses(wishes, appOrigin);
  if (!addresses) return refuse(422, billingTexts.foreignAddress);
  if (viewer.subscription.tier === "premium") return refuse(409, billingTexts.already);
  try {
    const [price, known] = await Promise.all([
      billing.premiumPrice(),
      readBilling(db, viewer.userId),
    ]);
    if (!price.active) return refuse(503, billingTexts.checkoutFailed);
    if (wishes.priceId !== undefined && wishes.priceId !== price.id) {
      return refuse(422, billingTexts.foreignPrice);
    }
    const { userId } = viewer;
    const { customerId, bought } = await ownCustomer(billing, userId, known);
    const live = bought.filter((one) => isLive(one) && one.productIds.includes(price.productId));
    if (live.length > 0) {
      // The news of it have not arrived yet, or it is not paid for.
      const synced = await syncCustomer(db, billing, customerId, clock, { userId });
      const premium = synced !== null && givesPremium(synced.record);
      return refuse(409, premium ? billingTexts.already : billingTexts.unpaid);
    }
    const begun = known.checkoutId ? await billing.checkout(known.checkoutId) : null;
    if (begun?.status === "open" && begun.url) return { url: begun.url };
    return await begin(db, billing, clock, {
      customerId,
      userId,
      priceId: price.id,
      ...addresses,
      number: known.checkoutNumber + 1,
    });
  } catch (error) {
    if (!(error instanceof BillingError)) throw error;
    logEvent("checkout_failed", { error });
    return refuse(error.outage ? 503 : 502, billingTexts.checkoutFailed);
  }
}

/** The user's own customer with what it has bought; a new one where there is none, or none any more. */
async function ownCustomer(
  billing: Billing,
  userId: string,
  known: { customerId: string | null; email: string | null },
) {
  const found = known.customerId ? await billing.customer(known.customerId) : null;
  // One that was claimed by its address alone may be somebody else's: nothing is bought in its name.
  if (found?.userId === userId) {
    return { customerId: found.id, bought: await billing.subscriptions(found.id) };
  }
  const { email, customerId: replaces } = known;
  return { customerId: await billing.createCustomer({ userId, email, replaces }), bought: [] };
}

type Beginning = Omit<NewCheckout, "idempotencyKey"> & { number: number };

async function begin(
  db: Database,
  billing: Billing,
  clock: () => number,
  { number, ...wanted }: Beginning,
): Promise<{ url: string } | Refusal> {
  const { userId, customerId } = wanted;
  // Two presses at once see the same number, and get the same checkout.
  const idempotencyKey = await keyOf([number, ...Object.values(wanted)]);
  try {
    const { id: checkoutId, url } = await billing.createCheckout({ ...wanted, idempotencyKey });
    await rememberCheckout(db, { userId, customerId, checkoutId, number }, clock());
    await billing.expireCheckouts(customerId, checkoutId);
    return url ? { url } : refuse(502, billingTexts.noUrl);
  } catch (error) {
    // Stripe gives the same fault for the same key: the next press needs another one. Of any other
    // fault the customer has to be known, who may go without it.
    if (error instanceof BillingError) {
      const used = error.status >= 500;
      await rememberCheckout(db, { userId, customerId, checkoutId: null, number }, clock(), used);
    }
    throw error;
  }
}

/** Where the buyer comes back to, on this site alone; null where another was asked for. */
function returnAddresses({ successUrl, cancelUrl }: CheckoutWishes, appOrigin: string) {
  const wanted = {
    successUrl: successUrl ?? `${appOrigin}/subscription-success?session_id={CHECKOUT_SESSION_ID}`,
    cancelUrl: cancelUrl ?? `${appOrigin}/subscription-cancel`,
  };
  const own = Object.values(wanted).every((address) => isOwn(address, appOrigin));
  return own ? wanted : null;
}

/** Whether an address is on this site, however it is read: parsers differ about odd ones. */
function isOwn(address: string, appOrigin: string): boolean {
  const plain = address.startsWith(`${appOrigin}/`) && !/[\\\s]/.test(address);
  return plain && URL.canParse(address) && new URL(address).origin === appOrigin;
}

async function readBilling(db: Database, userId: string) {
  const [row] = await db
    .select({
      email: addressOf.as("address"),
      customerId: subscriptions.customerId,
      checkoutId: subscriptions.checkoutId,
      checkoutNumber: sql<number>`coalesce(${subscriptions.checkoutNumber}, 0)`.as("number"),
    })
    .from(users)
    .leftJoin(subscriptions, eq(subscriptions.userId, users.id))
    .where(eq(users.id, userId));
  return row ?? { email: null, customerId: null, checkoutId: null, checkoutNumber: 0 };
}

/**
 * Before anything is paid, so that what is paid can be told whose it is.
 * @param used whether the number is used up, and the next press needs another one.
 */
async function rememberCheckout(
  db: Database,
  begun: { userId: string; customerId: string; checkoutId: string | null; number: number },
  now: number,
  used = true,
) {
  const { userId, customerId, checkoutId, number } = begun;
  const checkoutNumber = used ? number : number - 1;
  const set = { customerId, checkoutId, checkoutNumber, updatedAt: now };
  await db
    .insert(subscriptions)
    .values({ userId, status: "none", tier: "free", ...set })
    .onConflictDoUpdate({
      target: subscriptions.userId,
      set,
      // What was bought meanwhile stays known by its own customer.
      setWhere: sql`${lt(subscriptions.checkoutNumber, number)}
        AND ${notInArray(subscriptions.status, premiumStatuses)}`,
    });
}

/** A key of a fixed length for a list of values. */
async function keyOf(values: (string | number)[]): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(values));
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return `fivefold-checkout-${Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}
