/** /v1/prices, /v1/products and /v1/events */
import { z } from "zod";
import { prices, products } from "../objects/prices.ts";
import type { StripeService } from "../service.ts";
import { newest } from "../state.ts";
import { found } from "./errors.ts";
import { listOf } from "./lists.ts";
import { filled, flag, listing, noParameters, read } from "./params.ts";
import type { Route } from "./route.ts";

const priceList = z.strictObject({
  ...listing,
  active: flag.optional(),
  lookup_keys: z.array(filled).max(10).optional(),
  product: filled.optional(),
});
const eventList = z.strictObject({
  ...listing,
  type: filled.optional(),
  types: z.array(filled).max(20).optional(),
});

export function catalogueRoutes({ state }: StripeService): Route[] {
  return [
    {
      method: "GET",
      path: "/v1/prices",
      run(fields) {
        const { active, lookup_keys, product, ...paging } = read(priceList, fields);
        const matching = prices.filter(
          (price) =>
            (active === undefined || price.active === active) &&
            (lookup_keys === undefined || lookup_keys.includes(price.lookup_key ?? "")) &&
            (product === undefined || price.product === product),
        );
        return listOf("price", "/v1/prices", matching, paging);
      },
    },
    {
      method: "GET",
      path: "/v1/prices/:id",
      run(fields, id) {
        read(noParameters, fields);
        return found("price", id, withId(prices, id));
      },
    },
    {
      method: "GET",
      path: "/v1/products/:id",
      run(fields, id) {
        read(noParameters, fields);
        return found("product", id, withId(products, id));
      },
    },
    {
      method: "GET",
      path: "/v1/events",
      run(fields) {
        const { type, types, ...paging } = read(eventList, fields);
        const matching = newest(state.events)
          .map(({ event }) => event)
          .filter(
            (event) =>
              (type === undefined || matches(event.type, type)) &&
              (types === undefined || types.includes(event.type)),
          );
        return listOf("event", "/v1/events", matching, paging);
      },
    },
    {
      method: "GET",
      path: "/v1/events/:id",
      run(fields, id) {
        read(noParameters, fields);
        return found("event", id, state.events.get(id)).event;
      },
    },
  ];
}

function withId<T extends { id: string }>(all: readonly T[], id: string): T | undefined {
  return all.find((candidate) => candidate.id === id);
}

/** `pattern` is a type, or ends in a star: customer.subscription.* */
function matches(type: string, pattern: string): boolean {
  return pattern.endsWith("*") ? type.startsWith(pattern.slice(0, -1)) : type === pattern;
}
