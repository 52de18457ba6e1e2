import { type ActionFunctionArgs, redirect } from "@remix-run/cloudflare";
import { startListen } from "~/domain/listening/listening.server";
import { isRefusal } from "~/domain/refusal";
import { loginRequired, refusalResponse, wantsJson } from "~/http/error-response.server";
import { readFields } from "~/http/fields.server";

export function loader() {
  return redirect("/");
}

/** PLAY SONG: opens a listen and, where the browser names no device of its own, starts playback. */
export async function action({ request, params, context }: ActionFunctionArgs) {
  const fields = await readFields(request);
  if (isRefusal(fields)) return refusalResponse(request, fields);
  const viewer = await context.viewer();
  if (!viewer) return loginRequired(request);

  const spotify = context.spotify(viewer);
  const started = await startListen(
    context.db,
    viewer,
    params.songId ?? "",
    context.now,
    fields.get("deviceId") ? undefined : spotify.play,
  );
  if (isRefusal(started)) return refusalResponse(request, started, viewer);
  return wantsJson(request) ? Response.json(started) : redirect("/", 303);
}
