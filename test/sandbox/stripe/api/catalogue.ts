/** /v1/prices, /v1/products and /v1/events */
import { z } from "zod";
import { prices, products } from "../objects/prices.ts";
import type { StripeService } from "../service.ts";
import { newest } from "../state.ts";
import { noSuch } from "./errors.ts";
import { listOf } from "./lists.ts";
import { filled, flag, listing, read } from "./params.ts";
import type { Route } from "./route.ts";

const nothing = z.strictObject({});
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
        const wanted = prices.filter(
          (price) =>
            (active === undefined || price.active === active) &&
            (lookup_keys === undefined || lookup_keys.includes(price.lookup_key ?? "")) &&
            (product === undefined || price.product === product),
        );
        return listOf("price", "/v1/prices", wanted, paging);
      },
    },
    {
      method: "GET",
      path: "/v1/prices/:id",
      run: (fields, id) => found("price", id, read(nothing, fields) && prices),
    },
    {
      method: "GET",
      path: "/v1/products/:id",
      run: (fields, id) => found("product", id, read(nothing, fields) && products),
    },
    {
      method: "GET",
      path: "/v1/events",
      run(fields) {
        const { type, types, ...paging } = read(eventList, fields);
        const wanted = newest(state.events)
          .map(({ event }) => event)
          .filter(
            (event) =>
              (type === undefined || matches(event.type, type)) &&
              (types === undefined || types.includes(event.type)),
          );
        return listOf("event", "/v1/events", wanted, paging);
      },
    },
    {
      method: "GET",
      path: "/v1/events/:id",
      run(fields, id) {
        read(nothing, fields);
        const record = state.events.get(id);
        if (!record) throw noSuch("event", id);
        return record.event;
      },
    },
  ];
}

function found<T extends { id: string }>(kind: string, id: string, all: readonly T[]): T {
  const one = all.find((candidate) => candidate.id === id);
  if (!one) throw noSuch(kind, id);
  return one;
}

/** `wanted` may end in a star: customer.subscription.* */
function matches(type: string, wanted: string): boolean {
  return wanted.endsWith("*") ? type.startsWith(wanted.slice(0, -1)) : type === wanted;
}
