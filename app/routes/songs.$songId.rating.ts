import { type ActionFunctionArgs, redirect } from "@remix-run/cloudflare";
import { enqueueMail } from "~/domain/outbox/outbox.server";
import { rateSong } from "~/domain/rating/rate.server";
import { isScore, ratingLabel } from "~/domain/rating/scale";
import { isRefusal, refuse } from "~/domain/refusal";
import { loginRequired, refusalResponse, wantsJson } from "~/http/error-response.server";
import { readFields } from "~/http/fields.server";

export function loader() {
  return redirect("/");
}

/** Rates a song, `score` 1 to 4. */
export async function action({ request, params, context }: ActionFunctionArgs) {
  const fields = await readFields(request);
  if (isRefusal(fields)) return refusalResponse(request, fields);
  const viewer = await context.viewer();
  if (!viewer) return loginRequired(request);

  const songId = params.songId ?? "";
  const text = fields.get("score") ?? "";
  const score = /^\d$/.test(text) ? Number(text) : null;
  if (!isScore(score)) {
    return refusalResponse(request, refuse(422, "Please choose one of the four ratings."), viewer);
  }
  const { db, now, config, outboxQueue } = context;
  const wait = config.ratingMailWaitMs;
  const rated = await rateSong(db, viewer, songId, score, context.spotify(viewer), now, wait);
  if (isRefusal(rated)) return refusalResponse(request, rated, viewer);
  if (rated.outboxId) context.waitUntil(enqueueMail(outboxQueue, rated.outboxId, wait));
  if (wantsJson(request)) return Response.json({ ok: true, score, label: ratingLabel(score) });
  return redirect(`/?rated=${encodeURIComponent(songId)}`, 303);
}
