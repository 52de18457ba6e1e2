/**
 * The platform's counters, by what they allow a minute (wrangler.toml). They are kept at each of
 * Cloudflare's places and approximate: they stop floods, the rules themselves are elsewhere.
 */
export interface RateLimiters {
  /** Logins, which have no session yet and share an address. */
  LIMIT_LOGIN?: RateLimit;
  /** What sends mail, costs money, or reads a lot. */
  LIMIT_STRICT?: RateLimit;
  /** What a person does by hand. */
  LIMIT_NORMAL?: RateLimit;
  /** What other programs do, many people's from one address. */
  LIMIT_WIDE?: RateLimit;
}

interface Rule {
  route: string;
  method: "GET" | "POST";
  limiter: keyof RateLimiters;
  /** Whom it counts for; without a login every one counts for its address. */
  per: "session" | "address";
  /** Counted only where the query has this. */
  query?: string;
}

/** How long the limits count, in seconds: as in wrangler.toml. */
export const limitPeriodSeconds = 60;

const rules: Rule[] = [
  { route: "/login", method: "POST", limiter: "LIMIT_LOGIN", per: "address" },
  { route: "/auth/spotify/callback", method: "GET", limiter: "LIMIT_LOGIN", per: "address" },
  // The search for a song of one's own.
  { route: "/", method: "GET", limiter: "LIMIT_NORMAL", per: "session", query: "menu" },
  { route: "/songs/:songId/play", method: "POST", limiter: "LIMIT_NORMAL", per: "session" },
  { route: "/songs/:songId/listened", method: "POST", limiter: "LIMIT_NORMAL", per: "session" },
  { route: "/songs/:songId/rating", method: "POST", limiter: "LIMIT_NORMAL", per: "session" },
  { route: "/songs/:songId/favorite", method: "POST", limiter: "LIMIT_NORMAL", per: "session" },
  { route: "/submissions", method: "POST", limiter: "LIMIT_STRICT", per: "session" },
  { route: "/email-preference", method: "POST", limiter: "LIMIT_NORMAL", per: "session" },
  { route: "/account/email", method: "POST", limiter: "LIMIT_STRICT", per: "session" },
  { route: "/account/email/remove", method: "POST", limiter: "LIMIT_STRICT", per: "session" },
  { route: "/account/export", method: "POST", limiter: "LIMIT_STRICT", per: "session" },
  { route: "/account/delete", method: "POST", limiter: "LIMIT_STRICT", per: "session" },
  { route: "/account/sessions/end", method: "POST", limiter: "LIMIT_STRICT", per: "session" },
  { route: "/confirm-email", method: "POST", limiter: "LIMIT_NORMAL", per: "address" },
  { route: "/confirm-email", method: "GET", limiter: "LIMIT_WIDE", per: "address" },
  { route: "/checkout-session", method: "POST", limiter: "LIMIT_STRICT", per: "session" },
  { route: "/checkout-session/lookup", method: "POST", limiter: "LIMIT_STRICT", per: "session" },
  { route: "/portal-session", method: "POST", limiter: "LIMIT_STRICT", per: "session" },
  // Asks Stripe, for whoever comes.
  { route: "/subscription-success", method: "GET", limiter: "LIMIT_NORMAL", per: "address" },
  {
    route: "/player/token",
    method: "GET",
    limiter: "LIMIT_STRICT",
    per: "session",
    query: "refused",
  },
  { route: "/player/token", method: "GET", limiter: "LIMIT_NORMAL", per: "session" },
  { route: "/webhooks/stripe", method: "POST", limiter: "LIMIT_WIDE", per: "address" },
  { route: "/unsubscribe", method: "POST", limiter: "LIMIT_WIDE", per: "address" },
  { route: "/unsubscribe", method: "GET", limiter: "LIMIT_WIDE", per: "address" },
];

/**
 * Whether a request is one too many of its kind within the last minute, by whoever sends it. Counts
 * it. A counter that does not answer refuses nobody.
 * @param route as `routeNames` names it.
 * @param sessionId the key of the login it comes with, or null.
 * @param failed told why a counter did not answer.
 */
export async function isTooMany(
  request: Pick<Request, "method" | "headers" | "url">,
  route: string,
  sessionId: string | null,
  limiters: RateLimiters,
  failed: (error: unknown) => void,
): Promise<boolean> {
  const method = request.method === "HEAD" ? "GET" : request.method;
  const { searchParams } = new URL(request.url);
  const rule = rules.find(
    (one) =>
      one.route === route &&
      one.method === method &&
      (one.query === undefined || searchParams.has(one.query)),
  );
  const limiter = rule && limiters[rule.limiter];
  if (!limiter) return false;
  const who = rule.per === "session" && sessionId ? sessionId : networkOf(request.headers);
  try {
    const { success } = await limiter.limit({
      key: `${method} ${route}?${rule.query ?? ""} ${who}`,
    });
    return !success;
  } catch (error) {
    failed(error);
    return false;
  }
}

/**
 * The address a request comes from, as Cloudflare tells it; of IPv6 the half that stands for a
 * household, of which one machine has all addresses.
 */
function networkOf(headers: Headers): string {
  const address = headers.get("CF-Connecting-IP") ?? "unknown";
  if (!address.includes(":")) return address;
  return (address.split("::")[0] ?? "").split(":").slice(0, 4).join(":");
}
