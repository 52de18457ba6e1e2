import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import * as z from "zod";
import { listenErrors } from "~/exchange/listening/errors";
import { playOnActiveDevice, startListen } from "~/exchange/listening/listening.server";
import { memberAction } from "~/http/member-action.server";
import { leadTo } from "~/http/require.server";
import { limitPosts } from "~/http/route-handle";
import { hearsSpotify } from "~/members/hearing";

export const handle = limitPosts("LIMIT_NORMAL");

export const loader = leadTo("/");

const playFields = z.object({ deviceId: z.string().optional() });

/** PLAY SONG: opens a listen and, unless the browser names a device of its own, starts playback. */
export function action(args: ActionFunctionArgs) {
  return memberAction(args, {
    fields: playFields,
    run({ context, viewer, songId, fields: { deviceId } }) {
      const spotify = context.spotify(viewer);
      const startHere = (trackId: string) => playOnActiveDevice(spotify, trackId);
      // Spotify itself then says what is missing, and no listen opens that nothing could confirm.
      const isHere = deviceId === undefined || !hearsSpotify(viewer);
      const listen = { songId, startPlayback: isHere ? startHere : null };
      return startListen({ ...context, spotify }, viewer, listen);
    },
    to: "/",
    // What helps with a song that Spotify may hide from its listener is to pass on it.
    back: ({ songId }, { error }) =>
      error === listenErrors.hidden || error === listenErrors.mayBeHidden
        ? { label: "I can't rate this", href: `/songs/${songId}/pass/reason` }
        : undefined,
  });
}
