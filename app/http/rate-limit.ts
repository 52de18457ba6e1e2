import type { RateLimiters } from "~/platform/env";
import { logEvent } from "~/platform/log";
import { reject } from "~/platform/rejection";
import type { AnyRouteHandle, RateLimit } from "./route-handle";

/** The period of every limit, in seconds; the same as in wrangler.toml. */
const limitPeriodSeconds = 60;

export const tooManyRequests = reject(
  429,
  "That was a lot in a short time. Please wait a minute and try again.",
  { secondsLeft: limitPeriodSeconds },
);

/** The parts of a request that its limit depends on. */
interface LimitedRequest {
  request: Pick<Request, "method" | "headers" | "url">;
  /** The route's name, as the route table gives it. */
  route: string;
  handle: AnyRouteHandle;
}

/**
 * Counts a request against the limit that its route names, and checks whether it is one too many within
 * the last minute. Cloudflare keeps the counters per location and approximately: they stop floods, and no
 * rule of the product rests on them. A counter that does not answer refuses nobody.
 * @param limited with `sessionId`, the key of the login that the request's cookie names, or null.
 */
export async function isRateLimited(
  { sessionId, ...limited }: LimitedRequest & { sessionId: string | null },
  limiters: RateLimiters,
): Promise<boolean> {
  const limit = limitOf(limited);
  if (!limit) return false;
  const isOwn = limit.per !== "address" && sessionId !== null;
  return isOneTooMany(limit, isOwn ? sessionId : addressOf(limited), limited, limiters);
}

/**
 * Counts a request for its address after all, because its login turned out to have ended. The limits are
 * counted before the database is asked which logins have. Somebody could collect the cookies of ended
 * logins, and they must not each have a limit of their own.
 */
export async function isAddressLimited(
  limited: LimitedRequest,
  limiters: RateLimiters,
): Promise<boolean> {
  const limit = limitOf(limited);
  // Such a limit has counted the address already.
  if (!limit || limit.per === "address") return false;
  return isOneTooMany(limit, addressOf(limited), limited, limiters);
}

/** Counts a request for its user, who may have several logins, where the route's limit is the user's. */
export async function isUserLimited(
  limited: LimitedRequest,
  userId: string,
  limiters: RateLimiters,
): Promise<boolean> {
  const limit = limitOf(limited);
  return limit?.per === "user" && isOneTooMany(limit, userId, limited, limiters);
}

/** The first of the route's limits that matches. */
function limitOf({ request, handle }: LimitedRequest): RateLimit | undefined {
  const limits = handle.rateLimits?.[methodOf(request)];
  // Most pages have none, and parsing the address takes time.
  if (!limits) return undefined;
  const { searchParams } = new URL(request.url);
  return limits.find(({ query }) => query === undefined || searchParams.has(query));
}

async function isOneTooMany(
  { limiter, query = "" }: RateLimit,
  client: string,
  { request, route }: LimitedRequest,
  limiters: RateLimiters,
): Promise<boolean> {
  try {
    const key = `${methodOf(request)} ${route}?${query} ${client}`;
    const counted = await limiters[limiter]?.limit({ key });
    return counted !== undefined && !counted.success;
  } catch (error) {
    logEvent("rate_limit_failed", { error });
    return false;
  }
}

function methodOf({ method }: LimitedRequest["request"]): "GET" | "POST" {
  return method === "POST" ? "POST" : "GET";
}

/**
 * The address a request comes from, as Cloudflare reports it. Of an IPv6 address only the first half,
 * which stands for a household: one machine can use every address within it.
 */
function addressOf({ request: { headers } }: LimitedRequest): string {
  const address = headers.get("CF-Connecting-IP") ?? "unknown";
  if (!address.includes(":")) return address;
  return (address.split("::")[0] ?? "").split(":").slice(0, 4).join(":");
}
