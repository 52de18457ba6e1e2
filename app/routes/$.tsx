import { data, type LoaderFunctionArgs } from "@remix-run/cloudflare";
import { viewerView } from "~/domain/session/viewer.server";

/** Answers every address that has no route: 404, with the logged-in user in the header. */
export async function loader({ context }: LoaderFunctionArgs) {
  const viewer = await context.viewer().catch(() => null);
  throw data({ viewer: viewer && viewerView(viewer) }, { status: 404 });
}

export function action() {
  throw data(null, { status: 404 });
}

export default function NotFound() {
  return null;
}
