import { eq, lt, notInArray, sql } from "drizzle-orm";
import type { Database } from "~/db/client.server";
import { runBatch } from "~/db/gated";
import { insertSelect } from "~/db/insert-select";
import { subscriptions, users } from "~/db/schema";
import { endedLoginTexts } from "~/login/ended-login";
import { contactAddress } from "~/members/contact-address";
import { givesPremium, premiumStatuses } from "~/members/tiers";
import type { Viewer } from "~/members/viewer.server";
import { sha256 } from "~/platform/crypto.server";
import { logEvent } from "~/platform/log";
import { type Rejection, reject } from "~/platform/rejection";
import { type BilledSubscription, BillingError, type NewCheckout } from "./billing";
import { isLive } from "./record";
import type { Billing } from "./stripe.server";
import { type BillingServices, recordBefore, syncCustomer } from "./sync.server";
import { billingTexts } from "./texts";

interface CheckoutWishes {
  /** No trailing slash. */
  appOrigin: string;
  priceId?: string | undefined;
  successUrl?: string | undefined;
  cancelUrl?: string | undefined;
  /** A path of this site, checked; "/" where none is known. */
  returnTo: string;
}

/**
 * Begins the checkout of premium, or continues the one begun before, and returns the page to pay on. However
 * often the button is pressed, a user has one customer and one open checkout, and hence one subscription.
 */
export async function startCheckout(
  services: BillingServices,
  viewer: Viewer,
  wishes: CheckoutWishes,
): Promise<{ url: string } | Rejection> {
  const { db, billing } = services;
  const addresses = returnAddresses(billing, wishes);
  if (!addresses) return reject(422, billingTexts.foreignAddress);
  if (viewer.subscription.tier === "premium") return reject(409, billingTexts.already);
  try {
    const price = await billing.premiumPrice();
    if (!price.active) return reject(503, billingTexts.checkoutFailed);
    if (wishes.priceId !== undefined && wishes.priceId !== price.id) {
      return reject(422, billingTexts.foreignPrice);
    }
    const { userId } = viewer;
    const onRecord = await readBilling(db, userId, services.now());
    if (!onRecord) return refuseGone();
    const found = onRecord.customerId ? await billing.customer(onRecord.customerId) : null;
    // A customer that was matched by e-mail address alone may be somebody else's: nothing is bought for it.
    const customerId = found?.userId === userId ? found.id : null;
    const bought = customerId ? await billing.subscriptions(customerId) : [];
    const isLivePremium = (subscription: BilledSubscription) =>
      isLive(subscription) && subscription.productIds.includes(price.productId);
    if (customerId && bought.some(isLivePremium)) {
      // Its webhook has not arrived yet, or its payment is missing.
      const { before } = onRecord;
      const synced = await syncCustomer(services, customerId, { userId, before });
      if (synced.userId === null) return refuseGone();
      const premium = givesPremium(synced.record);
      return reject(409, premium ? billingTexts.already : billingTexts.unpaid);
    }
    const begun = onRecord.checkoutId ? await billing.checkout(onRecord.checkoutId) : null;
    const returnTo = wishes.returnTo === "/" ? null : wishes.returnTo;
    if (begun?.status === "open" && begun.url) {
      await db.update(subscriptions).set({ returnTo }).where(eq(subscriptions.userId, userId));
      return { url: begun.url };
    }
    const wanted = { userId, priceId: price.id, ...addresses };
    return await begin(services, wanted, { returnTo, customerId, onRecord });
  } catch (error) {
    if (!(error instanceof BillingError)) throw error;
    logEvent("checkout_failed", { error });
    return reject(error.outage ? 503 : 502, billingTexts.checkoutFailed);
  }
}

/**
 * Begins a checkout, for a new customer if there is none. If the account has been deleted in between, nothing
 * of it stays at the provider.
 */
async function begin(
  { db, billing, now }: BillingServices,
  wanted: Omit<NewCheckout, "idempotencyKey" | "customerId">,
  {
    onRecord,
    returnTo,
    customerId: ownCustomerId,
  }: { onRecord: BillingOnRecord; returnTo: string | null; customerId: string | null },
): Promise<{ url: string } | Rejection> {
  const { userId } = wanted;
  // Two presses at once see the same number, and get the same customer and checkout.
  const number = onRecord.checkoutNumber + 1;
  let customerId = ownCustomerId;
  try {
    const { email, customerId: replaces } = onRecord;
    customerId ??= await billing.createCustomer({ userId, email, replaces, number });
    const parameters = JSON.stringify([number, customerId, ...Object.values(wanted)]);
    const idempotencyKey = `fivefold-checkout-${await sha256(parameters)}`;
    const created = await billing.createCheckout({ ...wanted, customerId, idempotencyKey });
    const { id: checkoutId, url } = created;
    const begun = { userId, number, returnTo, now: now() };
    if (!(await rememberCheckout(db, { ...begun, customerId, checkoutId }))) {
      await billing.expireCheckout(checkoutId);
      await billing.deleteCustomer(customerId);
      return refuseGone();
    }
    await billing.expireCheckouts(customerId, checkoutId);
    return url ? { url } : reject(502, billingTexts.noUrl);
  } catch (error) {
    // Where the provider would repeat its answer to the same keys, the next press needs others. After any
    // other fault only the customer has to be remembered.
    if (error instanceof BillingError) {
      const begun = {
        ...{ userId, number, returnTo, now: now(), numberIsUsed: error.isKept },
        customerId: customerId ?? onRecord.customerId,
        checkoutId: customerId ? null : onRecord.checkoutId,
      };
      if (!(await rememberCheckout(db, begun))) {
        if (customerId) await billing.deleteCustomer(customerId);
        return refuseGone();
      }
    }
    throw error;
  }
}

/** The account was deleted in another tab or on another device. */
function refuseGone(): Rejection {
  return reject(401, endedLoginTexts.otherwise);
}

function returnAddresses(
  { checkoutIdPlaceholder: id }: Billing,
  { appOrigin, successUrl, cancelUrl }: CheckoutWishes,
) {
  const wanted = {
    successUrl: successUrl ?? `${appOrigin}/subscription-success?session_id=${id}`,
    cancelUrl: cancelUrl ?? `${appOrigin}/subscription-cancel`,
  };
  const own = Object.values(wanted).every((address) => isOwn(address, appOrigin));
  return own ? wanted : null;
}

/** Refuses unusual addresses, because parsers differ about them. */
function isOwn(address: string, appOrigin: string): boolean {
  const plain = address.startsWith(`${appOrigin}/`) && !/[\\\s]/.test(address);
  return plain && URL.canParse(address) && new URL(address).origin === appOrigin;
}

type BillingOnRecord = NonNullable<Awaited<ReturnType<typeof readBilling>>>;

/**
 * Null if the account is gone. A first row is written before the provider is asked for anything, so that
 * deleting the account finds the customer of a checkout that broke off.
 */
async function readBilling(db: Database, userId: string, now: number) {
  const { known } = await runBatch(db, {
    first: insertSelect(db, subscriptions, {
      row: { userId, status: "none", tier: "free", updatedAt: now },
      from: sql`FROM ${users} WHERE ${eq(users.id, userId)}`,
    }).onConflictDoNothing(),
    known: db
      .select({
        email: contactAddress.as("address"),
        customerId: subscriptions.customerId,
        checkoutId: subscriptions.checkoutId,
        checkoutNumber: subscriptions.checkoutNumber,
        before: recordBefore(sql`users.id`).as("before"),
      })
      .from(users)
      .innerJoin(subscriptions, eq(subscriptions.userId, users.id))
      .where(eq(users.id, userId)),
  });
  return known[0] ?? null;
}

/** Remembers a checkout before anything is paid, so that its payment finds its user. False if the user is gone. */
async function rememberCheckout(
  db: Database,
  {
    userId,
    customerId,
    number,
    numberIsUsed = true,
    now,
    ...begun
  }: {
    userId: string;
    customerId: string | null;
    checkoutId: string | null;
    number: number;
    numberIsUsed?: boolean;
    returnTo: string | null;
    now: number;
  },
): Promise<boolean> {
  const checkoutNumber = numberIsUsed ? number : number - 1;
  const set = { ...begun, customerId, checkoutNumber, updatedAt: now };
  const isSameCustomer = sql`${subscriptions.customerId} IS ${customerId}`;
  const isUser = eq(users.id, userId);
  const { user } = await runBatch(db, {
    row: insertSelect(db, subscriptions, {
      row: { userId, status: "none", tier: "free", ...set },
      from: sql`FROM ${users} WHERE ${isUser}`,
    }).onConflictDoUpdate({
      target: subscriptions.userId,
      set: {
        ...set,
        matchedAddress: sql`CASE WHEN ${isSameCustomer} THEN ${subscriptions.matchedAddress} END`,
      },
      // A subscription that was bought in between keeps its own customer.
      setWhere: sql`${lt(subscriptions.checkoutNumber, number)}
        AND ${notInArray(subscriptions.status, premiumStatuses)}`,
    }),
    user: db.select({ id: users.id }).from(users).where(isUser),
  });
  return user.length > 0;
}
