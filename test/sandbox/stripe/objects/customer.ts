/** Customer objects, as the API shows them. */
import type Stripe from "stripe";
import { newId } from "../state.ts";

export function newCustomer(fields: {
  id?: string;
  created: number;
  email?: string | null;
  name?: string | null;
  metadata: Record<string, string>;
}): Stripe.Customer {
  return {
    id: fields.id ?? newId("cus_", 14),
    object: "customer",
    address: null,
    balance: 0,
    created: fields.created,
    currency: null,
    default_source: null,
    delinquent: false,
    description: null,
    discount: null,
    email: fields.email ?? null,
    invoice_prefix: newId("", 8).toUpperCase(),
    invoice_settings: {
      custom_fields: null,
      default_payment_method: null,
      footer: null,
      rendering_options: null,
    },
    livemode: false,
    metadata: fields.metadata,
    name: fields.name ?? null,
    next_invoice_sequence: 1,
    phone: null,
    preferred_locales: [],
    shipping: null,
    tax_exempt: "none",
    test_clock: null,
  };
}
