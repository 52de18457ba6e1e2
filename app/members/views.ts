import type { SubscriptionView } from "./subscription-view";

/** The logged-in user as screens show them. */
export interface ViewerView {
  displayName: string;
  imageUrl: string | null;
  subscription: SubscriptionView;
}

/** One of the viewer's sessions. Times are epoch milliseconds. */
export interface SessionView {
  /** Its name in the form that ends it. */
  handle: string;
  /** Browser and system, or null where neither is known. */
  device: string | null;
  createdAt: number;
  lastSeenAt: number;
  /** It is the session of the request. */
  current: boolean;
}
