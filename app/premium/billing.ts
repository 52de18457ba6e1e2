/**
 * What the product knows of the payment provider. Only `stripe.server.ts` knows Stripe, and says what is asked of a
 * provider (`Billing`). A second one is a file beside it with a `createX` that returns the same, chosen in `app/http/context.server.ts` and
 * `app/jobs.server.ts`, and a route for its webhook like `app/routes/webhooks.stripe.ts`.
 */

/** A subscription as the provider has it now. Times are epoch milliseconds. */
export interface BilledSubscription {
  id: string;
  /**
   * In Stripe's words, into which another provider's file translates its own: "active"; "past_due" where a
   * failed payment may still be made; "canceled" once it has ended; "incomplete_expired" where it never began.
   * Any other gives no premium yet. "paused" also means that nobody pays for the current period.
   */
  status: string;
  createdAt: number;
  startedAt: number;
  cancelAt: number | null;
  /** The provider charges for each period by itself, and this is not paused. */
  isCharged: boolean;
  failedAt: number | null;
  /** When the provider tries that payment again by itself. */
  retryAt: number | null;
  endedAt: number | null;
  productIds: string[];
}

export interface NextPayment {
  /** When it is charged and its period begins, in epoch milliseconds. */
  at: number;
  until: number;
  /** "USD 2.99"; null if it is charged together with something else. */
  amount: string | null;
  /** What is said behind the amount. */
  vat: "" | ", VAT included";
}

export interface CheckoutSession {
  id: string;
  status: "open" | "complete" | "expired";
  /** Null if it was begun outside the product. */
  userId: string | null;
  /** Null until a checkout that began without a customer is complete. */
  customerId: string | null;
  email: string | null;
  url: string | null;
}

export interface CustomerAttempt {
  userId: string;
  /** The customer before it, which no longer exists. */
  replaces: string | null;
  /** Never used again after the provider has answered with a fault. */
  number: number;
}

export interface NewCheckout {
  customerId: string;
  userId: string;
  priceId: string;
  /** The provider puts the checkout's id in place of `checkoutIdPlaceholder`. */
  successUrl: string;
  cancelUrl: string;
  idempotencyKey: string;
}

/** Only the ids of an event are trusted. What they stand for is read from the provider. */
export interface BillingEvent {
  id: string;
  type: string;
  concernsSubscription: boolean;
  isPayment: boolean;
  customerId: string | null;
  checkoutSessionId: string | null;
}

/** `status` is the HTTP status, or 0 if no answer came in time that can be read. */
export class BillingError extends Error {
  readonly status: number;

  constructor(status: number, text: string) {
    super(text);
    this.name = "BillingError";
    this.status = status;
  }

  /** The provider is down, slow or limiting requests, and does not refuse this one. */
  get outage(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 500;
  }

  /**
   * The provider repeats this answer for a day to calls with the same idempotency key. After any other fault
   * the call must use the same key again, because what it was to create may exist.
   */
  get isKept(): boolean {
    return this.status >= 400 && this.status !== 409 && this.status !== 429;
  }
}
