/** Checkout and portal sessions, as the API shows them. */
import type Stripe from "stripe";
import { newId } from "../state.ts";
import { amountOf, type Line, nameOf, priceOf } from "./prices.ts";

export function newSession(fields: {
  /** The sandbox's origin. */
  origin: string;
  /** Epoch seconds. */
  created: number;
  customer: string | null;
  customerEmail: string | null;
  clientReferenceId: string | null;
  lines: Line[];
  successUrl: string;
  cancelUrl: string | null;
  metadata: Record<string, string>;
}): Stripe.Checkout.Session {
  const id = newId("cs_test_", 58);
  const amount = amountOf(fields.lines);
  return {
    id,
    object: "checkout.session",
    adaptive_pricing: null,
    after_expiration: null,
    allow_promotion_codes: null,
    allowed_payment_method_types: null,
    amount_subtotal: amount,
    amount_total: amount,
    automatic_tax: { enabled: false, liability: null, provider: null, status: null },
    billing_address_collection: null,
    cancel_url: fields.cancelUrl,
    client_reference_id: fields.clientReferenceId,
    client_secret: null,
    collected_information: null,
    consent: null,
    consent_collection: null,
    created: fields.created,
    currency: "usd",
    currency_conversion: null,
    custom_fields: [],
    custom_text: {
      after_submit: null,
      shipping_address: null,
      submit: null,
      terms_of_service_acceptance: null,
    },
    customer: fields.customer,
    customer_account: null,
    customer_creation: fields.customer === null ? "always" : null,
    customer_details: null,
    customer_email: fields.customerEmail,
    discounts: [],
    expires_at: fields.created + 24 * 60 * 60,
    integration_identifier: null,
    invoice: null,
    invoice_creation: null,
    livemode: false,
    locale: null,
    managed_payments: null,
    metadata: fields.metadata,
    mode: "subscription",
    origin_context: null,
    payment_intent: null,
    payment_link: null,
    payment_method_collection: "always",
    payment_method_configuration_details: null,
    payment_method_options: {},
    payment_method_types: ["card"],
    payment_status: "unpaid",
    permissions: null,
    phone_number_collection: { enabled: false },
    recovered_from: null,
    saved_payment_method_options: null,
    setup_intent: null,
    shipping_address_collection: null,
    shipping_cost: null,
    shipping_options: [],
    status: "open",
    submit_type: null,
    subscription: null,
    success_url: fields.successUrl,
    total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
    ui_mode: "hosted_page",
    url: `${fields.origin}/stripe/checkout/${id}`,
    wallet_options: null,
  };
}

/** What `expand[]=line_items` adds to a session. */
export function lineItems(
  session: string,
  lines: readonly Line[],
): Stripe.ApiList<Stripe.LineItem> {
  return {
    object: "list",
    data: lines.map((line, index) => {
      const price = priceOf(line.price);
      const amount = amountOf([line]);
      return {
        id: `li_${session.slice(-20)}${index}`,
        object: "item",
        adjustable_quantity: null,
        amount_discount: 0,
        amount_subtotal: amount,
        amount_tax: 0,
        amount_total: amount,
        currency: "usd",
        description: nameOf(price),
        metadata: null,
        price,
        quantity: line.quantity,
      };
    }),
    has_more: false,
    url: `/v1/checkout/sessions/${session}/line_items`,
  };
}

export function newPortalSession(fields: {
  origin: string;
  created: number;
  customer: string;
  returnUrl: string | null;
}): Stripe.BillingPortal.Session {
  const id = newId("bps_");
  return {
    id,
    object: "billing_portal.session",
    configuration: "bpc_SandboxDefault",
    created: fields.created,
    customer: fields.customer,
    customer_account: null,
    flow: null,
    livemode: false,
    locale: null,
    on_behalf_of: null,
    return_url: fields.returnUrl,
    url: `${fields.origin}/stripe/portal/${id}`,
  };
}
