import type { RateLimiters } from "~/platform/env";
import { logEvent } from "~/platform/log";
import type { AnyRouteHandle } from "./route-handle";

/** The period of every limit, in seconds; the same as in wrangler.toml. */
export const limitPeriodSeconds = 60;

/** What decides whether a request is one too many. */
export interface LimitedRequest {
  request: Pick<Request, "method" | "headers" | "url">;
  /** The route's name, as the route table gives it. */
  route: string;
  handle: AnyRouteHandle;
  /** The key of the login that the request comes with, or null. */
  sessionId: string | null;
}

/**
 * Counts a request against the limit that its route names, and says whether it is one too many within
 * the last minute. Cloudflare keeps the counters per location and approximately: they stop floods,
 * the rules of the product stand elsewhere. A counter that does not answer refuses nobody.
 */
export async function isRateLimited(
  { request, route, handle, sessionId }: LimitedRequest,
  limiters: RateLimiters,
): Promise<boolean> {
  const method = request.method === "HEAD" ? "GET" : request.method;
  const { searchParams } = new URL(request.url);
  const limits = handle.rateLimits?.[method as "GET" | "POST"] ?? [];
  const limit = limits.find(({ query }) => query === undefined || searchParams.has(query));
  const limiter = limit && limiters[limit.limiter];
  if (!limiter) return false;
  const client = limit.per === "session" && sessionId ? sessionId : networkAddress(request.headers);
  try {
    const key = `${method} ${route}?${limit.query ?? ""} ${client}`;
    const { success } = await limiter.limit({ key });
    return !success;
  } catch (error) {
    logEvent("rate_limit_failed", { error });
    return false;
  }
}

/**
 * The address a request comes from, as Cloudflare reports it. Of an IPv6 address only the first half,
 * which stands for a household: one machine can use every address within it.
 */
function networkAddress(headers: Headers): string {
  const address = headers.get("CF-Connecting-IP") ?? "unknown";
  if (!address.includes(":")) return address;
  return (address.split("::")[0] ?? "").split(":").slice(0, 4).join(":");
}
