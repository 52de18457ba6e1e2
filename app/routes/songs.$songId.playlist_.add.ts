import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from "@remix-run/cloudflare";
import * as z from "zod";
import {
  jsonOrRedirect,
  requireAccepted,
  requireFields,
  requireViewer,
} from "~/http/require.server";
import type { RouteHandle } from "~/http/route-handle";
import { addToPlaylist } from "~/library/add.server";
import { playlistPath } from "~/library/finds";
import { plainName } from "~/platform/plain-text";

export const handle: RouteHandle = {
  rateLimits: { POST: [{ limiter: "LIMIT_NORMAL", per: "session" }] },
};

/** Redirects to the page with the playlists. */
export function loader({ params }: LoaderFunctionArgs) {
  return redirect(playlistPath(params.songId ?? ""));
}

const addFields = z.object({
  /** Spotify's id of the playlist; "finds" for the one that may have to be created. */
  playlist: z.string().regex(/^(finds|[0-9A-Za-z]{22})$/),
  /** The playlist's name, which the next page shows. */
  name: z.string().default("").transform(plainName).pipe(z.string().max(300)),
});

/**
 * Adds a song that the viewer has rated to the `playlist`. Answers with the next page (`to`): the result, or
 * the question for the permission.
 */
export async function action({ request, params, context }: ActionFunctionArgs) {
  const viewer = await requireViewer({ request, context });
  const songId = params.songId ?? "";
  const path = playlistPath(songId);
  const page = { viewer, back: { label: "Back to my playlists", href: path } };
  const error = "Please choose one of your playlists.";
  const fields = await requireFields(request, addFields, { error, ...page });
  const services = { ...context, spotify: context.spotify(viewer) };
  const put = viewer.session.mayAddToPlaylists
    ? await addToPlaylist(services, viewer, { songId, ...fields })
    : "permission";
  const done = requireAccepted(request, put, page);
  if (done === "permission") return jsonOrRedirect(request, { json: { to: path }, to: path });
  const query = new URLSearchParams({ added: done.playlistId });
  if (done.again) query.set("again", "");
  const to = `${path}?${query}`;
  return jsonOrRedirect(request, { json: { ok: true, to }, to });
}
