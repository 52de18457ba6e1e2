/** A sandbox with the real SDK talking to it, for the tests of the Stripe stand-in. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import Stripe from "stripe";
import { startSandbox } from "../../../sandbox/server.ts";
import { PREMIUM_PRICE_ID } from "../../../sandbox/stripe/objects/prices.ts";
import { SECRET_KEY } from "../../../sandbox/stripe/service.ts";

type Json = Record<string, unknown>;
type Options = Omit<Parameters<typeof startSandbox>[0], "port">;

export const SUCCESS_URL =
  "http://127.0.0.1:8787/subscription-success?session_id={CHECKOUT_SESSION_ID}";
export const CANCEL_URL = "http://127.0.0.1:8787/subscription-cancel";

export async function startRig(options: Options = {}) {
  const sandbox = await startSandbox({ port: 0, ...options });

  /** An SDK of its own key; it tries everything once. */
  function sdk(key = SECRET_KEY): Stripe {
    const { port } = sandbox;
    return new Stripe(key, { host: "127.0.0.1", port, protocol: "http", maxNetworkRetries: 0 });
  }
  const stripe = sdk();

  async function control<T = Json>(action: string, fields: Json = {}): Promise<T> {
    const response = await fetch(`${sandbox.origin}/control`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ action, ...fields }),
    });
    const answer = (await response.json()) as Json;
    if (!response.ok) throw new Error(String(answer.error));
    return answer as T;
  }

  return {
    sandbox,
    stripe,
    sdk,
    control,
    /** A checkout for the product's price, unless told otherwise. */
    checkout: (more: Stripe.Checkout.SessionCreateParams = {}) =>
      stripe.checkout.sessions.create({
        mode: "subscription",
        line_items: [{ price: PREMIUM_PRICE_ID, quantity: 1 }],
        success_url: SUCCESS_URL,
        cancel_url: CANCEL_URL,
        ...more,
      }),
    /** A customer with an active subscription. */
    async subscriber(email = "somebody@musicians.example") {
      type Made = { customer: Stripe.Customer; subscription: Stripe.Subscription };
      return await control<Made>("stripeSubscribe", { email });
    },
    /** The types of a customer's events, oldest first, but for the first `seen`. */
    async eventTypes(customer: string, seen = 0): Promise<string[]> {
      const { events } = await control<{ events: { type: string }[] }>("stripeEvents", {
        customer,
      });
      return events.slice(seen).map(({ type }) => type);
    },
    close: () => sandbox.close(),
  };
}

export type Rig = Awaited<ReturnType<typeof startRig>>;

/** Presses a button of a page's form, as a browser without JavaScript does. */
export function press(url: string, fields: Record<string, string> = {}): Promise<Response> {
  return fetch(url, { method: "POST", body: new URLSearchParams(fields), redirect: "manual" });
}

/** What a page says, without its tags. */
export async function textOf(response: Response): Promise<string> {
  const page = (await response.text()).replace(/<style>[\s\S]*?<\/style>/, "");
  return page
    .replace(/<[^>]*>/g, " ")
    .replaceAll("&#39;", "'")
    .replace(/\s+/g, " ");
}

export interface Delivery {
  body: string;
  signature: string;
  status: number;
}

/** An app's webhook endpoint: notes what comes and answers the statuses in turn, then 200. */
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
      // Status 0 never answers.
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
