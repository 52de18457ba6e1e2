/** What POST /control can do to the Stripe stand-in; documented in ../control.ts. */
import type Stripe from "stripe";
import { type ControlAction, controlError } from "../../context.ts";
import { parseRoute } from "../../faults.ts";
import { PREMIUM_PRICE_ID } from "../objects/prices.ts";
import { newSession } from "../objects/session.ts";
import { pay, successUrl } from "../operations/checkout.ts";
import { changeCard, createCustomer } from "../operations/customers.ts";
import { expireDue } from "../operations/expiry.ts";
import { payOpenInvoices, update } from "../operations/invoices.ts";
import {
  announceTrialEnd,
  begin,
  cancelNow,
  endPeriod,
  isOver,
  pause,
  resume,
  scheduleEnd,
} from "../operations/subscriptions.ts";
import { type StripeService, timeOf, WEBHOOK_SECRET } from "../service.ts";
import { liveCustomer, walletOf } from "../state.ts";

type Input = Record<string, unknown>;

const STATUSES = ["active", "past_due", "unpaid", "incomplete", "incomplete_expired", "paused"];

/** Changes of what there is. What only looks, and the webhooks, are in control-views.ts. */
export function stripeActions(service: StripeService): Record<string, ControlAction> {
  const { state, context } = service;

  function customerIn(input: Input): Stripe.Customer {
    const customer = liveCustomer(state, input.customer);
    if (!customer) throw controlError(`no customer ${String(input.customer)}`);
    return customer;
  }

  /** The subscription named, or the customer's newest that is not over. */
  function subscriptionIn(input: Input): Stripe.Subscription {
    const all = [...state.subscriptions.values()].filter((one) => !isOver(one));
    const found = all.findLast(({ id, customer }) =>
      input.subscription === undefined ? customer === input.customer : id === input.subscription,
    );
    if (!found) throw controlError("no such subscription, or it is over");
    return found;
  }

  /** An order about one subscription, which is what it answers. */
  function onSubscription(
    carryOut: (subscription: Stripe.Subscription, input: Input) => void,
  ): ControlAction {
    return (input) => {
      const subscription = subscriptionIn(input);
      carryOut(subscription, input);
      return { subscription };
    };
  }

  return {
    stripePay(input) {
      const checkout = state.sessions.get(String(input.session));
      if (!checkout) throw controlError(`no session ${String(input.session)}`);
      expireDue(service);
      const card = oneOf(input.card ?? "works", ["works", "declined"]);
      const result = pay(service, checkout, card, optional(input.email));
      if (result === "email") throw controlError("this session needs an email");
      const { session } = checkout;
      return { result, session, ...(result === "complete" ? { url: successUrl(session) } : {}) };
    },
    stripeSubscribe(input) {
      const email = optional(input.email);
      const userId = optional(input.userId);
      if (email === undefined) throw controlError("email is missing");
      const lines = [{ price: PREMIUM_PRICE_ID, quantity: 1 }];
      if (input.clientReference !== true) {
        const metadata = userId === undefined ? {} : { user_id: userId };
        const customer = createCustomer(service, { email, metadata });
        return { customer, subscription: begin(service, customer.id, lines, {}) };
      }
      const created = timeOf(service);
      const session = newSession({
        origin: context.origin(),
        created,
        expiresAt: created + 60 * 60,
        customer: null,
        customerEmail: email,
        clientReferenceId: userId ?? null,
        lines,
        successUrl: context.origin(),
        cancelUrl: null,
        metadata: {},
        allowPromotionCodes: null,
      });
      const checkout = { session, lines, subscriptionMetadata: {} };
      state.sessions.set(session.id, checkout);
      pay(service, checkout, "works");
      return {
        customer: state.customers.get(String(session.customer)),
        subscription: state.subscriptions.get(String(session.subscription)),
        session,
      };
    },
    stripeCard(input) {
      const customer = customerIn(input);
      const card = oneOf(input.card, ["works", "declined", "declinedOnce"]);
      if (card === "declinedOnce") walletOf(state, customer.id).declineNext = true;
      else changeCard(service, customer, card);
      context.store.changed();
      return undefined;
    },
    stripePeriod: onSubscription((subscription) => endPeriod(service, subscription)),
    stripeActionRequired: onSubscription((subscription) =>
      endPeriod(service, subscription, "action"),
    ),
    stripeCancel: onSubscription((subscription, input) => {
      if (oneOf(input.at, ["period_end", "now"]) === "now") cancelNow(service, subscription);
      else scheduleEnd(service, subscription, "period_end");
    }),
    stripeResume: onSubscription((subscription) => {
      if (subscription.status === "paused") resume(service, subscription);
      else scheduleEnd(service, subscription, null);
    }),
    stripePause: onSubscription((subscription) => pause(service, subscription)),
    stripeTrialEnd: onSubscription((subscription) => announceTrialEnd(service, subscription)),
    stripeStatus: onSubscription((subscription, input) => {
      update(service, subscription, { status: oneOf(input.status, STATUSES) });
    }),
    stripePayInvoice(input) {
      const subscription = subscriptionIn(input);
      return { paid: payOpenInvoices(service, subscription.id), subscription };
    },
    stripeLoseAnswer(input) {
      const route = parseRoute(String(input.route));
      if (!route) throw controlError('route must look like "POST /v1/customers"');
      service.lostAnswers.add({
        ...route,
        musician: optional(input.musician) ?? null,
        times: typeof input.times === "number" ? input.times : 1,
        delayMs: 0,
        failure: { status: 0, body: "", contentType: "", headers: {} },
      });
      return undefined;
    },
    stripeWebhook(input) {
      const url = optional(input.url);
      service.webhooks.endpoint =
        url === undefined ? null : { url, secret: optional(input.secret) ?? WEBHOOK_SECRET };
      return undefined;
    },
  };
}

export function optional(value: unknown): string | undefined {
  return value === undefined || value === null ? undefined : String(value);
}

function oneOf<T extends string>(value: unknown, allowed: readonly T[]): T {
  if (allowed.includes(value as T)) return value as T;
  throw controlError(`${String(value)} is not one of ${allowed.join(", ")}`);
}
