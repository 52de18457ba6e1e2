/** Changing one is a decision, not a tidy-up. */
export const billingTexts = {
  checkoutFailed: "Failed to start subscription. Please try again.",
  noUrl: "No checkout URL returned from server",
  already: "You have Fivefold Premium already. You can change it under Manage Subscription.",
  unpaid: "Your subscription is waiting for a payment. Open Manage Subscription.",
  foreignPrice: "This price is not on offer.",
  foreignAddress: "The return address must be on this site.",
  portalFailed: "Failed to create portal session. Please contact support.",
  noSubscription: "There is no subscription to manage. If you pay for one, write to us.",
} as const;

export const successTexts = {
  noSessionId: (contact: string) => `No session ID found. Please contact support at ${contact}`,
  noEmail: (sessionId: string) =>
    `No email found in session. Please contact support with your session ID: ${sessionId}`,
  fetchFailed: (text: string) => `Failed to fetch session details: ${text}`,
  unreachable: "Stripe cannot be reached right now.",
  refused: "Stripe refused to answer.",
  unknown: "There is no such checkout.",
  failed: (contact: string) => `Failed to process subscription. Please contact ${contact}`,
} as const;
