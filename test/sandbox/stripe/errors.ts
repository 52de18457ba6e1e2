/** Errors in Stripe's format. */

/** Thrown while a call is served. */
export class StripeFailure extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export function found<T>(kind: string, id: string, value: T | undefined, status = 404): T {
  if (value === undefined) throw new StripeFailure(status, `No such ${kind}: '${id}'`);
  return value;
}

export function errorBody(status: number, message: string, type?: string): object {
  const standard =
    status === 402 ? "card_error" : status < 500 ? "invalid_request_error" : "api_error";
  return { error: { message, type: type ?? standard } };
}

export function isStripeRoute(route: string): boolean {
  return /^[A-Z]+ \/v1\/(billing_portal|checkout|customers|invoice_payments|invoices|prices|refunds|subscriptions)(\/|$)/.test(
    route,
  );
}
