import type { RateLimit, RouteHandle } from "./route-handle";

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

export function tokenOf(request: Request): string {
  return new URL(request.url).searchParams.get("token") ?? "";
}
