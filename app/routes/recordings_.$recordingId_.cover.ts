import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import type { RouteHandle } from "~/http/route-handle";
import { ownCover } from "~/recordings/own-files.server";

export const handle: RouteHandle = {
  rateLimits: { GET: [{ limiter: "LIMIT_WIDE", per: "session" }] },
};

export function loader({ params, context }: LoaderFunctionArgs): Promise<Response> {
  return ownCover(context, params.recordingId ?? "");
}
