import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { nothingHere, rejectionResponse } from "~/http/error-response.server";
import type { RouteHandle } from "~/http/route-handle";
import { ownAudio } from "~/sources/files/own-files.server";

export const handle: RouteHandle = {
  rateLimits: { GET: [{ limiter: "LIMIT_WIDE", per: "session" }] },
};

export async function loader({ request, params, context }: LoaderFunctionArgs): Promise<Response> {
  return (
    (await ownAudio(context, request, params.recordingId ?? "")) ??
    rejectionResponse(request, nothingHere)
  );
}
