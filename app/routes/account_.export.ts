import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import { accountFile, exportAccount } from "~/account/export.server";
import { leadTo, requireViewer } from "~/http/require.server";
import { limitPosts } from "~/http/route-handle";

// An export reads a lot, whichever login asks for it.
export const handle = limitPosts("LIMIT_STRICT", "user");

export const loader = leadTo("/account");

export async function action({ request, context }: ActionFunctionArgs) {
  const viewer = await requireViewer({ request, context });
  const { db, secret } = context;
  const everything = await exportAccount(db, viewer, { now: context.now(), secret });
  return new Response(`${JSON.stringify(everything, null, 2)}\n`, {
    headers: {
      "Content-Type": "application/json; charset=utf-8",
      "Content-Disposition": `attachment; filename="${accountFile}"`,
    },
  });
}
