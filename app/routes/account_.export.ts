import { type ActionFunctionArgs, redirect } from "@remix-run/cloudflare";
import { exportAccount } from "~/domain/account/export.server";
import { loginRequired } from "~/http/error-response.server";

export function loader() {
  return redirect("/account");
}

/** All that is stored of the user, as a JSON file. */
export async function action({ request, context }: ActionFunctionArgs) {
  const viewer = await context.viewer();
  if (!viewer) return loginRequired(request);
  const everything = await exportAccount(context.db, viewer, context.now());
  return new Response(`${JSON.stringify(everything, null, 2)}\n`, {
    headers: {
      "Content-Type": "application/json; charset=utf-8",
      "Content-Disposition": 'attachment; filename="fivefold-account.json"',
    },
  });
}
