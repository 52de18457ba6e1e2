/** Stripe's stand-in for tests inside workerd: its state, its events and its pages. */
import { env } from "cloudflare:workers";
import type Stripe from "stripe";
import { type TestUser, unique } from "../database/factories";
import { makeSession } from "../login";
import { request } from "../request";
import { control } from "../sandbox";

export interface StripeState {
  customers: (Omit<Stripe.Customer, "deleted"> & { deleted: boolean })[];
  subscriptions: Stripe.Subscription[];
  sessions: Stripe.Checkout.Session[];
}

export function stripeState(
  whose: { customer: string } | { userId: string },
): Promise<StripeState> {
  return control<StripeState>("stripeState", whose);
}

export interface SentEvent {
  id: string;
  type: string;
  signed: { payload: string; header: string };
}

export async function eventsOf(customer: string): Promise<SentEvent[]> {
  return (await control<{ events: SentEvent[] }>("stripeEvents", { customer })).events;
}

export async function eventOf(customer: string, type: string): Promise<SentEvent> {
  const found = (await eventsOf(customer)).findLast((event) => event.type === type);
  if (!found) throw new Error(`there was no ${type}`);
  return found;
}

export function deliver({ signed }: SentEvent): Promise<Response> {
  return postEvent(signed.payload, signed.header);
}

export function postEvent(body: BodyInit, signature?: string): Promise<Response> {
  const signed = signature === undefined ? {} : { "Stripe-Signature": signature };
  const accept = "*/*; q=0.5, application/xml";
  const headers = { "Content-Type": "application/json; charset=utf-8", Accept: accept, ...signed };
  return request("/webhooks/stripe", { body, headers });
}

export async function stripeApi<Answer>(
  method: string,
  path: string,
  fields?: Record<string, string>,
): Promise<Answer> {
  const response = await fetch(`${env.SANDBOX_ORIGIN}/v1${path}`, {
    method,
    headers: { Authorization: `Bearer ${env.STRIPE_SECRET_KEY}` },
    body: fields ? new URLSearchParams(fields) : null,
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`);
  return response.json<Answer>();
}

export async function press(cookie: string): Promise<string> {
  const response = await request("/checkout-session", { cookie, json: {} });
  const answer = await response.json<{ url?: string }>();
  const id = /\/(cs_\w+)$/.exec(answer.url ?? "")?.[1];
  if (!id) throw new Error(`no checkout: ${response.status} ${JSON.stringify(answer)}`);
  return id;
}

export interface Buyer {
  user: TestUser;
  cookie: string;
  checkoutId: string;
  customer: string;
  subscription: string;
}

/** `email` is typed on the checkout page if the user has none. */
export async function makeBuyer(
  user: TestUser,
  { email, musician = "demo-free" }: { email?: string; musician?: string } = {},
): Promise<Buyer> {
  const { cookie } = await makeSession(user, { musician });
  const checkoutId = await press(cookie);
  const { session } = await pay(checkoutId, email);
  const { customer, subscription } = session;
  return {
    user,
    cookie,
    checkoutId,
    customer: String(customer),
    subscription: String(subscription),
  };
}

export function pay(session: string, email?: string) {
  return control<{ result: string; session: Stripe.Checkout.Session }>("stripePay", {
    session,
    ...(email === undefined ? {} : { email }),
  });
}

/** A subscription made in Stripe's dashboard, without the app. */
export async function subscribeByHand(
  email: string,
  fields: {
    userId?: string;
    clientReference?: boolean;
    prices?: string[];
    quantity?: number;
  } = {},
) {
  type Made = { customer: Stripe.Customer; subscription: Stripe.Subscription };
  const made = await control<Made>("stripeSubscribe", { email, ...fields });
  return { customer: made.customer.id, subscription: made.subscription.id };
}

export function freeEmail(): string {
  return `${unique("buyer")}@elsewhere.example`;
}

export async function recordOf(user: TestUser): Promise<Record<string, unknown> | null> {
  return env.DB.prepare(
    `SELECT status, tier, subscription_id, customer_id, started_at, cancel_at
     FROM subscriptions WHERE user_id = ?`,
  )
    .bind(user.id)
    .first();
}

export async function toldByStripe(customer: string): Promise<Record<string, unknown>> {
  const [found, ...more] = (await stripeState({ customer })).subscriptions;
  if (!found || more.length > 0) throw new Error("not one subscription");
  return {
    status: found.status,
    tier: "premium",
    subscription_id: found.id,
    customer_id: customer,
    started_at: found.start_date * 1000,
    cancel_at: found.cancel_at === null ? null : found.cancel_at * 1000,
  };
}
