import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import { undoSubmission } from "~/domain/submission/undo.server";
import { jsonOrRedirect, leadTo, requireAccepted, requireViewer } from "~/http/require.server";
import type { RouteHandle } from "~/http/route-handle";

export const handle: RouteHandle = {
  rateLimits: { POST: [{ limiter: "LIMIT_STRICT", per: "session" }] },
};

export const loader = leadTo("/");

/** Takes back one of the user's submissions, within a minute. */
export async function action({ request, params, context }: ActionFunctionArgs) {
  const viewer = await requireViewer({ request, context });
  const submissionId = params.submissionId ?? "";
  const outcome = await undoSubmission(context, viewer, submissionId);
  requireAccepted(request, outcome, { viewer });
  return jsonOrRedirect(request, {
    json: { ok: true },
    to: `/?menu=addownsong&undone=${submissionId}`,
  });
}
