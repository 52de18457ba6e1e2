import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { databaseAnswers } from "~/operator/health.server";
import { version } from "../../package.json";

export async function loader({ context }: LoaderFunctionArgs) {
  const ok = await databaseAnswers(context.db);
  return Response.json({ ok, version }, { status: ok ? 200 : 503 });
}
