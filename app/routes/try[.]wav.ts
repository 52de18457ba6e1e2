import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { rejectionResponse } from "~/http/error-response.server";
import type { RouteHandle } from "~/http/route-handle";
import { isRejection } from "~/platform/rejection";
import { readVisit, serveTune } from "~/sources/files/tune.server";

export const handle: RouteHandle = {
  // A player asks for a file in parts.
  rateLimits: { GET: [{ limiter: "LIMIT_WIDE", per: "address" }] },
};

/** Our own tune, at the pace of the visit that asks for it. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const visit = new URL(request.url).searchParams.get("visit") ?? "";
  const read = await readVisit(context.secret, visit, context.now());
  if (isRejection(read)) return rejectionResponse(request, read);
  return (await serveTune(context, request, read.startedAt)) ?? context.leadNowhere(null);
}
