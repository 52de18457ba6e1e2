import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import type { RouteHandle } from "~/http/route-handle";
import { findAudio } from "~/sources/files/audio.server";
import { serveFile } from "~/sources/files/serve.server";

export const handle: RouteHandle = {
  // A player asks for a file in parts.
  rateLimits: { GET: [{ limiter: "LIMIT_WIDE", per: "session" }] },
  readsPrimary: true,
};

/** The sound of an own recording, for whom it is. For everybody else, and on other sites, it leads nowhere. */
export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const viewer = await context.viewer();
  const isElsewhere = request.headers.get("Sec-Fetch-Site") === "cross-site";
  const listenId = new URL(request.url).searchParams.get("listen");
  const asked = { songId: params.songId ?? "", listenId };
  const audio = viewer && !isElsewhere ? await findAudio(context, viewer, asked) : null;
  return (audio && (await serveFile(request, audio, audio.open))) ?? context.leadNowhere(viewer);
}
