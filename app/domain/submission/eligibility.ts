/** Whether and at what price the viewer may submit (rule 25). */
export interface Eligibility {
  eligible: boolean;
  /** Songs still to rate before submitting; 0 when eligible. */
  remaining: number;
  /** Credits a submission spends. */
  cost: number;
  /** The pool is nearly or wholly empty: the confirmation is the "No More Songs" one. */
  limited: boolean;
}

/** What decides whether a user may submit. */
export interface Standing {
  /** Ratings given and not yet spent. */
  credits: number;
  /** Songs that the user has submitted, in total. */
  submittedCount: number;
  /** Songs the carousel could still offer the user. */
  available: number;
  /** A submission that cost nothing was made within the last day. */
  freeUsed?: boolean;
}

/**
 * Whether a user may submit, and what it costs (rule 25). The cost is the tier's threshold. A user who
 * has submitted before pays the number of available songs if that is smaller; with none available,
 * submitting is free, once a day, and costs the threshold beyond that.
 * @param threshold songs to rate before a submission, by tier.
 */
export function eligibility(standing: Standing, threshold: number): Eligibility {
  const { credits, submittedCount, available, freeUsed = false } = standing;
  const scarce = submittedCount > 0 && available < threshold;
  // With an empty pool even a first-time user may submit: there is nothing to rate instead.
  const limited = scarce || (available === 0 && credits < threshold);
  const isFree = limited && available === 0;
  const cost = limited && !(isFree && freeUsed) ? available : threshold;
  const remaining = Math.max(0, cost - credits);
  return { eligible: remaining === 0, remaining, cost, limited };
}
