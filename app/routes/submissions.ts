import { type ActionFunctionArgs, redirect } from "@remix-run/cloudflare";
import * as z from "zod";
import { enqueueMail } from "~/domain/outbox/outbox.server";
import { isRefusal, refuse } from "~/domain/refusal";
import { submitSong } from "~/domain/submission/submit.server";
import { loginRequired, refusalResponse, wantsJson } from "~/http/error-response.server";
import { readFields } from "~/http/fields.server";

export function loader() {
  return redirect("/?menu=addownsong");
}

const submission = z.object({
  /** Spotify's ids are 22 base-62 characters. */
  trackId: z.string().regex(/^[0-9A-Za-z]{22}$/),
  /** Names the form, so that pressing twice submits once; a caller without one means each call. */
  key: z.uuid().default(() => crypto.randomUUID()),
});

/** Submits one of the user's songs, `trackId`. */
export async function action({ request, context }: ActionFunctionArgs) {
  const fields = await readFields(request);
  if (isRefusal(fields)) return refusalResponse(request, fields);
  const viewer = await context.viewer();
  if (!viewer) return loginRequired(request);

  const parsed = submission.safeParse(Object.fromEntries(fields));
  if (!parsed.success) {
    return refusalResponse(
      request,
      refuse(422, "Please choose a song from the search results."),
      viewer,
    );
  }
  const { trackId, key } = parsed.data;
  const spotify = context.spotify(viewer);
  // One form holds many songs: going back and choosing another one is another submission.
  const requestKey = `${key}:${trackId}`;
  const submitted = await submitSong(context.db, viewer, trackId, requestKey, spotify, context.now);
  if (isRefusal(submitted)) return refusalResponse(request, submitted, viewer);
  const { outboxId, ...shown } = submitted;
  if (outboxId) context.waitUntil(enqueueMail(context.outboxQueue, outboxId));
  if (wantsJson(request)) return Response.json({ ok: true, ...shown });
  return redirect(`/?menu=songaddedtopool&submission=${shown.submissionId}`, 303);
}
