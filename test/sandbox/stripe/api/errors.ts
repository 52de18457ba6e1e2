/** Errors in Stripe's format and words. */

type ErrorType = "invalid_request_error" | "api_error" | "card_error" | "idempotency_error";

export interface ErrorBody {
  error: { type: ErrorType; message: string; code?: string; param?: string; doc_url?: string };
}

/** Thrown while a call is served; api.ts responds with its status and body. */
export class StripeFailure extends Error {
  readonly status: number;
  readonly body: ErrorBody;

  constructor(status: number, message: string, more: { code?: string; param?: string } = {}) {
    super(message);
    this.status = status;
    this.body = errorBody("invalid_request_error", message, more);
  }
}

export function errorBody(
  type: ErrorType,
  message: string,
  { code, param }: { code?: string; param?: string } = {},
): ErrorBody {
  const page = code?.replaceAll("_", "-");
  return {
    error: {
      ...(code === undefined ? {} : { code }),
      ...(page === undefined ? {} : { doc_url: `https://stripe.com/docs/error-codes/${page}` }),
      message,
      ...(param === undefined ? {} : { param }),
      type,
    },
  };
}

/** 404 if the id is in the path, 400 if it is in a parameter. */
export function noSuch(kind: string, id: string, param = "id"): StripeFailure {
  return new StripeFailure(param === "id" ? 404 : 400, `No such ${kind}: '${id}'`, {
    code: "resource_missing",
    param,
  });
}

/** 401: the API key is missing (null) or wrong. */
export function unauthenticated(key: string | null): StripeFailure {
  if (key === null) {
    return new StripeFailure(
      401,
      "You did not provide an API key. You need to provide your API key in the Authorization " +
        "header, using Bearer auth (e.g. 'Authorization: Bearer YOUR_SECRET_KEY'). See " +
        "https://stripe.com/docs/api#authentication for details, or we can help at " +
        "https://support.stripe.com/.",
    );
  }
  const masked =
    key.length > 12 ? key.slice(0, 8) + "*".repeat(key.length - 12) + key.slice(-4) : "****";
  return new StripeFailure(401, `Invalid API Key provided: ${masked}`);
}

/** Returns the value that was looked up by an id of the path. Throws StripeFailure 404 without one. */
export function found<T>(kind: string, id: string, value: T | undefined): T {
  if (value === undefined) throw noSuch(kind, id);
  return value;
}

export function unrecognized(method: string, path: string): StripeFailure {
  return new StripeFailure(
    404,
    `Unrecognized request URL (${method}: ${path}). Please see https://stripe.com/docs or we can ` +
      "help at https://support.stripe.com/.",
  );
}

/** The error that Stripe returns with a status, for failures that a test has requested. */
export function stripeErrorFor(status: number): ErrorBody {
  if (status === 402) {
    return errorBody("card_error", "Your card was declined.", { code: "card_declined" });
  }
  if (status === 429) {
    return errorBody("invalid_request_error", "Request rate limit exceeded.", {
      code: "rate_limit",
    });
  }
  return errorBody(status < 500 ? "invalid_request_error" : "api_error", "Ordered failure");
}

/** Whether a route such as "POST /v1/customers" is one of Stripe's. */
export function isStripeRoute(route: string): boolean {
  return /^[A-Z]+ \/v1\/(billing_portal|checkout|customers|events|invoices|prices|products|subscriptions)(\/|$)/.test(
    route,
  );
}
