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

/** The address a checkout was paid with; to somebody else than who began it, it is nothing to see. */
export function emailFor(
  { email, userId }: { email: string; userId: string | null },
  viewerId: string | null,
): string | null {
  const foreign = viewerId !== null && userId !== null && userId !== viewerId;
  return foreign ? null : email;
}
