/** Control actions that read Stripe's state, and those about webhooks; ../../control.ts documents them. */
import { type ControlAction, controlError, optionalText } from "../../control-action.ts";
import { musicianOfCustomer, musicianOfSession } from "../owner.ts";
import type { StripeService } from "../service.ts";
import { walletOf } from "../state.ts";
import { payloadOf } from "../webhooks.ts";

export function stripeViews(service: StripeService): Record<string, ControlAction> {
  const { state, webhooks } = service;
  return {
    stripeState(input) {
      const { customer, email, userId, musician } = input;
      const customers = [...state.customers.values()].filter(
        (candidate) =>
          (customer === undefined || candidate.id === customer) &&
          (email === undefined || candidate.email === email) &&
          (userId === undefined || candidate.metadata.user_id === userId) &&
          (musician === undefined || musicianOfCustomer(candidate) === musician),
      );
      const ids = new Set<unknown>(customers.map(({ id }) => id));
      const ofCustomers = <T extends { customer: unknown }>(map: Map<string, T>) =>
        [...map.values()].filter((object) => ids.has(object.customer));
      const sessions = [...state.sessions.values()].map(({ session }) => session);
      return {
        customers: customers.map((found) => ({
          ...found,
          deleted: state.deleted.has(found.id),
          card: walletOf(state, found.id).card,
        })),
        subscriptions: ofCustomers(state.subscriptions),
        invoices: ofCustomers(state.invoices),
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
          const payload = payloadOf(record);
          const signed = { payload, header: webhooks.sign(payload) };
          return { id, type, created, attempts, delivery, signed };
        }),
      };
    },
    stripeSign({ payload, timestamp, secret }) {
      if (typeof payload !== "string") throw controlError("payload is missing");
      const time = timestamp === undefined ? undefined : Number(timestamp);
      return { header: webhooks.sign(payload, time, optionalText(secret)) };
    },
    stripeHold({ musician }) {
      webhooks.hold(optionalText(musician));
      return undefined;
    },
    async stripeRelease({ musician, order, twice, drop }) {
      return {
        attempts: await webhooks.release({
          musician: optionalText(musician),
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
