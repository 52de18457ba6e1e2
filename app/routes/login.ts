import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import { readFields } from "~/http/fields.server";
import { leadTo } from "~/http/require.server";
import { returnPath } from "~/http/return-path";
import { limitPosts } from "~/http/route-handle";
import { isRejection } from "~/platform/rejection";
import { beginLogin } from "~/sources/spotify/login/consent-page.server";

export const handle = limitPosts("LIMIT_LOGIN", "address");

export const loader = leadTo("/#login");

export async function action({ request, context }: ActionFunctionArgs) {
  const fields = await readFields(request);
  const next = isRejection(fields) ? null : fields.get("next");
  return beginLogin(request, context, returnPath(next, context.routes));
}
