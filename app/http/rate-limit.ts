import type { RateLimiters } from "~/platform/env";
import { logEvent } from "~/platform/log";
import { placesOfRequest } from "~/platform/network";
import { reject } from "~/platform/rejection";
import type { AnyRouteHandle, RateLimit } from "./route-handle";

const limitPeriodSeconds = 60;

export const tooManyRequests = reject(
  429,
  "That was a lot in a short time. Try again in a minute.",
  { secondsLeft: limitPeriodSeconds },
);

interface LimitedRequest {
  request: Pick<Request, "method" | "headers" | "url">;
  route: string;
  handle: AnyRouteHandle;
}

/**
 * Counts a request, and checks whether it is one too many within a minute. Cloudflare counts approximately and per
 * location, so no rule of the product may rest on this. A counter that does not answer lets everybody in.
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
 * Limits run before the session is read; if it has expired, count by address as well. Otherwise each cookie of an
 * ended login would have a limit of its own.
 */
export async function isAddressLimited(
  limited: LimitedRequest,
  limiters: RateLimiters,
): Promise<boolean> {
  const limit = limitOf(limited);
  if (!limit || limit.per === "address") return false;
  return isOneTooMany(limit, addressOf(limited), limited, limiters);
}

export async function isUserLimited(
  limited: LimitedRequest,
  userId: string,
  limiters: RateLimiters,
): Promise<boolean> {
  const limit = limitOf(limited);
  return limit?.per === "user" && isOneTooMany(limit, userId, limited, limiters);
}

function limitOf({ request, handle }: LimitedRequest): RateLimit | undefined {
  const limits = handle.rateLimits?.[methodOf(request)];
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

function addressOf({ request }: Pick<LimitedRequest, "request">): string {
  return placesOfRequest(request)[0] ?? "";
}
