/** /v1/customers and /v1/billing_portal/sessions */
import type Stripe from "stripe";
import { z } from "zod";
import { newPortalSession } from "../objects/session.ts";
import { createCustomer, deleteCustomer, updateCustomer } from "../operations/customers.ts";
import { type StripeService, timeOf } from "../service.ts";
import { liveCustomer, newest } from "../state.ts";
import { noSuch } from "./errors.ts";
import { listOf } from "./lists.ts";
import {
  email,
  filled,
  listing,
  mergedMetadata,
  metadata,
  read,
  text,
  tolerated,
  url,
} from "./params.ts";
import type { Route } from "./route.ts";

const nothing = z.strictObject({});
const customerFields = z.strictObject({
  email: email.optional(),
  name: text.optional(),
  description: text.optional(),
  phone: text.optional(),
  metadata: metadata.optional(),
});
const customerList = z.strictObject({ ...listing, email: filled.optional() });
const portalFields = z.strictObject({
  customer: filled,
  return_url: url.optional(),
  flow_data: tolerated,
  locale: tolerated,
});

export function customerRoutes(service: StripeService): Route[] {
  const { state, context } = service;

  function customerAt(id: string): Stripe.Customer {
    const customer = liveCustomer(state, id);
    if (!customer) throw noSuch("customer", id);
    return customer;
  }

  return [
    {
      method: "POST",
      path: "/v1/customers",
      run(fields) {
        const { metadata: given, ...rest } = read(customerFields, fields);
        return createCustomer(service, { ...defined(rest), metadata: mergedMetadata({}, given) });
      },
    },
    {
      method: "GET",
      path: "/v1/customers",
      run(fields) {
        const { email: wanted, ...paging } = read(customerList, fields);
        const all = newest(state.customers).filter(
          ({ id, email: own }) =>
            !state.deleted.has(id) && (wanted === undefined || own === wanted),
        );
        return listOf("customer", "/v1/customers", all, paging);
      },
    },
    {
      method: "GET",
      path: "/v1/customers/:id",
      run(fields, id) {
        read(nothing, fields);
        return state.deleted.has(id) ? deleted(id) : customerAt(id);
      },
    },
    {
      method: "POST",
      path: "/v1/customers/:id",
      run(fields, id) {
        const customer = customerAt(id);
        const { metadata: given, ...rest } = read(customerFields, fields);
        const changes = Object.entries(defined(rest)).map(([name, value]) => [name, value || null]);
        updateCustomer(service, customer, {
          ...Object.fromEntries(changes),
          metadata:
            given === undefined ? customer.metadata : mergedMetadata(customer.metadata, given),
        });
        return customer;
      },
    },
    {
      method: "DELETE",
      path: "/v1/customers/:id",
      run(fields, id) {
        read(nothing, fields);
        deleteCustomer(service, customerAt(id));
        return deleted(id);
      },
    },
    {
      method: "POST",
      path: "/v1/billing_portal/sessions",
      run(fields) {
        const { customer, return_url } = read(portalFields, fields);
        if (!liveCustomer(state, customer)) throw noSuch("customer", customer, "customer");
        const session = newPortalSession({
          origin: context.origin(),
          created: timeOf(service),
          customer,
          returnUrl: return_url ?? null,
        });
        state.portals.set(session.id, session);
        context.store.changed();
        return session;
      },
    },
  ];
}

function deleted(id: string): Stripe.DeletedCustomer {
  return { id, object: "customer", deleted: true };
}

/** The fields that were given. */
function defined<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as { [K in keyof T]?: Exclude<T[K], undefined> };
}
