import type { Analytics } from "./analytics";

/** Where a page may load what from; all values are origins or URLs. */
export interface ContentOrigins {
  nonce: string;
  imageOrigins: string;
  /** Where the login form's redirect leads. */
  accountsUrl: string;
  /** Where the forms to subscribe and to manage lead; space-separated. */
  paymentOrigins: string;
  /** Given on the one page that plays music. */
  player?: { sdkUrl: string; apiUrl: string };
  /** Given where this visit is counted. */
  analytics?: Pick<Analytics, "scriptUrl" | "reportOrigin"> | null;
}

/** The Content-Security-Policy of a rendered page. */
export function contentSecurityPolicy(origins: ContentOrigins): string {
  const { nonce, imageOrigins, accountsUrl, paymentOrigins, player, analytics } = origins;
  const sdk = player ? new URL(player.sdkUrl).origin : "";
  const api = player ? new URL(player.apiUrl).origin : "";
  const counting = analytics ? new URL(analytics.scriptUrl).origin : "";
  return [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}' ${sdk} ${counting}`,
    "style-src 'self'",
    `img-src 'self' data: ${imageOrigins}`,
    "font-src 'self'",
    "manifest-src 'self'",
    `connect-src 'self' ${api} ${analytics?.reportOrigin ?? ""}`,
    `frame-src ${sdk || "'none'"}`,
    `form-action 'self' ${new URL(accountsUrl).origin} ${paymentOrigins}`,
    "base-uri 'none'",
    "object-src 'none'",
    "frame-ancestors 'none'",
  ]
    .map((directive) => directive.trim().replace(/ +/g, " "))
    .join("; ");
}

/** The policy of whatever is not a rendered page: nothing may load. */
const nothing =
  "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/** Adds the headers every answer carries. A policy that is already there stays. */
export function secureHeaders(response: Response, https: boolean): Response {
  const secured = new Response(response.body, response);
  const headers = secured.headers;
  if (!headers.has("Content-Security-Policy")) headers.set("Content-Security-Policy", nothing);
  if (!headers.has("Cache-Control")) headers.set("Cache-Control", "private, no-store");
  headers.set("X-Content-Type-Options", "nosniff");
  headers.set("Referrer-Policy", "same-origin");
  // Autoplay and encrypted media keep their defaults: the player's frame is given them by name.
  headers.set("Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()");
  headers.set("X-Frame-Options", "DENY");
  headers.set("Cross-Origin-Opener-Policy", "same-origin");
  headers.set("Cross-Origin-Resource-Policy", "same-origin");
  if (https) headers.set("Strict-Transport-Security", "max-age=31536000; includeSubDomains");
  return secured;
}
