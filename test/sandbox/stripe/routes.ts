/** The endpoints of api.stripe.com that the app calls. */
import type Stripe from "stripe";
import { cancelNow, hasEnded, nextPeriod, scheduleEnd } from "./billing.ts";
import { createCustomer, deleteCustomer } from "./checkout.ts";
import { found, StripeFailure } from "./errors.ts";
import {
  lineItems,
  newInvoice,
  newPortalSession,
  newRefund,
  newSession,
  paymentOf,
  periodOf,
  prices,
} from "./objects.ts";
import { liveCustomer, newest, percentOffNext, type StripeService, timeOf } from "./state.ts";

/** How long the search may not know of a customer, in milliseconds. */
const SEARCH_LAG_MS = 60_000;

/** Returns the body of the response or throws StripeFailure; `id` is that of the path. */
export type Route = (fields: URLSearchParams, id: string) => object;

/** The endpoints by method and path. */
export function stripeApiRoutes(service: StripeService): Record<string, Route> {
  const { context, state } = service;
  const customerWith = (id: string) => found("customer", id, liveCustomer(state, id));
  const subscriptionWith = (id: string) => found("subscription", id, state.subscriptions.get(id));
  const checkoutWith = (id: string) => found("checkout.session", id, state.sessions.get(id));
  function customerIn(fields: URLSearchParams): string | null {
    const id = fields.get("customer");
    return id && found("customer", id, liveCustomer(state, id), 400).id;
  }

  return {
    "GET /prices"(fields) {
      const key = fields.get("lookup_keys[0]");
      return page(
        prices.filter(({ lookup_key }) => lookup_key === key),
        fields,
      );
    },
    "POST /customers": (fields) =>
      createCustomer(service, {
        email: fields.get("email"),
        metadata: metadataIn(fields, "metadata"),
      }),
    "GET /customers/search"(fields) {
      const query = fields.get("query") ?? "";
      const [, key = "", value] = /^metadata\["(\w+)"\]:"([^"\\]*)"$/.exec(query) ?? [];
      const known = context.now() - SEARCH_LAG_MS;
      const matching = newest(state.customers).filter(
        ({ id, created, metadata }) =>
          metadata[key] === value &&
          !state.deleted.has(id) &&
          (created * 1000 <= known || state.indexed.has(id)),
      );
      return { ...page(matching, fields), object: "search_result", next_page: null };
    },
    "GET /customers/:id": (_, id) => (state.deleted.has(id) ? deleted(id) : customerWith(id)),
    "POST /customers/:id": (fields, id) =>
      Object.assign(customerWith(id), { email: fields.get("email") }),
    "DELETE /customers/:id"(_, id) {
      deleteCustomer(service, customerWith(id));
      return deleted(id);
    },
    "GET /subscriptions"(fields) {
      const customer = fields.get("customer") ?? "";
      found("customer", customer, state.customers.get(customer), 400);
      const all = newest(state.subscriptions).filter((one) => one.customer === customer);
      const listed = page(all, fields);
      if (fields.get("expand[0]") !== "data.latest_invoice") return listed;
      const data = listed.data.map((one) => ({
        ...one,
        latest_invoice: state.invoices.get(String(one.latest_invoice)) ?? null,
      }));
      return { ...listed, data };
    },
    "GET /subscriptions/:id": (_, id) => subscriptionWith(id),
    "POST /subscriptions/:id"(fields, id) {
      const subscription = subscriptionWith(id);
      if (hasEnded(subscription)) {
        throw new StripeFailure(400, "A canceled subscription can only update its metadata.");
      }
      const ends = fields.get("cancel_at_period_end") === "true";
      scheduleEnd(service, subscription, ends);
      return Object.assign(subscription, { cancel_at_period_end: ends });
    },
    "GET /invoice_payments"(fields) {
      const invoice = state.invoices.get(fields.get("invoice") ?? "");
      const payments = invoice?.status === "paid" ? [paymentOf(invoice)] : [];
      return { object: "list", data: payments, has_more: false };
    },
    "GET /refunds"(fields) {
      const intent = fields.get("payment_intent");
      return page(
        newest(state.refunds).filter(({ payment_intent }) => payment_intent === intent),
        fields,
      );
    },
    "POST /refunds"(fields) {
      const intent = fields.get("payment_intent") ?? "";
      const refunded = [...state.refunds.values()].some((one) => one.payment_intent === intent);
      if (refunded) throw new StripeFailure(400, "Charge has already been refunded.");
      const refund = newRefund(intent, timeOf(service));
      state.refunds.set(refund.id, refund);
      return refund;
    },
    "DELETE /subscriptions/:id"(_, id) {
      const subscription = subscriptionWith(id);
      if (hasEnded(subscription)) throw new StripeFailure(404, `No such subscription: '${id}'`);
      cancelNow(service, subscription);
      return subscription;
    },
    "POST /invoices/create_preview"(fields) {
      const subscription = subscriptionWith(fields.get("subscription") ?? "");
      const customer = liveCustomer(state, subscription.customer);
      if (!customer || !willBeBilled(subscription)) {
        throw new StripeFailure(404, "No upcoming invoices");
      }
      const { end } = periodOf(subscription);
      return newInvoice({
        subscription,
        reason: "upcoming",
        created: end,
        period: nextPeriod(subscription, end),
        percentOff: percentOffNext(state, customer.id),
        taxLacks: state.taxLacks,
      });
    },
    "POST /checkout/sessions"(fields) {
      const price = fields.get("line_items[0][price]") ?? "";
      const known = prices.find(({ id }) => id === price);
      found("price", price, known, 400);
      const lines = [{ price, quantity: Number(fields.get("line_items[0][quantity]")) }];
      const isTaxed = fields.get("automatic_tax[enabled]") === "true";
      if (isTaxed && state.taxLacks.has("origin")) {
        throw new StripeFailure(
          400,
          "You must have a valid origin address to enable automatic tax calculation.",
        );
      }
      if (isTaxed && fields.get("customer") && fields.get("customer_update[address]") !== "auto") {
        throw new StripeFailure(
          400,
          "Automatic tax calculation in Checkout requires a valid address on the Customer, or `customer_update[address]` set to 'auto'.",
        );
      }
      const session = newSession({
        origin: context.origin(),
        created: timeOf(service),
        customer: customerIn(fields),
        customer_email: fields.get("customer_email"),
        client_reference_id: fields.get("client_reference_id"),
        success_url: fields.get("success_url") ?? "",
        cancel_url: fields.get("cancel_url"),
        metadata: metadataIn(fields, "metadata"),
      });
      const subscriptionMetadata = metadataIn(fields, "subscription_data[metadata]");
      state.sessions.set(session.id, { session, lines, subscriptionMetadata, isTaxed });
      return session;
    },
    "GET /checkout/sessions"(fields) {
      const status = fields.get("status");
      const customer = fields.get("customer");
      const sessions = newest(state.sessions).map(({ session }) => session);
      return page(
        sessions.filter(
          (one) => one.customer === customer && (status === null || one.status === status),
        ),
        fields,
      );
    },
    "GET /checkout/sessions/:id"(fields, id) {
      const { session, lines } = checkoutWith(id);
      if (fields.get("expand[]") !== "line_items") return session;
      return { ...session, line_items: lineItems(lines) };
    },
    "POST /checkout/sessions/:id/expire"(_, id) {
      const { session } = checkoutWith(id);
      if (session.status !== "open") {
        throw new StripeFailure(400, "Only open Checkout Sessions can be expired.");
      }
      return Object.assign(session, { status: "expired", url: null });
    },
    "POST /billing_portal/sessions"(fields) {
      const session = newPortalSession({
        origin: context.origin(),
        created: timeOf(service),
        customer: customerIn(fields) ?? "",
        return_url: fields.get("return_url"),
      });
      state.portals.set(session.id, session);
      return session;
    },
  };
}

function deleted(id: string): Stripe.DeletedCustomer {
  return { id, object: "customer", deleted: true };
}

function willBeBilled(subscription: Stripe.Subscription): boolean {
  const { status, cancel_at } = subscription;
  const ends = cancel_at !== null && cancel_at <= periodOf(subscription).end;
  return !ends && !hasEnded(subscription) && status !== "paused";
}

function metadataIn(fields: URLSearchParams, name: string): Record<string, string> {
  const own = [...fields].filter(([field]) => field.startsWith(`${name}[`));
  return Object.fromEntries(own.map(([field, value]) => [field.slice(name.length + 1, -1), value]));
}

function page<T extends { id: string }>(all: T[], fields: URLSearchParams) {
  const start = all.findIndex(({ id }) => id === fields.get("starting_after")) + 1;
  const data = all.slice(start, start + Number(fields.get("limit") ?? 10));
  return { object: "list", data, has_more: start + data.length < all.length };
}
