/** The orders that look at Stripe, and those about webhooks; documented in ../control.ts. */
import { type ControlAction, controlError } from "../../context.ts";
import { musicianOfCustomer, musicianOfSession } from "../owner.ts";
import type { StripeService } from "../service.ts";
import { walletOf } from "../state.ts";
import { bodyOf } from "../webhooks.ts";
import { optional } from "./actions.ts";

export function stripeViews(service: StripeService): Record<string, ControlAction> {
  const { state, webhooks } = service;
  return {
    stripeState(input) {
      const { customer, email, userId, musician } = input;
      const customers = [...state.customers.values()].filter(
        (one) =>
          (customer === undefined || one.id === customer) &&
          (email === undefined || one.email === email) &&
          (userId === undefined || one.metadata.user_id === userId) &&
          (musician === undefined || musicianOfCustomer(one) === musician),
      );
      const ids = new Set<unknown>(customers.map(({ id }) => id));
      const theirs = <T extends { customer: unknown }>(held: Map<string, T>) =>
        [...held.values()].filter((one) => ids.has(one.customer));
      const sessions = [...state.sessions.values()].map(({ session }) => session);
      return {
        customers: customers.map((one) => ({
          ...one,
          deleted: state.deleted.has(one.id),
          card: walletOf(state, one.id).card,
        })),
        subscriptions: theirs(state.subscriptions),
        invoices: theirs(state.invoices),
        sessions: sessions.filter(
          (session) =>
            ids.has(session.customer) ||
            (email !== undefined && session.customer_email === email) ||
            (userId !== undefined && session.client_reference_id === userId) ||
            (musician !== undefined && musicianOfSession(session) === musician),
        ),
      };
    },
    stripeEvents({ customer, musician }) {
      const events = [...state.events.values()].filter(
        (record) =>
          (customer === undefined || record.customer === customer) &&
          (musician === undefined || record.musician === musician),
      );
      return {
        events: events.map((record) => {
          const { id, type, created } = record.event;
          const { attempts, delivery } = record;
          const payload = bodyOf(record);
          const signed = { payload, header: webhooks.sign(payload) };
          return { id, type, created, attempts, delivery, signed };
        }),
      };
    },
    stripeSign({ payload, timestamp, secret }) {
      if (typeof payload !== "string") throw controlError("payload is missing");
      const time = timestamp === undefined ? undefined : Number(timestamp);
      return { header: webhooks.sign(payload, time, optional(secret)) };
    },
    stripeHold({ musician }) {
      webhooks.hold(optional(musician));
      return undefined;
    },
    async stripeRelease({ musician, order, twice, drop }) {
      return {
        attempts: await webhooks.release({
          musician: optional(musician),
          order: order === "reverse" ? order : list(order),
          twice: twice === true,
          drop: list(drop),
        }),
      };
    },
    async stripeSettle() {
      await webhooks.settled();
      return {};
    },
  };
}

function list(value: unknown): string[] | undefined {
  if (value === undefined) return undefined;
  if (Array.isArray(value)) return value.map(String);
  throw controlError(`${String(value)} is not a list of types or ids`);
}
