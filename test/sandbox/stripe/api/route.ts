import type { Fields } from "./form.ts";

/** One endpoint. `run` answers the body, or throws StripeFailure; it never waits. */
export interface Route {
  method: "GET" | "POST" | "DELETE";
  /** As Stripe's reference has it: /v1/customers/:id */
  path: string;
  /** `fields` are the parameters without `expand`; `id` is that of the address, else "". */
  run(fields: Fields, id: string): object;
}
