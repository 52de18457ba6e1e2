import type { Fields } from "./form.ts";

/** One endpoint. `run` returns the body of the response or throws StripeFailure; it never waits. */
export interface Route {
  method: "GET" | "POST" | "DELETE";
  /** As Stripe's reference has it: /v1/customers/:id */
  path: string;
  /** `fields` are the parameters without `expand`; `id` is the one in the path, or "". */
  run(fields: Fields, id: string): object;
}
