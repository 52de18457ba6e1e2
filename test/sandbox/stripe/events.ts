/** Events: every change creates one, with the object as it is at that moment, and sends it. */
import type Stripe from "stripe";
import { musicianFor } from "../musician.ts";
import { newId } from "./objects/ids.ts";
import { musicianOfCustomer } from "./owner.ts";
import { API_VERSION, type StripeService } from "./service.ts";
import type { EventRecord } from "./state.ts";

const MAX_EVENTS = 1_000;

/** The types that the stand-in creates. */
type EventType =
  | "checkout.session.completed"
  | "checkout.session.expired"
  | "customer.created"
  | "customer.updated"
  | "customer.deleted"
  | "customer.subscription.created"
  | "customer.subscription.updated"
  | "customer.subscription.deleted"
  | "customer.subscription.paused"
  | "customer.subscription.resumed"
  | "customer.subscription.trial_will_end"
  | "invoice.created"
  | "invoice.finalized"
  | "invoice.paid"
  | "invoice.payment_succeeded"
  | "invoice.payment_failed"
  | "invoice.payment_action_required";

type Data<T extends EventType> = Extract<Stripe.Event, { type: T }>["data"];

/** Records an event and hands it to the webhooks. `previous` has the values that an update replaced. */
export function emit<T extends EventType>(
  service: StripeService,
  type: T,
  object: Data<T>["object"],
  previous?: Record<string, unknown>,
): void {
  const { context, state, webhooks, request } = service;
  const event = {
    id: newId("evt_1"),
    object: "event",
    api_version: API_VERSION,
    created: Math.floor(context.now() / 1000),
    data: copy({ object, ...(previous === undefined ? {} : { previous_attributes: previous }) }),
    livemode: false,
    pending_webhooks: webhooks.endpoint ? 1 : 0,
    request: { id: request?.id ?? null, idempotency_key: request?.key ?? null },
    type,
  } as unknown as Stripe.Event;
  const subject = object as unknown as Record<string, unknown>;
  const customer =
    type.startsWith("customer.") && subject.object === "customer" ? subject.id : subject.customer;
  const record: EventRecord = {
    event,
    customer: typeof customer === "string" ? customer : null,
    musician:
      musicianOfCustomer(state.customers.get(String(customer))) ??
      musicianFor(optionalText(subject.client_reference_id), optionalText(subject.customer_email)),
    attempts: 0,
    delivery: "pending",
  };
  state.events.set(event.id, record);
  for (const id of state.events.keys()) {
    if (state.events.size <= MAX_EVENTS) break;
    state.events.delete(id);
  }
  context.store.changed();
  webhooks.send(record);
}

/** Changes an object in place and returns the old values of the fields that are different now. */
export function change<T extends object>(object: T, changes: Partial<T>): Record<string, unknown> {
  const previous: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(changes)) {
    const before = object[name as keyof T];
    if (JSON.stringify(before) !== JSON.stringify(value)) previous[name] = copy(before);
  }
  Object.assign(object, changes);
  return previous;
}

function copy<T>(value: T): T {
  return value === undefined ? value : (JSON.parse(JSON.stringify(value)) as T);
}

function optionalText(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}
