import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import { exportAccount } from "~/account/export.server";
import { fileOfAccount } from "~/http/account-file";
import { leadTo, requireViewer } from "~/http/require.server";
import type { RouteHandle } from "~/http/route-handle";

export const handle: RouteHandle = {
  // An export reads a lot, whichever login asks for it.
  rateLimits: { POST: [{ limiter: "LIMIT_STRICT", per: "user" }] },
};

export const loader = leadTo("/account");

/** All stored data of the user, as a JSON file. */
export async function action({ request, context }: ActionFunctionArgs) {
  const viewer = await requireViewer({ request, context });
  const everything = await exportAccount(context.db, viewer, {
    now: context.now(),
    secret: context.secret,
  });
  return fileOfAccount(everything);
}
