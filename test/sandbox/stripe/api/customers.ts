/** /v1/customers and /v1/billing_portal/sessions */
import type Stripe from "stripe";
import { z } from "zod";
import { newPortalSession } from "../objects/session.ts";
import { createCustomer, deleteCustomer, updateCustomer } from "../operations/customers.ts";
import { type StripeService, timeOf } from "../service.ts";
import { liveCustomer, newest } from "../state.ts";
import { found, noSuch, StripeFailure } from "./errors.ts";
import { listOf } from "./lists.ts";
import {
  email,
  filled,
  ignored,
  listing,
  mergedMetadata,
  metadata,
  noParameters,
  read,
  text,
  url,
} from "./params.ts";
import type { Route } from "./route.ts";

const customerFields = z.strictObject({
  email: email.optional(),
  name: text.optional(),
  description: text.optional(),
  phone: text.optional(),
  metadata: metadata.optional(),
});
const customerList = z.strictObject({ ...listing, email: filled.optional() });
const customerSearch = z.strictObject({
  query: filled,
  limit: listing.limit,
  page: filled.optional(),
});
/** How long the search may not know of a customer, in milliseconds. */
const SEARCH_LAG_MS = 60_000;
const portalFields = z.strictObject({
  customer: filled,
  return_url: url.optional(),
  flow_data: ignored,
  locale: ignored,
});

export function customerRoutes(service: StripeService): Route[] {
  const { state, context } = service;

  function customerWith(id: string): Stripe.Customer {
    return found("customer", id, liveCustomer(state, id));
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
        const { email: filter, ...paging } = read(customerList, fields);
        const all = newest(state.customers).filter(
          ({ id, email: own }) =>
            !state.deleted.has(id) && (filter === undefined || own === filter),
        );
        return listOf("customer", "/v1/customers", all, paging);
      },
    },
    {
      method: "GET",
      path: "/v1/customers/search",
      run(fields) {
        const { query, limit = 10 } = read(customerSearch, fields);
        const [, key = "", value] = /^metadata\["(\w+)"\]:"([^"\\]*)"$/.exec(query) ?? [];
        if (value === undefined) {
          throw new StripeFailure(400, `The stand-in searches metadata alone, not ${query}`);
        }
        const known = context.now() - SEARCH_LAG_MS;
        const all = newest(state.customers).filter(
          ({ id, created, metadata: { [key]: own } }) =>
            own === value &&
            !state.deleted.has(id) &&
            (created * 1000 <= known || state.indexed.has(id)),
        );
        const url = "/v1/customers/search";
        const data = all.slice(0, limit);
        return {
          ...{ object: "search_result", data, url },
          ...{ has_more: all.length > limit, next_page: null, total_count: undefined },
        };
      },
    },
    {
      method: "GET",
      path: "/v1/customers/:id",
      run(fields, id) {
        read(noParameters, fields);
        return state.deleted.has(id) ? deleted(id) : customerWith(id);
      },
    },
    {
      method: "POST",
      path: "/v1/customers/:id",
      run(fields, id) {
        const customer = customerWith(id);
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
        read(noParameters, fields);
        deleteCustomer(service, customerWith(id));
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

/** The fields without those that are undefined. */
function defined<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as { [K in keyof T]?: Exclude<T[K], undefined> };
}
