/** Control actions that change Stripe's state; ../../control.ts documents them. */
import type Stripe from "stripe";
import {
  type ControlAction,
  controlError,
  faultTarget,
  type Input,
  oneOf,
  optionalText,
} from "../../control-action.ts";
import { CONNECTION_CUT } from "../../faults.ts";
import { newId } from "../objects/ids.ts";
import { PREMIUM_PRICE_ID } from "../objects/prices.ts";
import { newSession } from "../objects/session.ts";
import { pay, successUrl } from "../operations/checkout.ts";
import { changeCard, createCustomer } from "../operations/customers.ts";
import { expireDue } from "../operations/expiry.ts";
import { payOpenInvoices, updateSubscription } from "../operations/invoices.ts";
import {
  announceTrialEnd,
  beginSubscription,
  cancelNow,
  endPeriod,
  hasEnded,
  pause,
  pauseCollection,
  resume,
  scheduleEnd,
} from "../operations/subscriptions.ts";
import { type StripeService, timeOf, WEBHOOK_SECRET } from "../service.ts";
import { liveCustomer, walletOf } from "../state.ts";

const STATUSES = ["active", "past_due", "unpaid", "incomplete", "incomplete_expired", "paused"];

export function stripeActions(service: StripeService): Record<string, ControlAction> {
  const { state, context } = service;

  function customerIn(input: Input): Stripe.Customer {
    const customer = liveCustomer(state, input.customer);
    if (!customer) throw controlError(`no customer ${String(input.customer)}`);
    return customer;
  }

  /** The subscription that is named, or the customer's newest; only those that have not ended. */
  function subscriptionIn(input: Input): Stripe.Subscription {
    const all = [...state.subscriptions.values()].filter((candidate) => !hasEnded(candidate));
    const found = all.findLast(({ id, customer }) =>
      input.subscription === undefined ? customer === input.customer : id === input.subscription,
    );
    if (!found) throw controlError("no such subscription, or it is over");
    return found;
  }

  /** An action on one subscription, which it returns. */
  function onSubscription(
    act: (subscription: Stripe.Subscription, input: Input) => void,
  ): ControlAction {
    return (input) => {
      const subscription = subscriptionIn(input);
      act(subscription, input);
      return { subscription };
    };
  }

  return {
    stripePay(input) {
      const checkout = state.sessions.get(String(input.session));
      if (!checkout) throw controlError(`no session ${String(input.session)}`);
      expireDue(service);
      const card = oneOf(input.card ?? "works", ["works", "declined"]);
      const result = pay(service, checkout, card, optionalText(input.email));
      if (result === "email") throw controlError("this session needs an email");
      const { session } = checkout;
      return { result, session, ...(result === "complete" ? { url: successUrl(session) } : {}) };
    },
    stripeSubscribe(input) {
      const email = optionalText(input.email);
      const userId = optionalText(input.userId);
      if (email === undefined) throw controlError("email is missing");
      const prices = Array.isArray(input.prices) ? input.prices.map(String) : [PREMIUM_PRICE_ID];
      const quantity = Number(input.quantity ?? 1);
      const lines = prices.map((price) => ({ price, quantity }));
      if (input.clientReference !== true) {
        const metadata = userId === undefined ? {} : { user_id: userId };
        const customer = createCustomer(service, { email, metadata });
        return { customer, subscription: beginSubscription(service, customer.id, lines, {}) };
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
    stripePauseCollection: onSubscription((subscription, input) => {
      const behaviors = ["keep_as_draft", "mark_uncollectible", "void"] as const;
      const behavior = input.behavior === null ? null : oneOf(input.behavior, [...behaviors]);
      pauseCollection(service, subscription, behavior);
    }),
    stripeCoupon: onSubscription((subscription, input) => {
      const coupon = {
        percentOff: Number(input.percentOff),
        invoices: Number(input.invoices ?? 1),
      };
      walletOf(state, String(subscription.customer)).coupon = coupon;
      const discounts = [newId("di_1")];
      updateSubscription(service, subscription, { discounts });
    }),
    stripeInvoiced: onSubscription((subscription) => {
      updateSubscription(service, subscription, {
        collection_method: "send_invoice",
        days_until_due: 30,
      });
    }),
    stripeTrialEnd: onSubscription((subscription) => announceTrialEnd(service, subscription)),
    stripeStatus: onSubscription((subscription, input) => {
      updateSubscription(service, subscription, { status: oneOf(input.status, STATUSES) });
    }),
    stripePayInvoice(input) {
      const subscription = subscriptionIn(input);
      return { paid: payOpenInvoices(service, subscription.id), subscription };
    },
    stripeIndex(input) {
      for (const { id, metadata } of state.customers.values()) {
        if (metadata.user_id === input.userId) state.indexed.add(id);
      }
      return undefined;
    },
    stripeLoseAnswer(input) {
      const target = faultTarget(input);
      service.lostAnswers.add({ ...target, delayMs: 0, failure: CONNECTION_CUT });
      return undefined;
    },
    stripeWebhook(input) {
      const url = optionalText(input.url);
      service.webhooks.endpoint =
        url === undefined ? null : { url, secret: optionalText(input.secret) ?? WEBHOOK_SECRET };
      return undefined;
    },
  };
}
