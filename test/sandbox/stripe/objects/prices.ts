/** What is for sale: the product and its price, and a price of somebody else's that nobody may buy. */
import type Stripe from "stripe";

const SINCE = Date.UTC(2026, 0, 5, 9) / 1000;

export const PREMIUM_PRODUCT_ID = "prod_FivefoldPremium";
export const PREMIUM_PRICE_ID = "price_FivefoldPremiumMonthly";
/** 999 a month, for tests: neither the product's nor its lookup key. */
export const FOREIGN_PRICE_ID = "price_ForeignMonthly";

export const products: readonly Stripe.Product[] = [
  product(PREMIUM_PRODUCT_ID, "Fivefold Premium", PREMIUM_PRICE_ID),
  product("prod_Foreign", "Something else", FOREIGN_PRICE_ID),
];

/** The newest first. */
export const prices: readonly Stripe.Price[] = [
  price(FOREIGN_PRICE_ID, "prod_Foreign", 999, "something_else_monthly"),
  price(PREMIUM_PRICE_ID, PREMIUM_PRODUCT_ID, 299, "fivefold_premium_monthly"),
];

/** A price and how many of it. */
export interface Line {
  price: string;
  quantity: number;
}

/** Throws where there is none. */
export function priceOf(id: string): Stripe.Price {
  const found = prices.find((price) => price.id === id);
  if (!found) throw new Error(`no price ${id}`);
  return found;
}

export function nameOf(price: Stripe.Price): string {
  return products.find(({ id }) => id === price.product)?.name ?? "";
}

export function amountOf(lines: readonly Line[]): number {
  return lines.reduce(
    (sum, line) => sum + (priceOf(line.price).unit_amount ?? 0) * line.quantity,
    0,
  );
}

/** $2.99 */
export function dollars(cents: number): string {
  return (cents / 100).toLocaleString("en-US", { style: "currency", currency: "USD" });
}

/** A price as the older kind of object that subscription items still carry. */
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
    interval: "month",
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

function product(id: string, name: string, defaultPrice: string): Stripe.Product {
  return {
    id,
    object: "product",
    active: true,
    created: SINCE,
    default_price: defaultPrice,
    description: null,
    images: [],
    livemode: false,
    marketing_features: [],
    metadata: {},
    name,
    package_dimensions: null,
    shippable: null,
    statement_descriptor: null,
    tax_code: null,
    tax_details: null,
    type: "service",
    unit_label: null,
    updated: SINCE,
    url: null,
  };
}

function price(id: string, productId: string, cents: number, lookupKey: string): Stripe.Price {
  return {
    id,
    object: "price",
    active: true,
    billing_scheme: "per_unit",
    created: SINCE,
    currency: "usd",
    custom_unit_amount: null,
    livemode: false,
    lookup_key: lookupKey,
    metadata: {},
    nickname: null,
    product: productId,
    recurring: {
      interval: "month",
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

/** Decimals travel as strings; only the SDK makes objects of them. */
export function decimal(value: number): Stripe.Decimal {
  return String(value) as unknown as Stripe.Decimal;
}
