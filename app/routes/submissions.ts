import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import * as z from "zod";
import { submitSong } from "~/exchange/submission/submit.server";
import {
  jsonOrRedirect,
  leadTo,
  requireAccepted,
  requireFields,
  requireViewer,
} from "~/http/require.server";
import type { RouteHandle } from "~/http/route-handle";

export const handle: RouteHandle = {
  rateLimits: { POST: [{ limiter: "LIMIT_STRICT", per: "session" }] },
};

export const loader = leadTo("/?menu=addownsong");

const submissionFields = z.object({
  /** Spotify's ids are 22 base-62 characters. */
  trackId: z.string().regex(/^[0-9A-Za-z]{22}$/),
  /** Identifies the form, so that pressing twice submits once. Without it, every call counts. */
  key: z.uuid().default(() => crypto.randomUUID()),
});

/** Submits one of the user's songs, `trackId`. */
export async function action({ request, context }: ActionFunctionArgs) {
  const viewer = await requireViewer({ request, context });
  const error = "Please choose a song from the search results.";
  const { trackId, key } = await requireFields(request, submissionFields, { error, viewer });
  // One form offers many songs: going back and choosing another one is a new submission.
  const requestKey = `${key}:${trackId}`;
  const services = { ...context, spotify: context.spotify(viewer) };
  const outcome = await submitSong(services, viewer, { trackId, requestKey });
  const submitted = requireAccepted(request, outcome, { viewer });
  return jsonOrRedirect(request, {
    json: { ok: true, ...submitted },
    to: `/?menu=songaddedtopool&submission=${submitted.submissionId}`,
  });
}
