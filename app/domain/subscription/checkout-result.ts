/** How a checkout stands after Stripe has sent the buyer back. */
export type CheckoutResult =
  /** It is not paid yet. */
  | { state: "processing" }
  /**
   * `userId`: who began it, and whose it is, whatever address it was paid with; null where it was
   * begun without the product. `written`: premium is on record.
   */
  | { state: "success"; email: string; written: boolean; userId: string | null }
  | { state: "error"; error: string; status: 400 | 404 | 502 | 503 };
