import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { coverPng } from "~/covers/cover-png";
import { coverSvg } from "~/covers/drawing";
import { drawCover, isCoverHash } from "~/covers/drawn-cover";
import { requireAccepted } from "~/http/require.server";
import type { RouteHandle } from "~/http/route-handle";
import { reject } from "~/platform/rejection";

export const handle: RouteHandle = {
  sameForEverybody: true,
  rateLimits: { GET: [{ limiter: "LIMIT_WIDE", per: "address" }] },
};

/** `<hash>.svg` or `<hash>.png`. It is kept for a year, so another drawing needs another address. */
export async function loader({ request, params: { picture = "" } }: LoaderFunctionArgs) {
  const [hash = "", type, ...more] = picture.split(".");
  const isCover = isCoverHash(hash) && (type === "svg" || type === "png") && more.length === 0;
  requireAccepted(request, isCover || reject(404, "No cover has this address."));
  const drawing = drawCover(hash);
  const isVector = type === "svg";
  return new Response(isVector ? coverSvg(drawing) : await coverPng(drawing), {
    headers: {
      "Content-Type": isVector ? "image/svg+xml" : "image/png",
      "Cache-Control": "public, max-age=31536000, immutable",
      "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
      // Some mail programs load a picture from a page of their own.
      "Cross-Origin-Resource-Policy": isVector ? "same-origin" : "cross-origin",
    },
  });
}
