import Stripe from "stripe";
import { type Caller, product } from "~/platform/caller";
import type { StripeConfig } from "~/platform/env";
import { logEvent } from "~/platform/log";
import {
  type BilledSubscription,
  BillingError,
  type BillingEvent,
  type CheckoutSession,
  type CustomerAttempt,
  type NewCheckout,
  type NextPayment,
} from "./billing";

const timeoutMs = 8000;
const retries = 2;

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

/** The payment provider. Every call may throw a BillingError. Calls for one thing return null if it does not exist. */
export type Billing = ReturnType<typeof createStripe>;

export function createStripe(config: StripeConfig, { appOrigin }: Caller) {
  const { protocol, hostname, port } = new URL(config.apiUrl);
  const stripe = new Stripe(config.secretKey, {
    httpClient: Stripe.createFetchHttpClient(),
    protocol: protocol === "http:" ? "http" : "https",
    host: hostname,
    ...(port ? { port: Number(port) } : {}),
    timeout: timeoutMs,
    maxNetworkRetries: retries,
    telemetry: false,
    appInfo: { ...product, url: appOrigin },
  });

  async function expireCheckout(sessionId: string) {
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
    /** Creates the user's customer, or returns the one that the same attempt has created before. */
    async createCustomer({
      userId,
      email,
      replaces,
      number,
    }: CustomerAttempt & { email: string | null }) {
      // The address is left out, because it may change and a key must always come with the same parameters.
      const params = { metadata: { user_id: userId } };
      const idempotencyKey = `fivefold-customer-${userId}-${replaces ?? "first"}-${number}`;
      const { id } = await ask(stripe.customers.create(params, { idempotencyKey }));
      // This may fail, because the checkout asks for a missing address.
      if (email) await ask(stripe.customers.update(id, { email })).catch(ignoreBillingError);
      return id;
    },
    /** All customers that were created for a user. Stripe may need a minute to find a new one, or longer. */
    async customersOf(userId: string) {
      const query = `metadata["user_id"]:"${userId}"`;
      const { data } = await ask(stripe.customers.search({ query, limit: 100 }));
      return data.map(({ id }) => id);
    },
    /** `userId` is null for a customer that was created outside the product. */
    async customer(customerId: string) {
      const found = await orNull(stripe.customers.retrieve(customerId));
      if (!found || found.deleted) return null;
      return { id: found.id, userId: found.metadata.user_id ?? null, email: found.email };
    },
    async subscriptions(customer: string) {
      const list = await ask(
        stripe.subscriptions
          .list({ customer, status: "all", limit: 100, expand: ["data.latest_invoice"] })
          .autoPagingToArray({ limit: 1000 }),
      );
      return list.map(toSubscription);
    },
    async nextPayment(subscription: string, productId: string) {
      // Only Stripe knows what discounts, taxes, credits and schedules come to. It answers 404 if none is due.
      const preview = await orNull(stripe.invoices.createPreview({ subscription }));
      const fault = preview && taxFault(preview);
      if (fault) logEvent("tax_refused", { reason: fault });
      return preview && toNextPayment(preview, productId);
    },
    async createCheckout(checkout: NewCheckout) {
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
      const begin = (given: typeof params, key = idempotencyKey) =>
        ask(stripe.checkout.sessions.create(given, { idempotencyKey: key }));
      if (!config.taxed) return toCheckout(await begin(params));
      try {
        const taxed = { automatic_tax: { enabled: true }, customer_update: { address: "auto" } };
        return toCheckout(await begin({ ...params, ...taxed } as typeof params));
      } catch (error) {
        if (!(error instanceof BillingError) || error.status !== 400) throw error;
        const untaxed = await begin(params, `${idempotencyKey}-untaxed`);
        logEvent("tax_refused", { error });
        return toCheckout(untaxed);
      }
    },
    async checkout(sessionId: string) {
      if (!/^cs_\w+$/.test(sessionId)) return null;
      const found = await orNull(stripe.checkout.sessions.retrieve(sessionId));
      return found && toCheckout(found);
    },
    async findCheckoutUser(customer: string) {
      const { data } = await ask(stripe.checkout.sessions.list({ customer, limit: 100 }));
      return data.find((session) => session.client_reference_id)?.client_reference_id ?? null;
    },
    expireCheckout,
    expireCheckouts,
    /** Ends it with what is paid for. */
    async cancelSubscription(subscriptionId: string) {
      await ask(stripe.subscriptions.update(subscriptionId, { cancel_at_period_end: true }));
    },
    /** Pays back what was paid last. The same call again pays nothing more. */
    async refund(subscriptionId: string) {
      const { latest_invoice } = await ask(stripe.subscriptions.retrieve(subscriptionId));
      if (!latest_invoice) return;
      const paid = { invoice: idOf(latest_invoice as { id: string }), status: "paid" } as const;
      for (const { payment } of (await ask(stripe.invoicePayments.list(paid))).data) {
        if (!payment.payment_intent) continue;
        const payment_intent = idOf(payment.payment_intent);
        const isRefunded = async () =>
          (await ask(stripe.refunds.list({ payment_intent, limit: 1 }))).data.length > 0;
        if (await isRefunded()) continue;
        // Without a key, because Stripe would repeat a fault under it for a day. It refunds no payment twice.
        await ask(stripe.refunds.create({ payment_intent })).catch(async (error) => {
          if (!(await isRefunded())) throw error;
        });
      }
    },
    async endSubscription(subscriptionId: string) {
      await orNull(stripe.subscriptions.cancel(subscriptionId), [404]);
    },
    /** Ends everything of a customer at once. Invoices stay at the provider, as the law requires. */
    async deleteCustomer(customerId: string) {
      // Stripe does not promise that checkouts end with their customer.
      await expireCheckouts(customerId, null);
      await orNull(stripe.customers.del(customerId), [404]);
    },
    async createPortal(customer: string, return_url: string) {
      const { url } = await ask(stripe.billingPortal.sessions.create({ customer, return_url }));
      return url;
    },
    /** Null if the signature of a webhook's raw body is missing, invalid or older than 300 seconds. */
    async readEvent(body: string, signature: string | null) {
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

/** Throws a BillingError for whatever Stripe's library throws, and for answers that are no objects of Stripe's. */
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

/** Null if Stripe has nothing under that id, or, where 400 counts too, refuses because of its state. */
async function orNull<T extends { object: string }>(
  answer: Promise<T>,
  statuses = [400, 404],
): Promise<T | null> {
  try {
    return await ask(answer);
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

/** While payments are paused, Stripe keeps a subscription active, and nobody pays its invoices. */
function statusWhilePaused({
  status,
  pause_collection,
  latest_invoice,
}: Stripe.Subscription): string {
  const isPaid = typeof latest_invoice === "object" && latest_invoice?.status === "paid";
  const isCurrent = status === "active" || status === "past_due";
  return pause_collection && isCurrent && !isPaid ? "paused" : status;
}

/** Why Stripe works out no tax that it is to work out; null if it does. */
function taxFault({ automatic_tax: tax, total_taxes: taxes }: Stripe.Invoice): string | null {
  if (!tax?.enabled) return tax?.disabled_reason ?? null;
  if (tax.status !== "complete") return tax.status;
  const isUnregistered = taxes?.some((one) => one.taxability_reason === "not_collecting");
  return isUnregistered ? "not_collecting" : null;
}

function toNextPayment(
  { lines, amount_due, currency, automatic_tax }: Stripe.Invoice,
  productId: string,
): NextPayment | null {
  const isOfProduct = ({ pricing }: Stripe.InvoiceLineItem) =>
    pricing?.price_details?.product === productId;
  const period = lines.data.find(
    (line) => isOfProduct(line) && line.parent?.subscription_item_details?.proration === false,
  )?.period;
  if (!period) return null;
  const isAlone = !lines.has_more && lines.data.every(isOfProduct);
  const amount = isAlone ? amountText(amount_due, currency) : null;
  const vat = automatic_tax?.enabled ? ", VAT included" : "";
  return { at: period.start * 1000, until: period.end * 1000, amount, vat };
}

/** The portal sets `cancel_at`, the API a flag for the end of the period. */
function cancelTime({ cancel_at, cancel_at_period_end, items }: Stripe.Subscription) {
  const end = cancel_at ?? (cancel_at_period_end ? items.data[0]?.current_period_end : null);
  return toMs(end);
}

function toMs(seconds: number | null | undefined): number | null {
  return seconds ? seconds * 1000 : null;
}

/** An invoice that is open after it was attempted was not paid. */
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

/** An unknown status counts as expired, which cannot be paid. */
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

function idOf(reference: string | { id: string }): string {
  return typeof reference === "string" ? reference : reference.id;
}

/** Stripe counts these currencies in whole units, those below in thousandths, and all others in hundredths. */
const wholeCurrencies = "bif clp djf gnf jpy kmf krw mga pyg rwf vnd vuv xaf xof xpf".split(" ");
const thousandthCurrencies = "bhd jod kwd omr tnd".split(" ");

export function amountText(units: number, currency: string): string {
  const digits = thousandthCurrencies.includes(currency)
    ? 3
    : wholeCurrencies.includes(currency)
      ? 0
      : 2;
  const fraction = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  return `${currency.toUpperCase()} ${(units / 10 ** digits).toLocaleString("en", fraction)}`;
}
