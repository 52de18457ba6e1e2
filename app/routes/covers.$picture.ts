import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { coverSvg } from "~/covers/drawing";
import { drawCover, isCoverHash } from "~/covers/drawn-cover";
import { requireAccepted } from "~/http/require.server";
import type { RouteHandle } from "~/http/route-handle";
import { reject } from "~/platform/rejection";

export const handle: RouteHandle = {
  sameForEverybody: true,
  rateLimits: { GET: [{ limiter: "LIMIT_WIDE", per: "address" }] },
};

/** `<hash>.svg`. It is kept for a year, so another drawing needs another address. */
export function loader({ request, params: { picture = "" } }: LoaderFunctionArgs) {
  const [, hash = ""] = /^(.*)\.svg$/.exec(picture) ?? [];
  requireAccepted(request, isCoverHash(hash) || reject(404, "No cover has this address."));
  return new Response(coverSvg(drawCover(hash)), {
    headers: {
      "Content-Type": "image/svg+xml",
      "Cache-Control": "public, max-age=31536000, immutable",
      "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    },
  });
}
