import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { createContext } from "~/http/context.server";
import { createRouteTable } from "~/http/route-table";
import type { Billing } from "~/premium/stripe.server";
import { type CountingDatabase, countingDatabase } from "./database/counting-database";

interface Asked {
  path: string;
  cookie?: string;
  form?: Record<string, string>;
  headers?: Record<string, string>;
  billing?: Billing;
}

interface Measured extends CountingDatabase {
  answer: unknown;
}

/** Runs a route's loader or action like the Worker, on a counting database. */
export async function measure(
  handler: (args: LoaderFunctionArgs) => Promise<unknown>,
  { path, cookie = "", form, headers, billing }: Asked,
): Promise<Measured> {
  const counting = countingDatabase(env.DB);
  const request = new Request(new URL(path, env.APP_ORIGIN), {
    method: form ? "POST" : "GET",
    headers: { Accept: "application/json", Cookie: cookie, ...headers },
    body: form ? new URLSearchParams(form) : null,
  });
  const created = await createContext(request, {
    env: { ...env, DB: counting.binding },
    execution: createExecutionContext(),
    routes: createRouteTable([]),
    handle: {},
  });
  const context = billing ? { ...created, billing: () => billing } : created;
  const answer = await answerOf(() => handler({ request, context, params: {} }));
  return { ...counting, answer };
}

async function answerOf(run: () => unknown): Promise<unknown> {
  try {
    return await run();
  } catch (thrown) {
    if (thrown instanceof Response) return thrown;
    throw thrown;
  }
}
