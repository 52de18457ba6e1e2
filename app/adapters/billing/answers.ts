import * as z from "zod";

/** The id of an object that Stripe gives as an id or, if expanded, as a whole. */
const reference = z
  .union([z.string(), z.object({ id: z.string() }).transform(({ id }) => id)])
  .nullish()
  .transform((id) => id ?? null);
const id = z.string().min(1);
const seconds = z.number();

const checkout = z.object({
  id,
  status: z.string().nullish(),
  client_reference_id: z.string().nullish(),
  customer: reference,
  customer_details: z.object({ email: z.string().nullish() }).nullish(),
  customer_email: z.string().nullish(),
  url: z.url().nullish(),
});

/** Readers for Stripe's answers, with only the fields that the product reads. */
export const answers = {
  prices: z.object({
    data: z.array(z.object({ id, active: z.boolean(), product: reference })),
  }),
  created: z.object({ id }),
  customer: z.object({
    id,
    deleted: z.boolean().optional(),
    metadata: z.record(z.string(), z.string()).default({}),
    email: z.string().nullish(),
  }),
  subscriptions: z.array(
    z.object({
      id,
      status: z.string(),
      created: seconds,
      start_date: seconds,
      cancel_at: seconds.nullish(),
      cancel_at_period_end: z.boolean().nullish(),
      ended_at: seconds.nullish(),
      // Expanded; an id where it is not.
      latest_invoice: z
        .object({
          status: z.string().nullish(),
          attempted: z.boolean().nullish(),
          next_payment_attempt: seconds.nullish(),
          status_transitions: z.object({ finalized_at: seconds.nullish() }).nullish(),
        })
        .nullish()
        .catch(null),
      items: z.object({
        data: z.array(
          z.object({
            current_period_end: seconds.nullish(),
            quantity: z.number().nullish(),
            price: z.object({
              product: reference,
              currency: z.string().nullish(),
              unit_amount: z.number().nullish(),
            }),
          }),
        ),
      }),
    }),
  ),
  checkout,
  /** A checkout without an id is treated like one without a URL. */
  newCheckout: checkout.extend({ id: z.string().catch("") }),
  checkouts: z.object({ data: z.array(checkout) }),
  portal: z.object({ url: z.url() }),
};
