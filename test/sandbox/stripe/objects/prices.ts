/** The price of premium, and others that the app must tell from it. */
import type Stripe from "stripe";

const CREATED = Date.UTC(2026, 0, 5, 9) / 1000;

const PREMIUM_PRODUCT_ID = "prod_FivefoldPremium";
export const PREMIUM_PRICE_ID = "price_FivefoldPremiumMonthly";

/** Newest first. */
export const prices: readonly Stripe.Price[] = [
  price("price_ForeignMonthly", "prod_Foreign", 999, "something_else_monthly"),
  price("price_FivefoldPremiumYearly", PREMIUM_PRODUCT_ID, 2990, "fivefold_premium_yearly", "year"),
  price(PREMIUM_PRICE_ID, PREMIUM_PRODUCT_ID, 299, "fivefold_premium_monthly"),
];

export interface Line {
  /** Its id. */
  price: string;
  quantity: number;
}

export function priceOf(id: string): Stripe.Price {
  const found = prices.find((price) => price.id === id);
  if (!found) throw new Error(`no price ${id}`);
  return found;
}

export function nameOf({ product }: Stripe.Price): string {
  return product === PREMIUM_PRODUCT_ID ? "Fivefold Premium" : "Something else";
}

/** The sum in cents. */
export function amountOf(lines: readonly Line[]): number {
  return lines.reduce(
    (sum, line) => sum + (priceOf(line.price).unit_amount ?? 0) * line.quantity,
    0,
  );
}

/** "$2.99", for cents. */
export function dollars(cents: number): string {
  return (cents / 100).toLocaleString("en-US", { style: "currency", currency: "USD" });
}

/** A price as a plan: the older kind of object that subscription items still have. */
export function planOf(price: Stripe.Price): Stripe.Plan {
  return {
    id: price.id,
    object: "plan",
    active: price.active,
    amount: price.unit_amount,
    amount_decimal: price.unit_amount_decimal,
    billing_scheme: "per_unit",
    created: price.created,
    currency: price.currency,
    interval: price.recurring?.interval ?? "month",
    interval_count: 1,
    livemode: false,
    metadata: {},
    meter: null,
    nickname: null,
    product: price.product,
    tiers_mode: null,
    transform_usage: null,
    trial_period_days: null,
    usage_type: "licensed",
  };
}

function price(
  id: string,
  productId: string,
  cents: number,
  lookupKey: string,
  interval: "month" | "year" = "month",
): Stripe.Price {
  return {
    id,
    object: "price",
    active: true,
    billing_scheme: "per_unit",
    created: CREATED,
    currency: "usd",
    custom_unit_amount: null,
    livemode: false,
    lookup_key: lookupKey,
    metadata: {},
    nickname: null,
    product: productId,
    recurring: {
      interval,
      interval_count: 1,
      meter: null,
      trial_period_days: null,
      usage_type: "licensed",
    },
    tax_behavior: "unspecified",
    tiers_mode: null,
    transform_quantity: null,
    type: "recurring",
    unit_amount: cents,
    unit_amount_decimal: decimal(cents),
  };
}

/** The API sends decimals as strings; the SDK turns them into objects. */
export function decimal(value: number): Stripe.Decimal {
  return String(value) as unknown as Stripe.Decimal;
}
