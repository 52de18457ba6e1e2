import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import type { RouteHandle } from "~/http/route-handle";
import { ownAudio } from "~/recordings/own-files.server";

export const handle: RouteHandle = {
  rateLimits: { GET: [{ limiter: "LIMIT_WIDE", per: "session" }] },
};

export function loader({ request, params, context }: LoaderFunctionArgs): Promise<Response> {
  return ownAudio(context, request, params.recordingId ?? "");
}
