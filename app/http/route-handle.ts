import type { RateLimiters } from "~/platform/env";

export interface RateLimit {
  limiter: keyof RateLimiters;
  /** Visitors count by address. "user" also counts all logins of a user together (`requireViewer`). */
  per: "session" | "user" | "address";
  query?: string;
}

export interface RouteHandle<Data = never> {
  /** What can be posted to a path that ends in `:action`, by its last part. Each is a route by itself. */
  actions?: Record<string, RouteHandle<Data>>;
  /**
   * The page looks the same to every visitor without a login, and reads no more of the query than
   * app/http/public-page-cache.ts names. Cached responses do not count against rate limits.
   */
  sameForVisitors?: true;
  /** The page looks the same to members too. It reads neither cookie nor query, and sets no cookie. */
  sameForEverybody?: true;
  /** The first limit that matches counts the request. HEAD counts as GET. */
  rateLimits?: { GET?: RateLimit[]; POST?: RateLimit[] };
  maxBodyBytes?: number;
  /**
   * The route reads the body itself, as it comes (`streamedForm`). What it has read before may be old by then: it asks
   * again, in the batch that counts.
   */
  streamsBody?: true;
  crawlers?: "listed" | "disallowed";
  returnTarget?: true;
  /** Everybody else gets the answer of an address that leads nowhere. */
  forOperators?: true;
  /** Where premium is not sold, the address leads nowhere. */
  forPremium?: true;
  /** Reads from the primary, because no replica may let in a login that has ended. */
  readsPrimary?: true;
  scripts?: (data: Data) => boolean;
  /** Lets in somebody else's script, which sees the whole page: only without a login or a secret address. */
  countsVisits?: (data: Data) => boolean;
  /** Covers on a visitor's page. Members' pages may always show them. */
  showsCovers?: (data: Data) => boolean;
  /** A sound of ours on a visitor's page. Members' pages may always play files. */
  playsFiles?: (data: Data) => boolean;
  /** Songs can play in this document, now or after a navigation within it. */
  playsSongs?: (data: Data) => boolean;
  preloadsPlayer?: (data: Data) => boolean;
}

export type AnyRouteHandle = RouteHandle<unknown>;

export function limitPosts(limiter: RateLimit["limiter"], per: RateLimit["per"] = "session") {
  return { rateLimits: { POST: [{ limiter, per }] } } satisfies RouteHandle;
}

/** The page of a link in a mail, which anybody may open. */
export function mailedLink(limiter: RateLimit["limiter"]) {
  return {
    crawlers: "disallowed",
    rateLimits: {
      GET: [{ limiter: "LIMIT_WIDE", per: "address" }],
      POST: [{ limiter, per: "address" }],
    },
  } satisfies RouteHandle;
}
