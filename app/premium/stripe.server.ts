import Stripe from "stripe";
import { type Caller, product } from "~/platform/caller";
import type { StripeConfig } from "~/platform/env";
import { amountText } from "./amount";
import {
  type BilledSubscription,
  type Billing,
  BillingError,
  type BillingEvent,
  type CheckoutSession,
  type NextPayment,
} from "./billing";

/** Time limit for an answer of Stripe's, in milliseconds, and the number of times a call is retried. */
const timeoutMs = 8000;
const retries = 2;

/** The events that can mean that a subscription has changed. */
const subscriptionEvents = new Set([
  "checkout.session.completed",
  "customer.subscription.created",
  "customer.subscription.updated",
  "customer.subscription.deleted",
  "customer.subscription.paused",
  "customer.subscription.resumed",
  "customer.subscription.trial_will_end",
  "invoice.paid",
  "invoice.payment_failed",
  "invoice.payment_action_required",
]);

/** Stripe, through its own library. */
export function createStripe(config: StripeConfig, { appOrigin }: Caller): Billing {
  const { protocol, hostname, port } = new URL(config.apiUrl);
  const stripe = new Stripe(config.secretKey, {
    httpClient: Stripe.createFetchHttpClient(),
    protocol: protocol === "http:" ? "http" : "https",
    host: hostname,
    ...(port ? { port: Number(port) } : {}),
    timeout: timeoutMs,
    maxNetworkRetries: retries,
    telemetry: false,
    // The library puts it behind its own name in the User-Agent.
    appInfo: { ...product, url: appOrigin },
  });

  async function expireCheckout(sessionId: string) {
    // A checkout that was completed meanwhile can no longer expire.
    await orNull(stripe.checkout.sessions.expire(sessionId));
  }

  async function expireCheckouts(customer: string, keep: string | null) {
    const query = { customer, status: "open", limit: 100 } as const;
    const open = await orNull(stripe.checkout.sessions.list(query));
    for (const { id } of open?.data ?? []) {
      if (id !== keep) await expireCheckout(id);
    }
  }

  return {
    checkoutIdPlaceholder: "{CHECKOUT_SESSION_ID}",
    async premiumPrice() {
      // A price that is no longer sold still tells which product premium is.
      const query = { lookup_keys: [config.priceLookupKey], limit: 1 };
      const [price] = (await ask(stripe.prices.list(query))).data;
      if (!price) throw new BillingError(503, "There is no price for premium.");
      return { id: price.id, productId: idOf(price.product), active: price.active };
    },
    async createCustomer({ userId, email, replaces, number }) {
      // Without the address, which may change: the key must always come with the same parameters.
      const params = { metadata: { user_id: userId } };
      const idempotencyKey = `fivefold-customer-${userId}-${replaces ?? "first"}-${number}`;
      const { id } = await ask(stripe.customers.create(params, { idempotencyKey }));
      // A convenience: without an address the checkout asks for one, and the customer is there.
      if (email) await ask(stripe.customers.update(id, { email })).catch(ignoreBillingError);
      return id;
    },
    async customersOf(userId) {
      const query = `metadata["user_id"]:"${userId}"`;
      const { data } = await ask(stripe.customers.search({ query, limit: 100 }));
      return data.map(({ id }) => id);
    },
    async customer(customerId) {
      const found = await orNull(stripe.customers.retrieve(customerId));
      if (!found || found.deleted) return null;
      return { id: found.id, userId: found.metadata.user_id ?? null, email: found.email };
    },
    async subscriptions(customer) {
      const list = await ask(
        stripe.subscriptions
          .list({ customer, status: "all", limit: 100, expand: ["data.latest_invoice"] })
          .autoPagingToArray({ limit: 1000 }),
      );
      return list.map(toSubscription);
    },
    async nextPayment(subscription, productId) {
      // Only Stripe knows what discounts, taxes, credits and schedules come to. It answers 404 if none is due.
      const preview = await orNull(stripe.invoices.createPreview({ subscription }));
      return preview && toNextPayment(preview, productId);
    },
    async createCheckout(checkout) {
      const metadata = { user_id: checkout.userId };
      const params: Stripe.Checkout.SessionCreateParams = {
        mode: "subscription",
        customer: checkout.customerId,
        client_reference_id: checkout.userId,
        line_items: [{ price: checkout.priceId, quantity: 1 }],
        success_url: checkout.successUrl,
        cancel_url: checkout.cancelUrl,
        metadata,
        subscription_data: { metadata },
      };
      const { idempotencyKey } = checkout;
      return toCheckout(await ask(stripe.checkout.sessions.create(params, { idempotencyKey })));
    },
    async checkout(sessionId) {
      if (!/^cs_\w+$/.test(sessionId)) return null;
      const found = await orNull(stripe.checkout.sessions.retrieve(sessionId));
      return found && toCheckout(found);
    },
    async findCheckoutUser(customer) {
      const { data } = await ask(stripe.checkout.sessions.list({ customer, limit: 100 }));
      return data.find((session) => session.client_reference_id)?.client_reference_id ?? null;
    },
    expireCheckout,
    expireCheckouts,
    async endSubscription(subscriptionId) {
      await orGone(stripe.subscriptions.cancel(subscriptionId));
    },
    async deleteCustomer(customerId) {
      // Stripe promises of the subscriptions alone that they end with their customer.
      await expireCheckouts(customerId, null);
      await orGone(stripe.customers.del(customerId));
    },
    async createPortal(customer, return_url) {
      const { url } = await ask(stripe.billingPortal.sessions.create({ customer, return_url }));
      return url;
    },
    async readEvent(body, signature) {
      if (!signature) return null;
      try {
        const { webhookSecret } = config;
        return toEvent(await stripe.webhooks.constructEventAsync(body, signature, webhookSecret));
      } catch {
        return null;
      }
    },
  };
}

/**
 * Waits for an answer of Stripe's, which is one object or several, each saying what it is.
 * @throws BillingError for whatever Stripe's library throws, and for any other answer.
 */
async function ask<T extends { object: string } | { object: string }[]>(
  answer: Promise<T>,
): Promise<T> {
  try {
    const answered = await answer;
    if ([answered].flat().every(({ object }) => typeof object === "string")) return answered;
  } catch (error) {
    if (error instanceof Stripe.errors.StripeError) {
      throw new BillingError(error.statusCode ?? 0, error.message);
    }
  }
  throw new BillingError(0, "Stripe's answer could not be read");
}

function ignoreBillingError(error: unknown): void {
  if (!(error instanceof BillingError)) throw error;
}

/** Like `ask`, but null if Stripe has nothing under that id, or refuses because of its state. */
function orNull<T extends { object: string }>(answer: Promise<T>): Promise<T | null> {
  return nullAt([400, 404], ask(answer));
}

/** Like `ask`, but null if Stripe has nothing under that id any more. A refusal is thrown. */
function orGone<T extends { object: string }>(answer: Promise<T>): Promise<T | null> {
  return nullAt([404], ask(answer));
}

async function nullAt<T>(statuses: number[], answer: Promise<T>): Promise<T | null> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof BillingError && statuses.includes(error.status)) return null;
    throw error;
  }
}

function toSubscription(subscription: Stripe.Subscription): BilledSubscription {
  const { id, created, start_date, ended_at, items, latest_invoice } = subscription;
  const { collection_method, pause_collection } = subscription;
  return {
    id,
    status: statusWhilePaused(subscription),
    isCharged: collection_method === "charge_automatically" && !pause_collection,
    createdAt: created * 1000,
    startedAt: start_date * 1000,
    cancelAt: cancelTime(subscription),
    ...failureOf(latest_invoice),
    endedAt: toMs(ended_at),
    productIds: items.data.map(({ price }) => idOf(price.product)),
  };
}

/**
 * Where the collection of payments is paused, a subscription stays active at Stripe, and each new period gets an
 * invoice that nobody pays.
 */
function statusWhilePaused({
  status,
  pause_collection,
  latest_invoice,
}: Stripe.Subscription): string {
  const isPaid = typeof latest_invoice === "object" && latest_invoice?.status === "paid";
  const isCurrent = status === "active" || status === "past_due";
  return pause_collection && isCurrent && !isPaid ? "paused" : status;
}

/** The product's own part of an invoice that is to come; null if it has none. */
function toNextPayment(
  { lines, amount_due, currency }: Stripe.Invoice,
  productId: string,
): NextPayment | null {
  const isOwn = ({ pricing }: Stripe.InvoiceLineItem) =>
    pricing?.price_details?.product === productId;
  const period = lines.data.find(
    (line) => isOwn(line) && line.parent?.subscription_item_details?.proration === false,
  )?.period;
  if (!period) return null;
  const isAlone = !lines.has_more && lines.data.every(isOwn);
  const amount = isAlone ? amountText(amount_due, currency) : null;
  return { at: period.start * 1000, until: period.end * 1000, amount };
}

/** The portal sets `cancel_at`; the API itself sets a flag for the end of the period. */
function cancelTime({ cancel_at, cancel_at_period_end, items }: Stripe.Subscription) {
  const end = cancel_at ?? (cancel_at_period_end ? items.data[0]?.current_period_end : null);
  return toMs(end);
}

/** Stripe counts in seconds. */
function toMs(time: number | null | undefined): number | null {
  return time ? time * 1000 : null;
}

/** An invoice is charged as soon as it is final; one that is open after that attempt was not paid. */
function failureOf(invoice: Stripe.Subscription["latest_invoice"]) {
  const latest = typeof invoice === "object" ? invoice : null;
  if (latest?.status !== "open" || !latest.attempted) return { failedAt: null, retryAt: null };
  return {
    failedAt: toMs(latest.status_transitions.finalized_at),
    retryAt: toMs(latest.next_payment_attempt),
  };
}

function toCheckout(session: Stripe.Checkout.Session): CheckoutSession {
  return {
    id: session.id,
    status: statusOf(session),
    userId: session.client_reference_id,
    customerId: session.customer && idOf(session.customer),
    email: session.customer_details?.email ?? session.customer_email,
    url: session.url,
  };
}

/** A status that is unknown here counts as expired, which cannot be paid. */
function statusOf({ status }: Stripe.Checkout.Session): CheckoutSession["status"] {
  if (status === "open") return "open";
  return status === "complete" ? "complete" : "expired";
}

function toEvent({ id, type, data }: Stripe.Event): BillingEvent {
  const object = data.object as {
    object: string;
    id?: string;
    customer?: string | { id: string } | null;
  };
  const customer = object.object === "customer" ? object.id : object.customer;
  return {
    id,
    type,
    concernsSubscription: subscriptionEvents.has(type),
    isPayment: type === "invoice.paid",
    customerId: customer ? idOf(customer) : null,
    checkoutSessionId: object.object === "checkout.session" ? (object.id ?? null) : null,
  };
}

/** The id of an object that Stripe gives as an id or, if expanded, as a whole. */
function idOf(reference: string | { id: string }): string {
  return typeof reference === "string" ? reference : reference.id;
}
