import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { nothingHere, rejectionResponse } from "~/http/error-response.server";
import type { RouteHandle } from "~/http/route-handle";
import { sharedPicture } from "~/results/share.server";

export const handle: RouteHandle = {
  sameForEverybody: true,
  rateLimits: { GET: [{ limiter: "LIMIT_WIDE", per: "address" }] },
};

export async function loader({ request, params, context }: LoaderFunctionArgs): Promise<Response> {
  const picture = await sharedPicture(context.db, params.token ?? "");
  return picture ?? rejectionResponse(request, nothingHere);
}
