import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { nothingHere, rejectionResponse } from "~/http/error-response.server";
import type { RouteHandle } from "~/http/route-handle";
import { ownCover } from "~/sources/files/own-files.server";

export const handle: RouteHandle = {
  rateLimits: { GET: [{ limiter: "LIMIT_WIDE", per: "session" }] },
};

export async function loader({ request, params, context }: LoaderFunctionArgs): Promise<Response> {
  return (
    (await ownCover(context, params.recordingId ?? "")) ?? rejectionResponse(request, nothingHere)
  );
}
