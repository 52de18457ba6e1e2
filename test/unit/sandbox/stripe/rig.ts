/** A sandbox and the real SDK, for the tests of the Stripe stand-in. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import Stripe from "stripe";
import { PREMIUM_PRICE_ID } from "../../../sandbox/stripe/objects/prices.ts";
import { SECRET_KEY } from "../../../sandbox/stripe/service.ts";
import { type SandboxOptions, startRig } from "../rig.ts";

export const SUCCESS_URL =
  "http://127.0.0.1:8787/subscription-success?session_id={CHECKOUT_SESSION_ID}";
export const CANCEL_URL = "http://127.0.0.1:8787/subscription-cancel";

export async function startStripeRig(options: SandboxOptions = {}) {
  const rig = await startRig(options);
  const { sandbox, control } = rig;

  /** An SDK with an API key. It does not retry failed calls. */
  function sdk(key = SECRET_KEY): Stripe {
    const { port } = sandbox;
    return new Stripe(key, { host: "127.0.0.1", port, protocol: "http", maxNetworkRetries: 0 });
  }
  const stripe = sdk();

  return {
    ...rig,
    stripe,
    sdk,
    /** Creates a checkout, by default for the product's price. */
    checkout: (fields: Stripe.Checkout.SessionCreateParams = {}) =>
      stripe.checkout.sessions.create({
        mode: "subscription",
        line_items: [{ price: PREMIUM_PRICE_ID, quantity: 1 }],
        success_url: SUCCESS_URL,
        cancel_url: CANCEL_URL,
        ...fields,
      }),
    /** Creates a customer with an active subscription. */
    async subscriber(email = "somebody@musicians.example") {
      type Made = { customer: Stripe.Customer; subscription: Stripe.Subscription };
      return await control<Made>("stripeSubscribe", { email });
    },
    /** The types of a customer's events, oldest first, without the first `skipped` ones. */
    async eventTypes(customer: string, skipped = 0): Promise<string[]> {
      const { events } = await control<{ events: { type: string }[] }>("stripeEvents", {
        customer,
      });
      return events.slice(skipped).map(({ type }) => type);
    },
  };
}

export type StripeRig = Awaited<ReturnType<typeof startStripeRig>>;

export interface Delivery {
  body: string;
  signature: string;
  status: number;
}

/**
 * An app's webhook endpoint. It records deliveries and responds with each of the statuses once, then
 * with 200. Status 0 means no response.
 */
export async function startEndpoint(...statuses: number[]) {
  const deliveries: Delivery[] = [];
  const server: Server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8");
    request.on("data", (part: string) => {
      body += part;
    });
    request.on("end", () => {
      const status = statuses.shift() ?? 200;
      const signature = String(request.headers["stripe-signature"]);
      deliveries.push({ body, signature, status });
      if (status !== 0) response.writeHead(status, { Location: "/elsewhere" }).end();
    });
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks/stripe`,
    deliveries,
    types: () => deliveries.map(({ body }) => (JSON.parse(body) as Stripe.Event).type),
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
