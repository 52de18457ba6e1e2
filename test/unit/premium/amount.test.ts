import { expect, test } from "vitest";
import { amountText } from "~/premium/stripe.server";

test.each([
  [299, "usd", "USD 2.99"],
  [0, "eur", "EUR 0.00"],
  [129_900, "gbp", "GBP 1,299.00"],
  [299, "jpy", "JPY 299"],
  [2990, "kwd", "KWD 2.990"],
  // Stripe counts these in hundredths, although nobody has such coins.
  [29_900, "ugx", "UGX 299.00"],
  [29_900, "isk", "ISK 299.00"],
])("%s of %s is %s", (units, currency, text) => {
  expect(amountText(units, currency)).toBe(text);
});
