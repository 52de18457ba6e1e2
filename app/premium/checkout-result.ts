/** The state of a checkout after the payment provider has sent the buyer back. */
export type CheckoutResult =
  /** It is not paid yet. */
  | { state: "processing" }
  /**
   * `userId` began the checkout and gets the subscription, whatever address it was paid with; null if it was
   * begun outside the product. `email` is the address it was paid with, null for everybody but the buyer,
   * because the page's address may be passed on. `written`: premium is on record.
   */
  | { state: "success"; email: string | null; written: boolean; userId: string | null }
  | { state: "error"; error: string; status: 400 | 404 | 502 | 503 };
