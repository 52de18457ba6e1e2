import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import { loadPrice } from "~/exchange/submission/draft.server";
import { mixReach } from "~/exchange/submission/limits.server";
import { jsonOrRedirect, leadTo, requireAccepted, requireViewer } from "~/http/require.server";
import { limitPosts, type RouteHandle } from "~/http/route-handle";
import { readRest, streamedForm } from "~/http/streamed-form.server";
import { reject } from "~/platform/rejection";
import { maxFileBytes } from "~/sources/files/audio-file";
import { maxCoverBytes } from "~/sources/files/cover-file";
import { takeIn } from "~/sources/files/take-in.server";

export const handle: RouteHandle = { ...limitPosts("LIMIT_STRICT", "user"), streamsBody: true };

const maxFormBytes = maxFileBytes + maxCoverBytes + 64 * 1024;

export const loader = leadTo("/?menu=addownsong");

/** Whoever is refused gets to read why, however much is still on its way. */
export async function action(asked: ActionFunctionArgs): Promise<Response> {
  try {
    return await takeUpload(asked);
  } finally {
    await readRest(asked.request);
  }
}

/** Who it is, and whether they may submit, is asked before the file is read, and once more when it is whole. */
async function takeUpload({ request, context }: ActionFunctionArgs): Promise<Response> {
  const asked = context.sessionId ? await loadPrice(context, context.sessionId) : null;
  if (!asked) context.noteEndedLogin();
  const known = { ...context, viewer: async () => asked?.viewer ?? null };
  const viewer = await requireViewer({ request, context: known });
  const page = { viewer, back: { label: "Back to the upload", href: "/?menu=addownsong" } };
  if (!context.config.offers.uploads) requireAccepted(request, closed, page);
  const price = requireAccepted(request, asked?.price ?? closed, page);
  const form = streamedForm(request, maxFormBytes);
  const agreed = { ...price, reach: mixReach(context) };
  const taken = requireAccepted(request, await takeIn(context, viewer, form, agreed), page);
  const { recordingId, replaces } = taken;
  const to = `/recordings/${recordingId}${replaces ? "?again" : ""}`;
  return jsonOrRedirect(request, { json: { ok: true, recordingId, to }, to });
}

const closed = reject(
  503,
  "Uploads are closed at the moment. Songs that are here already stay as they are.",
);
