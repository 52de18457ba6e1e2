/** A subscription as Stripe has it now, as far as the product reads it. Times are epoch milliseconds. */
export interface BilledSubscription {
  id: string;
  /** Stripe's word for it: active, past_due, canceled, unpaid, incomplete and others. */
  status: string;
  createdAt: number;
  startedAt: number;
  /** When a scheduled cancellation takes effect, or null where none is scheduled. */
  cancelAt: number | null;
  productIds: string[];
}

/** What Stripe knows of a customer. */
export interface BilledCustomer {
  id: string;
  /** The user it was made for, or null where it was made without the product. */
  userId: string | null;
  email: string | null;
}

/** A checkout as Stripe has it now. */
export interface CheckoutSession {
  id: string;
  /** "complete" is paid for, or was free. */
  status: "open" | "complete" | "expired";
  /** The user who began it, or null where it was begun without the product. */
  userId: string | null;
  /** None before a checkout without one is complete. */
  customerId: string | null;
  /** The address that was paid with; none before it was given. */
  email: string | null;
  /** Where it can be paid; null once that is over. */
  url: string | null;
}

export interface NewCheckout {
  customerId: string;
  userId: string;
  priceId: string;
  /** Absolute; Stripe puts the session's id in place of {CHECKOUT_SESSION_ID}. */
  successUrl: string;
  cancelUrl: string;
  /** Two requests with one key make one checkout. */
  idempotencyKey: string;
}

/** A webhook's event, of which nothing is believed but what it is about. */
export interface BillingEvent {
  id: string;
  type: string;
  customerId: string | null;
  /** The checkout's id, where the event is about one. */
  checkoutSessionId: string | null;
}

/** The card payment provider. Every call may throw a BillingError. */
export interface Billing {
  /** What premium is sold by; `active` while it is for sale. Without such a price, a BillingError. */
  premiumPrice(): Promise<{ id: string; productId: string; active: boolean }>;
  /**
   * Makes the user's customer; asked again, it gives the same one. `replaces`: the one before, which
   * is gone. @returns its id.
   */
  createCustomer(user: {
    userId: string;
    email: string | null;
    replaces: string | null;
  }): Promise<string>;
  /** Null where there is none of that id, or no more. */
  customer(customerId: string): Promise<BilledCustomer | null>;
  /** All of a customer's subscriptions, ended ones too. */
  subscriptions(customerId: string): Promise<BilledSubscription[]>;
  createCheckout(checkout: NewCheckout): Promise<CheckoutSession>;
  /** Null where there is none of that id. */
  checkout(sessionId: string): Promise<CheckoutSession | null>;
  /** The user named by a checkout of the customer's, or null where none names one. */
  findCheckoutUser(customerId: string): Promise<string | null>;
  /** Ends a customer's open checkouts, but for the one to keep. */
  expireCheckouts(customerId: string, keep: string): Promise<void>;
  /** Ends a subscription at once; one that is over already stays so. */
  endSubscription(subscriptionId: string): Promise<void>;
  /**
   * Forgets a customer, whose subscriptions and open checkouts end at once; one that is gone stays
   * gone. Invoices stay at Stripe, as the law asks for.
   */
  deleteCustomer(customerId: string): Promise<void>;
  /** @returns where the customer manages the subscription. */
  createPortal(customerId: string, returnUrl: string): Promise<string>;
  /**
   * The event in a webhook's raw body.
   * @returns null where the signature is missing, false or older than 300 seconds.
   */
  readEvent(body: string, signature: string | null): Promise<BillingEvent | null>;
}

/** Why Stripe could not do it: an HTTP status, or 0 where it could not be reached in time. */
export class BillingError extends Error {
  readonly status: number;

  constructor(status: number, text: string) {
    super(text);
    this.name = "BillingError";
    this.status = status;
  }

  /** Whether Stripe is down, slow or limiting, rather than refusing. */
  get outage(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 500;
  }
}
