/** Errors as Stripe words them. */

type ErrorType = "invalid_request_error" | "api_error" | "card_error" | "idempotency_error";

export interface ErrorBody {
  error: { type: ErrorType; message: string; code?: string; param?: string; doc_url?: string };
}

/** Thrown while a call is served; api.ts answers it. */
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

/** 404 where the id is the address asked for, 400 where it came in a parameter. */
export function noSuch(kind: string, id: string, param = "id"): StripeFailure {
  return new StripeFailure(param === "id" ? 404 : 400, `No such ${kind}: '${id}'`, {
    code: "resource_missing",
    param,
  });
}

/** 401: without a key, or with one that opens nothing. */
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
  const hidden =
    key.length > 12 ? key.slice(0, 8) + "*".repeat(key.length - 12) + key.slice(-4) : "****";
  return new StripeFailure(401, `Invalid API Key provided: ${hidden}`);
}

export function unrecognized(method: string, path: string): StripeFailure {
  return new StripeFailure(
    404,
    `Unrecognized request URL (${method}: ${path}). Please see https://stripe.com/docs or we can ` +
      "help at https://support.stripe.com/.",
  );
}

/** The body of a failure that a test has ordered, for a status. */
export function orderedError(status: number): ErrorBody {
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

/** Whether a control order's route ("POST /v1/customers") is one of Stripe's. */
export function isStripeRoute(route: string): boolean {
  return /^[A-Z]+ \/v1\/(billing_portal|checkout|customers|events|invoices|prices|products|subscriptions)(\/|$)/.test(
    route,
  );
}
