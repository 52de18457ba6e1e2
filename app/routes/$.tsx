import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { viewerView } from "~/domain/session/viewer.server";

/**
 * Answers every address that has no route, and the operator's for everybody else: 404, with the logged-in
 * user in the header.
 */
export async function loader({ context }: LoaderFunctionArgs) {
  const viewer = await context.viewer().catch(() => null);
  throw Response.json({ viewer: viewer && viewerView(viewer) }, { status: 404 });
}

export { loader as action };

export default function NotFound() {
  return null;
}
