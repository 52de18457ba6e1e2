import type { RateLimiters } from "~/platform/env";

/** One of the limits of wrangler.toml, and whose requests it counts together. */
export interface RateLimit {
  limiter: keyof RateLimiters;
  /**
   * Requests without a login are always counted by address. "user" counts all logins of a user together, too,
   * once the route has asked who it is (`requireViewer`).
   */
  per: "session" | "user" | "address";
  /** Counts only requests whose query has this parameter. */
  query?: string;
}

/**
 * A route's declarations about itself, as its `handle`. Everything is optional: a route without any has no
 * rate limit, runs no script, and is not mentioned to crawlers.
 */
export interface RouteHandle<Data = never> {
  /**
   * The page looks the same to every visitor without a login, so it need not be rendered for each. It
   * reads no more of the query than app/http/public-page-cache.ts names. What is kept counts for no limit.
   */
  sameForVisitors?: true;
  /**
   * The page looks the same to everybody, logged in or not, and may be kept for as long as its own
   * Cache-Control says. It reads neither cookie nor query, and sets no cookie.
   */
  sameForEverybody?: true;
  /** The first limit that matches counts the request. HEAD counts as GET. */
  rateLimits?: { GET?: RateLimit[]; POST?: RateLimit[] };
  /** The largest body that is posted here, in bytes, if no form's (app/http/whole-body.server.ts). */
  maxBodyBytes?: number;
  /** "listed" puts the page into the sitemap; "disallowed" puts it into robots.txt. */
  crawlers?: "listed" | "disallowed";
  /** A form or a login may lead back to this page. */
  returnTarget?: true;
  /** For everybody but the operators, there is nothing at this address. */
  forOperators?: true;
  /** Reads from the primary, because no replica may let in a login that has ended. */
  readsPrimary?: true;
  /** The page runs scripts. */
  scripts?: (data: Data) => boolean;
  /**
   * The operator's script that counts visits may run. It is somebody else's and sees all that the page
   * sees, so it is for informational pages, without a login and without a secret in the address.
   */
  countsVisits?: (data: Data) => boolean;
  /** The page shows covers without a login. On a member's page they may always be shown. */
  showsCovers?: (data: Data) => boolean;
  /** Songs can play in this document, now or after a navigation within it. */
  playsSongs?: (data: Data) => boolean;
  /** The player starts to load along with the page. */
  preloadsPlayer?: (data: Data) => boolean;
}

/** A route's handle as the code that serves every route sees it. */
export type AnyRouteHandle = RouteHandle<unknown>;

/** The handle of a route that only takes posts. */
export function limitPosts(limiter: RateLimit["limiter"], per: RateLimit["per"] = "session") {
  return { rateLimits: { POST: [{ limiter, per }] } } satisfies RouteHandle;
}
