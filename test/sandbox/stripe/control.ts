/** Stripe's control actions, which ../README.md lists. */
import type Stripe from "stripe";
import {
  type ControlAction,
  controlError,
  faultTarget,
  type Input,
  oneOf,
  optionalText,
} from "../control-action.ts";
import { CONNECTION_CUT } from "../faults.ts";
import {
  announceTrialEnd,
  beginSubscription,
  cancelNow,
  endPeriod,
  hasEnded,
  payOpenInvoices,
  scheduleEnd,
  updateSubscription,
} from "./billing.ts";
import { createCustomer, pay } from "./checkout.ts";
import { newSession, PREMIUM_PRICE_ID } from "./objects.ts";
import {
  musicianOfCustomer,
  musicianOfSession,
  type StripeService,
  timeOf,
  walletOf,
} from "./state.ts";

const STATUSES = ["active", "past_due", "unpaid", "incomplete", "incomplete_expired", "paused"];

export function stripeActions(service: StripeService): Record<string, ControlAction> {
  const { state, context, webhooks } = service;

  /** An action on the subscription that is named, or on the customer's newest, which it returns. */
  function onSubscription(
    act: (subscription: Stripe.Subscription, input: Input) => void,
  ): ControlAction {
    return (input) => {
      const running = [...state.subscriptions.values()].filter((one) => !hasEnded(one));
      const subscription = running.findLast(({ id, customer }) =>
        input.subscription === undefined ? customer === input.customer : id === input.subscription,
      );
      if (!subscription) throw controlError("no such subscription, or it is over");
      act(subscription, input);
      return { subscription };
    };
  }

  return {
    stripePay(input) {
      const checkout = state.sessions.get(String(input.session));
      if (!checkout) throw controlError(`no session ${String(input.session)}`);
      const result = pay(service, checkout, "works", optionalText(input.email));
      if (result === "email") throw controlError("this session needs an email");
      return { result, session: checkout.session };
    },
    stripeSubscribe(input) {
      const email = String(input.email);
      const userId = optionalText(input.userId);
      const prices = Array.isArray(input.prices) ? input.prices.map(String) : [PREMIUM_PRICE_ID];
      const quantity = Number(input.quantity ?? 1);
      const lines = prices.map((price) => ({ price, quantity }));
      if (input.clientReference !== true) {
        const metadata = userId === undefined ? {} : { user_id: userId };
        const customer = createCustomer(service, { email, metadata });
        return { customer, subscription: beginSubscription(service, customer.id, lines, {}) };
      }
      const session = newSession({
        origin: context.origin(),
        created: timeOf(service),
        customer: null,
        customer_email: email,
        client_reference_id: userId ?? null,
        success_url: context.origin(),
        cancel_url: null,
        metadata: {},
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
      walletOf(state, String(input.customer)).card = oneOf(input.card, ["works", "declined"]);
      return undefined;
    },
    stripeRefunds({ customer }) {
      const own = [...state.invoices.values()].filter((invoice) => invoice.customer === customer);
      const intents = own.map(({ id }) => id.replace("in_", "pi_"));
      const refunds = [...state.refunds.values()].map(({ payment_intent }) => payment_intent);
      return { refunds: refunds.filter((one) => intents.includes(String(one))) };
    },
    stripeTax({ lacks }) {
      state.taxLacks.clear();
      if (lacks !== undefined) state.taxLacks.add(oneOf(lacks, ["origin", "registration"]));
      return undefined;
    },
    stripePeriod: onSubscription((subscription) => endPeriod(service, subscription)),
    stripeCancel: onSubscription((subscription, input) => {
      if (oneOf(input.at, ["period_end", "now"]) === "now") cancelNow(service, subscription);
      else scheduleEnd(service, subscription, true);
    }),
    stripeResume: onSubscription((subscription) => scheduleEnd(service, subscription, false)),
    stripePauseCollection: onSubscription((subscription, { behavior }) => {
      const behaviors = ["keep_as_draft", "mark_uncollectible", "void"] as const;
      updateSubscription(service, subscription, {
        pause_collection:
          behavior === null ? null : { behavior: oneOf(behavior, behaviors), resumes_at: null },
      });
    }),
    stripeCoupon: onSubscription((subscription, input) => {
      const coupon = { percentOff: Number(input.percentOff), invoices: Number(input.invoices) };
      walletOf(state, String(subscription.customer)).coupon = coupon;
    }),
    stripeInvoiced: onSubscription((subscription) =>
      updateSubscription(service, subscription, { collection_method: "send_invoice" }),
    ),
    stripeTrialEnd: onSubscription((subscription) => announceTrialEnd(service, subscription)),
    stripeStatus: onSubscription((subscription, input) => {
      const status = oneOf(input.status, STATUSES) as Stripe.Subscription.Status;
      updateSubscription(service, subscription, { status });
    }),
    stripePayInvoice: onSubscription(({ id }) => payOpenInvoices(service, id)),
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
    stripeState({ customer, userId, musician }) {
      const customers = [...state.customers.values()].filter(
        (candidate) =>
          candidate.id === customer ||
          (userId !== undefined && candidate.metadata.user_id === userId) ||
          (musician !== undefined && musicianOfCustomer(candidate) === musician),
      );
      const ids = new Set<unknown>(customers.map(({ id }) => id));
      return {
        customers: customers.map((one) => ({ ...one, deleted: state.deleted.has(one.id) })),
        subscriptions: [...state.subscriptions.values()].filter((one) => ids.has(one.customer)),
        sessions: [...state.sessions.values()]
          .map(({ session }) => session)
          .filter(
            (session) =>
              ids.has(session.customer) ||
              (userId !== undefined && session.client_reference_id === userId) ||
              (musician !== undefined && musicianOfSession(session) === musician),
          ),
      };
    },
    stripeEvents({ customer }) {
      const own = [...state.events.values()].filter((record) => record.customer === customer);
      return {
        events: own.map(({ event }) => {
          const payload = JSON.stringify(event);
          const { id, type } = event;
          return { id, type, signed: { payload, header: webhooks.sign(payload) } };
        }),
      };
    },
    stripeSign({ payload, timestamp, secret }) {
      const time = timestamp === undefined ? undefined : Number(timestamp);
      return { header: webhooks.sign(String(payload), time, optionalText(secret)) };
    },
    async stripeSettle() {
      await webhooks.settled();
      return {};
    },
  };
}
