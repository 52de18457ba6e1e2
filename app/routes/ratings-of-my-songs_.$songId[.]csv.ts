import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { requireAccepted, requireViewer } from "~/http/require.server";
import type { RouteHandle } from "~/http/route-handle";
import { reject } from "~/platform/rejection";
import { resultCsv } from "~/results/csv";
import { readOwnSong } from "~/results/song-result.server";

export const handle: RouteHandle = {
  rateLimits: { GET: [{ limiter: "LIMIT_NORMAL", per: "session" }] },
};

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const viewer = await requireViewer({ request, context });
  const { db, isActivity } = context;
  const read = await readOwnSong(db, viewer, params.songId ?? "", {
    now: context.now(),
    isActivity,
    lasts: true,
  });
  const missing = reject(404, "None of your songs has this address.");
  const song = requireAccepted(request, read ?? missing, { viewer });
  // Without a byte order mark, spreadsheets take the file to be in an older encoding.
  return new Response(`\uFEFF${resultCsv(song)}`, {
    headers: {
      "Content-Type": "text/csv; charset=utf-8",
      "Content-Disposition": 'attachment; filename="fivefold-ratings.csv"',
    },
  });
}
