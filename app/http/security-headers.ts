import type { Analytics } from "~/platform/analytics";

interface ContentOrigins {
  nonce: string;
  scripts: boolean;
  /** Where Spotify's login is, if one can come in by it. */
  accountsUrl?: string;
  /** Of covers and avatars, space-separated. */
  imageOrigins?: string;
  paymentOrigins?: string;
  /** Files of own recordings, which are served here. */
  playsFiles?: boolean;
  player?: { sdkUrl: string; apiUrl: string };
  analytics?: Pick<Analytics, "scriptUrl" | "reportOrigin"> | null;
}

export function contentSecurityPolicy(origins: ContentOrigins): string {
  const { nonce, scripts, accountsUrl, player, analytics } = origins;
  const accounts = accountsUrl ? new URL(accountsUrl).origin : "";
  const sdk = player ? new URL(player.sdkUrl).origin : "";
  const api = player ? new URL(player.apiUrl).origin : "";
  const counter = analytics ? new URL(analytics.scriptUrl).origin : "";
  const scriptSources = scripts
    ? `'self' 'nonce-${nonce}' ${sdk} ${counter}`
    : counter && `'nonce-${nonce}' ${counter}`;
  return [
    "default-src 'none'",
    `script-src ${scriptSources || "'none'"}`,
    "style-src 'self'",
    `img-src 'self' data: ${origins.imageOrigins ?? ""}`,
    "font-src 'self'",
    ...(origins.playsFiles ? ["media-src 'self'"] : []),
    "manifest-src 'self'",
    // Needed even without scripts: tools that check pages fetch robots.txt from within them.
    `connect-src 'self' ${api} ${analytics?.reportOrigin ?? ""}`,
    `frame-src ${sdk || "'none'"}`,
    `form-action 'self' ${accounts} ${origins.paymentOrigins ?? ""}`,
    "base-uri 'none'",
    "object-src 'none'",
    "frame-ancestors 'none'",
  ]
    .map((directive) => directive.trim().replace(/ +/g, " "))
    .filter(Boolean)
    .join("; ");
}

/** `player` is null where songs play, but none of Spotify's. */
export function permissionsPolicy(player?: { sdkUrl: string } | null): string {
  const sdk = player ? ` "${new URL(player.sdkUrl).origin}"` : "";
  const players = player === undefined ? "()" : `(self${sdk})`;
  return [
    ...["accelerometer", "camera", "display-capture", "geolocation", "gyroscope", "microphone"],
    ...["midi", "payment", "publickey-credentials-get", "screen-wake-lock", "serial", "usb"],
  ]
    .map((feature) => `${feature}=()`)
    .concat(`autoplay=${players}`, `encrypted-media=${players}`)
    .join(", ");
}

const noPermissions = permissionsPolicy();

const strictPolicy =
  "default-src 'none'; style-src 'self'; font-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

export function addSecurityHeaders(
  response: Response,
  { requestId, https }: { requestId: string; https: boolean },
): Response {
  const secured = changeable(response);
  const headers = secured.headers;
  const defaults: Record<string, string> = {
    "Content-Security-Policy": strictPolicy,
    "Permissions-Policy": noPermissions,
    "Cache-Control": "private, no-store",
    "Cross-Origin-Resource-Policy": "same-origin",
  };
  for (const [name, value] of Object.entries(defaults)) {
    if (!headers.has(name)) headers.set(name, value);
  }
  headers.set("Referrer-Policy", "same-origin");
  headers.set("X-Frame-Options", "DENY");
  headers.set("Cross-Origin-Opener-Policy", "same-origin");
  headers.set("X-Request-Id", requestId);
  if (https) headers.set("Strict-Transport-Security", "max-age=31536000; includeSubDomains");
  return secured;
}

/** Copies only what refuses a header, because a copy makes a stream of a body that is in memory. */
function changeable(response: Response): Response {
  try {
    response.headers.set("X-Content-Type-Options", "nosniff");
    return response;
  } catch {
    return changeable(new Response(response.body, response));
  }
}
