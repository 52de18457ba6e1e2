import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { viewerView } from "~/members/viewer.server";

/**
 * Answers every URL without a route with 404, and with the logged-in user in the header. The operator's page
 * looks the same to everybody else.
 */
export async function loader({ context }: LoaderFunctionArgs) {
  const viewer = await context.viewer().catch(() => null);
  throw Response.json({ viewer: viewer && viewerView(viewer) }, { status: 404 });
}

export { loader as action };

export default function NotFound() {
  return null;
}
