/** /v1/checkout/sessions */
import type Stripe from "stripe";
import { z } from "zod";
import { prices } from "../objects/prices.ts";
import { newSession } from "../objects/session.ts";
import { expire } from "../operations/expiry.ts";
import { type StripeService, timeOf } from "../service.ts";
import { liveCustomer, newest } from "../state.ts";
import { found, noSuch, StripeFailure } from "./errors.ts";
import { listOf } from "./lists.ts";
import {
  email,
  filled,
  flag,
  ignored,
  integer,
  listing,
  mergedMetadata,
  metadata,
  noParameters,
  read,
  url,
} from "./params.ts";
import type { Route } from "./route.ts";

const HOUR = 60 * 60;

const sessionFields = z.strictObject({
  mode: z.enum(["payment", "setup", "subscription"]),
  line_items: z.array(z.strictObject({ price: filled, quantity: integer.optional() })),
  success_url: url,
  cancel_url: url.optional(),
  customer: filled.optional(),
  customer_email: email.optional(),
  client_reference_id: filled.optional(),
  metadata: metadata.optional(),
  subscription_data: z.strictObject({ metadata: metadata.optional() }).optional(),
  expires_at: integer.optional(),
  allow_promotion_codes: flag.optional(),
  automatic_tax: ignored,
  billing_address_collection: ignored,
  consent_collection: ignored,
  custom_text: ignored,
  customer_update: ignored,
  locale: ignored,
  origin_context: ignored,
  payment_method_collection: ignored,
  payment_method_types: ignored,
  submit_type: ignored,
  ui_mode: z.enum(["hosted_page"]).optional(),
});
const sessionList = z.strictObject({
  ...listing,
  customer: filled.optional(),
  customer_details: z.strictObject({ email: filled }).optional(),
  status: z.enum(["complete", "expired", "open"]).optional(),
  subscription: filled.optional(),
});

export function checkoutRoutes(service: StripeService): Route[] {
  const { context, state } = service;

  function sessionWith(id: string): Stripe.Checkout.Session {
    return found("checkout.session", id, state.sessions.get(id)).session;
  }

  return [
    {
      method: "POST",
      path: "/v1/checkout/sessions",
      run(fields) {
        const parameters = read(sessionFields, fields);
        const { customer, customer_email, client_reference_id, line_items } = parameters;
        checkCombination(service, parameters);
        const created = timeOf(service);
        const lines = line_items.map(({ price, quantity = 1 }) => ({ price, quantity }));
        const session = newSession({
          origin: context.origin(),
          created,
          expiresAt: expiry(parameters.expires_at, created),
          customer: customer ?? null,
          customerEmail: customer_email || null,
          clientReferenceId: client_reference_id ?? null,
          lines,
          successUrl: parameters.success_url,
          cancelUrl: parameters.cancel_url ?? null,
          metadata: mergedMetadata({}, parameters.metadata),
          allowPromotionCodes: parameters.allow_promotion_codes ?? null,
        });
        const subscriptionMetadata = mergedMetadata({}, parameters.subscription_data?.metadata);
        state.sessions.set(session.id, { session, lines, subscriptionMetadata });
        context.store.changed();
        return session;
      },
    },
    {
      method: "GET",
      path: "/v1/checkout/sessions",
      run(fields) {
        const { customer, customer_details, status, subscription, ...paging } = read(
          sessionList,
          fields,
        );
        const all = newest(state.sessions)
          .map(({ session }) => session)
          .filter(
            (session) =>
              (customer === undefined || session.customer === customer) &&
              (subscription === undefined || session.subscription === subscription) &&
              (status === undefined || session.status === status) &&
              (customer_details === undefined ||
                session.customer_details?.email === customer_details.email),
          );
        return listOf("checkout.session", "/v1/checkout/sessions", all, paging);
      },
    },
    {
      method: "GET",
      path: "/v1/checkout/sessions/:id",
      run: (fields, id) => read(noParameters, fields) && sessionWith(id),
    },
    {
      method: "POST",
      path: "/v1/checkout/sessions/:id/expire",
      run(fields, id) {
        read(noParameters, fields);
        const session = sessionWith(id);
        if (session.status !== "open") {
          const message =
            'Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session ' +
            `has a status of \`${session.status}\`.`;
          throw new StripeFailure(400, message);
        }
        expire(service, session);
        return session;
      },
    },
  ];
}

/** Refuses parameters that are valid by themselves but not together. Throws StripeFailure. */
function checkCombination(
  { state }: StripeService,
  parameters: z.output<typeof sessionFields>,
): void {
  const { customer, customer_email, line_items } = parameters;
  if (parameters.mode !== "subscription") {
    throw new StripeFailure(400, "The sandbox knows no mode but subscription.", { param: "mode" });
  }
  if (customer !== undefined && customer_email !== undefined) {
    const message = "You may only specify one of these parameters: customer, customer_email.";
    throw new StripeFailure(400, message, { code: "parameters_exclusive", param: "customer" });
  }
  if (customer !== undefined && !liveCustomer(state, customer)) {
    throw noSuch("customer", customer, "customer");
  }
  line_items.forEach(({ price, quantity }, index) => {
    if (!prices.some(({ id }) => id === price)) {
      throw noSuch("price", price, `line_items[${index}][price]`);
    }
    if (quantity === undefined || quantity < 1) {
      const message = `Quantity is required. Add \`quantity\` to \`line_items[${index}]\``;
      throw new StripeFailure(400, message, { param: `line_items[${index}][quantity]` });
    }
  });
  if (line_items.length === 0) {
    const code = "parameter_missing";
    throw new StripeFailure(400, "Missing required param: line_items.", {
      code,
      param: "line_items",
    });
  }
}

/** The time of expiry in epoch seconds. Throws StripeFailure if it is out of bounds. */
function expiry(requested: number | undefined, created: number): number {
  const at = requested ?? created + 24 * HOUR;
  const bound =
    at < created + HOUR / 2
      ? "at least 30 minutes"
      : at > created + 24 * HOUR
        ? "less than 24 hours"
        : null;
  if (bound === null) return at;
  const message = `The \`expires_at\` timestamp must be ${bound} from Checkout Session creation.`;
  throw new StripeFailure(400, message, { param: "expires_at" });
}
