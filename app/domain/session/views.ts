import type { SubscriptionView } from "~/domain/tiers/subscription-view";

/** The logged-in user as screens show them. */
export interface ViewerView {
  displayName: string;
  imageUrl: string | null;
  subscription: SubscriptionView;
}

/** One of the viewer's sessions. Times are epoch milliseconds. */
export interface SessionView {
  /** By which it can be ended, and nothing else. */
  handle: string;
  /** Browser and system, or null where neither is known. */
  device: string | null;
  createdAt: number;
  lastSeenAt: number;
  /** The one that asks. */
  current: boolean;
}
