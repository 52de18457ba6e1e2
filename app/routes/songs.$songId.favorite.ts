import { type ActionFunctionArgs, redirect } from "@remix-run/cloudflare";
import { favoriteSong } from "~/domain/favorite/favorite.server";
import { isRefusal } from "~/domain/refusal";
import { loginRequired, refusalResponse, wantsJson } from "~/http/error-response.server";

export function loader() {
  return redirect("/");
}

/** Saves a song to the user's library at Spotify. */
export async function action({ request, params, context }: ActionFunctionArgs) {
  const viewer = await context.viewer();
  if (!viewer) return loginRequired(request);

  const songId = params.songId ?? "";
  const spotify = context.spotify(viewer);
  const added = await favoriteSong(context.db, viewer, songId, spotify, context.now);
  if (isRefusal(added)) return refusalResponse(request, added, viewer);
  if (wantsJson(request)) return Response.json(added);
  return redirect(`/?favorite=${encodeURIComponent(songId)}`, 303);
}
