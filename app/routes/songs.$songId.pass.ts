import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from "@remix-run/cloudflare";
import * as z from "zod";
import { isPassReason, maxReportLength } from "~/exchange/pass/pass";
import { passSong } from "~/exchange/pass/pass.server";
import {
  jsonOrRedirect,
  requireAccepted,
  requireFields,
  requireViewer,
} from "~/http/require.server";
import type { RouteHandle } from "~/http/route-handle";
import { plainText } from "~/platform/plain-text";

export const handle: RouteHandle = {
  rateLimits: { POST: [{ limiter: "LIMIT_NORMAL", per: "session" }] },
};

/** Redirects to the page that asks for the reason. */
export function loader({ params }: LoaderFunctionArgs) {
  return redirect(`/songs/${encodeURIComponent(params.songId ?? "")}/pass/reason`);
}

const passFields = z.object({
  reason: z.string().refine(isPassReason),
  words: z.string().default("").transform(plainText).pipe(z.string().max(maxReportLength)),
});

/** Passes on a song (rule 22). */
export async function action({ request, params, context }: ActionFunctionArgs) {
  const viewer = await requireViewer({ request, context });
  const error = `Please choose a reason, and say what is wrong in at most ${maxReportLength} characters.`;
  const fields = await requireFields(request, passFields, { error, viewer });
  const services = { ...context, spotify: context.spotify(viewer) };
  const { songId = "" } = params;
  const outcome = await passSong(services, viewer, { songId, ...fields });
  requireAccepted(request, outcome, { viewer });
  const passed = fields.reason === "report" ? "report" : `song:${songId}`;
  return jsonOrRedirect(request, { json: { ok: true, passed }, to: `/?passed=${passed}` });
}
