/** The state of a checkout after Stripe has sent the buyer back. */
export type CheckoutResult =
  /** It is not paid yet. */
  | { state: "processing" }
  /**
   * `userId` began the checkout and gets the subscription, whatever address it was paid with; null if
   * it was begun outside the product. `written`: premium is on record.
   */
  | { state: "success"; email: string; written: boolean; userId: string | null }
  | { state: "error"; error: string; status: 400 | 404 | 502 | 503 };

/** The address that a checkout was paid with. Another user, once logged in, does not see it. */
export function emailFor(
  { email, userId }: { email: string; userId: string | null },
  viewerId: string | null,
): string | null {
  const foreign = viewerId !== null && userId !== null && userId !== viewerId;
  return foreign ? null : email;
}
