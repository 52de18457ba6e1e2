/** The parameter `expand[]`: replaces ids in a response by the objects. */
import { prices, products } from "../objects/prices.ts";
import { lineItems } from "../objects/session.ts";
import { newest, type StripeState } from "../state.ts";
import { StripeFailure } from "./errors.ts";

type Json = Record<string, unknown>;

/** A copy of the response with the paths expanded. Throws StripeFailure for invalid paths. */
export function expanded(state: StripeState, response: object, paths: readonly string[]): Json {
  const copy = JSON.parse(JSON.stringify(response)) as Json;
  for (const path of paths) {
    const steps = path.split(".");
    if (steps.length > 4) {
      throw new StripeFailure(400, `You cannot expand more than 4 levels of a property (${path}).`);
    }
    expandPath(state, copy, steps, path);
  }
  return copy;
}

function expandPath(
  state: StripeState,
  holder: Json,
  [name = "", ...rest]: string[],
  path: string,
): void {
  if (holder[name] === undefined) holder[name] = expandableField(state, holder, name);
  const value = holder[name];
  if (Array.isArray(value)) {
    for (const item of value as Json[]) if (rest.length > 0) expandPath(state, item, rest, path);
    return;
  }
  const object = typeof value === "string" ? copyOf(objectWith(state, value)) : value;
  if (object === undefined) {
    throw new StripeFailure(400, `This property cannot be expanded (${path}).`, {
      param: "expand",
    });
  }
  holder[name] = object;
  if (object && rest.length > 0) expandPath(state, object as Json, rest, path);
}

/** Fields that an object has only if they are expanded. */
function expandableField(state: StripeState, { object, id }: Json, name: string): unknown {
  const checkout = state.sessions.get(String(id));
  if (name === "line_items" && checkout) return copyOf(lineItems(String(id), checkout.lines));
  if (name !== "subscriptions" || object !== "customer") return undefined;
  const data = newest(state.subscriptions).filter(
    ({ customer, status }) => customer === id && status !== "canceled",
  );
  const url = `/v1/customers/${String(id)}/subscriptions`;
  return copyOf({ object: "list", data, has_more: false, url });
}

function objectWith(state: StripeState, id: string): object | undefined {
  if (state.deleted.has(id)) return { id, object: "customer", deleted: true };
  return (
    state.customers.get(id) ??
    state.subscriptions.get(id) ??
    state.invoices.get(id) ??
    prices.find((price) => price.id === id) ??
    products.find((product) => product.id === id)
  );
}

function copyOf<T>(value: T): T {
  return value === undefined ? value : (JSON.parse(JSON.stringify(value)) as T);
}
