/** Currencies that Stripe counts in other units than hundredths: in whole ones, and in thousandths. */
const whole = "bif clp djf gnf jpy kmf krw mga pyg rwf vnd vuv xaf xof xpf".split(" ");
const thousandths = "bhd jod kwd omr tnd".split(" ");

/**
 * An amount of Stripe's as people read it: "USD 2.99".
 * @param units in the unit that Stripe counts this currency in.
 * @param currency in lower case, as Stripe has it.
 */
export function amountText(units: number, currency: string): string {
  const digits = thousandths.includes(currency) ? 3 : whole.includes(currency) ? 0 : 2;
  const fraction = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  return `${currency.toUpperCase()} ${(units / 10 ** digits).toLocaleString("en", fraction)}`;
}
