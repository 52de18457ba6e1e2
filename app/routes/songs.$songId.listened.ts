import { type ActionFunctionArgs, redirect } from "@remix-run/cloudflare";
import { confirmListen } from "~/domain/listening/listening.server";
import { isRefusal } from "~/domain/refusal";
import { loginRequired, refusalResponse, wantsJson } from "~/http/error-response.server";

export function loader() {
  return redirect("/");
}

/** Confirms the open listen at the unlock. */
export async function action({ request, params, context }: ActionFunctionArgs) {
  const viewer = await context.viewer();
  if (!viewer) return loginRequired(request);

  const confirmed = await confirmListen(
    context.db,
    viewer,
    params.songId ?? "",
    context.spotify(viewer),
    context.now,
  );
  if (isRefusal(confirmed)) return refusalResponse(request, confirmed, viewer);
  return wantsJson(request) ? Response.json(confirmed) : redirect("/", 303);
}
