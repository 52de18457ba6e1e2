import type { Analytics } from "~/platform/analytics";

/** Where a page may load what from; all values are origins or URLs. */
export interface ContentOrigins {
  nonce: string;
  /** Whether the page runs scripts of ours. */
  scripts: boolean;
  /** Where the login form's redirect leads. */
  accountsUrl: string;
  /** Given on the pages of who is logged in: covers and avatars, and where it is paid; space-separated. */
  member?: { imageOrigins: string; paymentOrigins: string };
  /** Given on the one page that plays music. */
  player?: { sdkUrl: string; apiUrl: string };
  /** Given where this visit is counted. */
  analytics?: Pick<Analytics, "scriptUrl" | "reportOrigin"> | null;
}

/** The Content-Security-Policy of a rendered page. */
export function contentSecurityPolicy(origins: ContentOrigins): string {
  const { nonce, scripts, accountsUrl, member, player, analytics } = origins;
  const sdk = player ? new URL(player.sdkUrl).origin : "";
  const api = player ? new URL(player.apiUrl).origin : "";
  const counting = analytics ? new URL(analytics.scriptUrl).origin : "";
  const scriptSources = scripts
    ? `'self' 'nonce-${nonce}' ${sdk} ${counting}`
    : counting && `'nonce-${nonce}' ${counting}`;
  return [
    "default-src 'none'",
    `script-src ${scriptSources || "'none'"}`,
    "style-src 'self'",
    `img-src 'self' data: ${member?.imageOrigins ?? ""}`,
    "font-src 'self'",
    "manifest-src 'self'",
    // Also without scripts: tools that check pages ask for robots.txt from within them.
    `connect-src 'self' ${api} ${analytics?.reportOrigin ?? ""}`,
    `frame-src ${sdk || "'none'"}`,
    `form-action 'self' ${new URL(accountsUrl).origin} ${member?.paymentOrigins ?? ""}`,
    "base-uri 'none'",
    "object-src 'none'",
    "frame-ancestors 'none'",
  ]
    .map((directive) => directive.trim().replace(/ +/g, " "))
    .join("; ");
}

/** What a page may ask of the browser: nothing, but for sound where the player's frame makes it. */
export function permissionsPolicy(player?: { sdkUrl: string }): string {
  const sounding = player ? `(self "${new URL(player.sdkUrl).origin}")` : "()";
  return [
    ...["accelerometer", "camera", "display-capture", "geolocation", "gyroscope", "microphone"],
    ...["midi", "payment", "publickey-credentials-get", "screen-wake-lock", "serial", "usb"],
  ]
    .map((feature) => `${feature}=()`)
    .concat(`autoplay=${sounding}`, `encrypted-media=${sounding}`)
    .join(", ");
}

/** The policy of whatever is not a rendered page: nothing may load. */
const nothing =
  "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/** Adds the headers every answer carries. What is stricter for some, and there already, stays. */
export function secureHeaders(
  response: Response,
  { requestId, https }: { requestId: string; https: boolean },
): Response {
  const secured = new Response(response.body, response);
  const headers = secured.headers;
  const unlessThere: Record<string, string> = {
    "Content-Security-Policy": nothing,
    "Permissions-Policy": permissionsPolicy(),
    "Cache-Control": "private, no-store",
  };
  for (const [name, value] of Object.entries(unlessThere)) {
    if (!headers.has(name)) headers.set(name, value);
  }
  headers.set("X-Content-Type-Options", "nosniff");
  headers.set("Referrer-Policy", "same-origin");
  headers.set("X-Frame-Options", "DENY");
  headers.set("Cross-Origin-Opener-Policy", "same-origin");
  headers.set("Cross-Origin-Resource-Policy", "same-origin");
  headers.set("X-Request-Id", requestId);
  if (https) headers.set("Strict-Transport-Security", "max-age=31536000; includeSubDomains");
  return secured;
}
