import { createHmac } from "node:crypto";
import type Stripe from "stripe";
import type { SandboxContext } from "../context.ts";
import { createPoster } from "../webhooks.ts";
import { newId } from "./objects.ts";
import { type StripeService, WEBHOOK_SECRET, type Webhooks } from "./state.ts";

const RETRY_DELAYS_MS = [200, 1_000, 5_000, 15_000, 30_000];

export function createWebhooks(context: SandboxContext, url: string | null): Webhooks {
  const { post, settled } = createPoster(context, url, RETRY_DELAYS_MS);
  function sign(
    body: string,
    time = Math.floor(context.now() / 1000),
    secret = WEBHOOK_SECRET,
  ): string {
    return `t=${time},v1=${createHmac("sha256", secret).update(`${time}.${body}`).digest("hex")}`;
  }
  return {
    url,
    send(event) {
      const body = JSON.stringify(event);
      void post(body, () => ({ "Stripe-Signature": sign(body) }));
    },
    settled,
    sign,
  };
}

type EventType =
  | "checkout.session.completed"
  | "customer.subscription.created"
  | "customer.subscription.updated"
  | "customer.subscription.deleted"
  | "customer.subscription.trial_will_end"
  | "invoice.created"
  | "invoice.finalized"
  | "invoice.paid"
  | "invoice.payment_failed";

type Subject<T extends EventType> = Extract<Stripe.Event, { type: T }>["data"]["object"];

export function emit<T extends EventType>(
  { context, state, webhooks }: StripeService,
  type: T,
  object: Subject<T>,
): void {
  const event = {
    id: newId("evt_1"),
    object: "event",
    created: Math.floor(context.now() / 1000),
    data: { object: structuredClone(object) },
    livemode: false,
    type,
  } as unknown as Stripe.Event;
  const { customer } = object;
  state.events.set(event.id, { event, customer: typeof customer === "string" ? customer : null });
  context.store.changed();
  webhooks.send(event);
}
