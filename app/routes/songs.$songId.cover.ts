import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { songCover } from "~/covers/song-cover.server";
import type { RouteHandle } from "~/http/route-handle";

export const handle: RouteHandle = {
  rateLimits: { GET: [{ limiter: "LIMIT_WIDE", per: "session" }] },
};

/** The address names the recording, so that a new mix has another one. */
export async function loader({ params, context }: LoaderFunctionArgs): Promise<Response> {
  const viewer = await context.viewer();
  const cover = await songCover(context, viewer, params.songId ?? "");
  if (!cover) return context.leadNowhere(viewer);
  cover.headers.set("Cache-Control", "private, max-age=86400");
  return cover;
}
