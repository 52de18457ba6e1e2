import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import * as z from "zod";
import { listenErrors } from "~/exchange/listening/errors";
import {
  playOnActiveDevice,
  type StartedListen,
  startListen,
} from "~/exchange/listening/listening.server";
import type { RefusalPage } from "~/http/error-response.server";
import {
  jsonOrRedirect,
  leadTo,
  requireAccepted,
  requireFields,
  requireViewer,
} from "~/http/require.server";
import type { RouteHandle } from "~/http/route-handle";
import { isRejection, type Rejection } from "~/platform/rejection";

export const handle: RouteHandle = {
  rateLimits: { POST: [{ limiter: "LIMIT_NORMAL", per: "session" }] },
};

export const loader = leadTo("/");

const playFields = z.object({ deviceId: z.string().optional() });

/** PLAY SONG: opens a listen and, unless the browser names a device of its own, starts playback. */
export async function action({ request, params, context }: ActionFunctionArgs) {
  const viewer = await requireViewer({ request, context });
  const error = "The request could not be read.";
  const { deviceId } = await requireFields(request, playFields, { error, viewer });
  const spotify = context.spotify(viewer);
  const startHere = (trackId: string) => playOnActiveDevice(spotify, trackId);
  const listen = { songId: params.songId ?? "", startPlayback: deviceId ? null : startHere };
  const started = await startListen({ ...context, spotify }, viewer, listen);
  return jsonOrRedirect(request, {
    json: requireAccepted(request, started, { viewer, ...wayOut(started, listen.songId) }),
    to: "/",
  });
}

/** What helps with a song that Spotify may hide from its listener is to pass on it. */
function wayOut(started: StartedListen | Rejection, songId: string): RefusalPage {
  const hidden: string[] = [listenErrors.hidden, listenErrors.mayBeHidden];
  const isHidden = isRejection(started) && hidden.includes(started.error);
  return isHidden
    ? { back: { label: "I can't rate this", href: `/songs/${songId}/pass/reason` } }
    : {};
}
