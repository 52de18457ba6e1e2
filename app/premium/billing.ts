/** A subscription as the provider has it now. Times are epoch milliseconds. */
export interface BilledSubscription {
  id: string;
  /**
   * "active"; "past_due" where a payment failed but may still be made; "canceled" once it has ended, and
   * "incomplete_expired" where it never began. Any other gives no premium and may still do so, such as
   * "incomplete", "trialing", "unpaid" and "paused", which is also one for whose current period nobody pays
   * because payments are paused. Stripe's own; another provider's adapter translates.
   */
  status: string;
  createdAt: number;
  startedAt: number;
  /** When a scheduled cancellation takes effect, or null. */
  cancelAt: number | null;
  /** The provider charges for each period by itself, and this is not paused. */
  isCharged: boolean;
  /** The first failure of the latest payment; null if it has not failed. */
  failedAt: number | null;
  /** When the provider tries that payment again by itself; null if it does not. */
  retryAt: number | null;
  /** When it ended, or null. */
  endedAt: number | null;
  productIds: string[];
}

/** The next payment for a product, as the provider will charge it. Times are epoch milliseconds. */
export interface NextPayment {
  /** When it is charged, which is when its period begins. */
  at: number;
  until: number;
  /** What is charged, as people read it: "USD 2.99"; null if it is charged with something else. */
  amount: string | null;
}

/** A customer as the provider has it now. */
export interface BilledCustomer {
  id: string;
  /** The user it was created for, or null if it was created outside the product. */
  userId: string | null;
  email: string | null;
}

/** A checkout as the provider has it now. */
export interface CheckoutSession {
  id: string;
  /** "complete": it is paid for, or was free. */
  status: "open" | "complete" | "expired";
  /** The user who began it, or null if it was begun outside the product. */
  userId: string | null;
  /** Null until a checkout that began without a customer is complete. */
  customerId: string | null;
  /** The buyer's address; null until it is given. */
  email: string | null;
  /** The page to pay on; null once that is no longer possible. */
  url: string | null;
}

/** What identifies a customer before it has an id. */
export interface CustomerAttempt {
  userId: string;
  replaces: string | null;
  /** An attempt that the provider has answered with a fault is never repeated with the same number. */
  number: number;
}

export interface NewCheckout {
  customerId: string;
  userId: string;
  priceId: string;
  /** Absolute; the provider puts the checkout's id in place of `checkoutIdPlaceholder`. */
  successUrl: string;
  cancelUrl: string;
  /** Two requests with the same key create one checkout. */
  idempotencyKey: string;
}

/** A webhook's event. Only its ids are trusted; what they stand for is read anew. */
export interface BillingEvent {
  id: string;
  /** The provider's name for it, for the log. */
  type: string;
  /** It can mean that a subscription has changed. */
  concernsSubscription: boolean;
  /** Money has arrived. */
  isPayment: boolean;
  customerId: string | null;
  /** The checkout's id, if the event is about one. */
  checkoutSessionId: string | null;
}

/** The card payment provider. Every call may throw a BillingError. */
export interface Billing {
  /** Text that the provider replaces by the checkout's id in the address that it leads back to. */
  readonly checkoutIdPlaceholder: string;
  /** The price of premium; `active` while it is for sale. Throws a BillingError if there is none. */
  premiumPrice(): Promise<{ id: string; productId: string; active: boolean }>;
  /**
   * Creates the user's customer, or returns the one created before by the same attempt. `replaces` is the
   * customer before it, which no longer exists.
   * @returns the customer's id.
   */
  createCustomer(user: CustomerAttempt & { email: string | null }): Promise<string>;
  /**
   * The ids of all customers that were created for a user. The provider may take a minute to know a new one
   * here, and longer in an outage.
   */
  customersOf(userId: string): Promise<string[]>;
  /** Null if there is no customer with that id any more. */
  customer(customerId: string): Promise<BilledCustomer | null>;
  /** All of a customer's subscriptions, including ended ones. */
  subscriptions(customerId: string): Promise<BilledSubscription[]>;
  /** The next payment of a subscription for one of its products; null if none is due. */
  nextPayment(subscriptionId: string, productId: string): Promise<NextPayment | null>;
  createCheckout(checkout: NewCheckout): Promise<CheckoutSession>;
  /** Null if there is no checkout with that id; a text that can be none costs no request. */
  checkout(sessionId: string): Promise<CheckoutSession | null>;
  /** The user named by any of the customer's checkouts, or null. */
  findCheckoutUser(customerId: string): Promise<string | null>;
  /** Ends a checkout, unless it is complete or has ended. */
  expireCheckout(checkoutId: string): Promise<void>;
  /** Ends a customer's open checkouts except one. */
  expireCheckouts(customerId: string, keep: string): Promise<void>;
  /** Ends a subscription at once. Does nothing if it has ended. */
  endSubscription(subscriptionId: string): Promise<void>;
  /**
   * Deletes a customer, whose subscriptions and open checkouts end at once. Does nothing if there is no
   * such customer. Invoices stay at the provider, as the law requires.
   */
  deleteCustomer(customerId: string): Promise<void>;
  /** @returns the URL where the customer manages the subscription. */
  createPortal(customerId: string, returnUrl: string): Promise<string>;
  /**
   * The event in a webhook's raw body.
   * @returns null if the signature is missing, invalid or older than 300 seconds.
   */
  readEvent(body: string, signature: string | null): Promise<BillingEvent | null>;
}

/** A failed call to the provider, with its HTTP status, or 0 if no answer came in time that can be read. */
export class BillingError extends Error {
  readonly status: number;

  constructor(status: number, text: string) {
    super(text);
    this.name = "BillingError";
    this.status = status;
  }

  /** True if the provider is down, slow or limiting requests, as opposed to refusing this one. */
  get outage(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 500;
  }

  /**
   * True if the provider would give this answer again, for a day, to a repeated call with the same
   * idempotency key. A call without an answer, or one that was turned away before it was carried out, has to
   * be repeated with the same key, because what it was to create may exist.
   */
  get isKept(): boolean {
    return this.status >= 400 && this.status !== 409 && this.status !== 429;
  }
}
