import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from "@remix-run/cloudflare";
import * as z from "zod";
import { memberAction } from "~/http/member-action.server";
import { limitPosts } from "~/http/route-handle";
import { notConnectedTexts } from "~/members/spotify-gap";
import { isLonger, plainName } from "~/platform/plain-text";
import { isRejection, reject } from "~/platform/rejection";
import { addToPlaylist } from "~/sources/spotify/library/add.server";
import { playlistPath } from "~/sources/spotify/library/finds";

export const handle = limitPosts("LIMIT_NORMAL");

export function loader({ params }: LoaderFunctionArgs) {
  return redirect(playlistPath(params.songId ?? ""));
}

const addFields = z.object({
  /** Spotify's id; "finds" for the one that may have to be created. */
  playlist: z.string().regex(/^(finds|[0-9A-Za-z]{22})$/),
  name: z
    .string()
    .default("")
    .transform(plainName)
    .refine((name) => !isLonger(name, 300)),
});

/**
 * Adds a song that the viewer has rated to the `playlist`. Answers with the next page (`to`): the result, or
 * the question for the permission.
 */
export function action(args: ActionFunctionArgs) {
  const path = playlistPath(args.params.songId ?? "");
  return memberAction(args, {
    fields: addFields,
    error: "Choose one of your playlists.",
    async run({ context, viewer, songId, fields }) {
      if (!viewer.session.spotify) return reject(409, notConnectedTexts.never);
      if (!viewer.session.spotify.mayAddToPlaylists) return { to: path };
      const services = { ...context, spotify: context.spotify(viewer) };
      const added = await addToPlaylist(services, viewer, { songId, ...fields });
      if (isRejection(added)) return added;
      if (added === "permission") return { to: path };
      const query = new URLSearchParams({ added: added.playlistId });
      if (added.again) query.set("again", "");
      return { ok: true, to: `${path}?${query}` };
    },
    to: (_, { to }) => to,
    back: { label: "Back to my playlists", href: path },
  });
}
