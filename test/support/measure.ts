import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { createContext } from "~/http/context.server";
import { createRouteTable } from "~/http/route-table";
import type { Billing } from "~/premium/stripe.server";
import { type CountingDatabase, countingDatabase } from "./database/counting-database";

/** A route's loader or action. */
export type Handler = (args: LoaderFunctionArgs) => Promise<unknown>;

export interface Asked {
  path: string;
  cookie?: string;
  songId?: string;
  submissionId?: string;
  /** The token of a shared result. */
  token?: string;
  /** Posted as a form by a caller that wants JSON back. */
  form?: Record<string, string>;
  /** A raw body to post. */
  body?: string;
  headers?: Record<string, string>;
  /** A replacement for Stripe. */
  billing?: Billing;
}

export interface Measured extends CountingDatabase {
  /** The status of the response, or for a page the screen shown. */
  outcome: string;
  answer: unknown;
}

/** Runs a loader or an action like the Worker, on a counting database. */
export async function measure(handler: Handler, asked: Asked): Promise<Measured> {
  const counting = countingDatabase(env.DB);
  const { form, billing } = asked;
  const body = asked.body ?? (form && new URLSearchParams(form)) ?? null;
  const request = new Request(new URL(asked.path, env.APP_ORIGIN), {
    method: body === null ? "GET" : "POST",
    headers: { Accept: "application/json", Cookie: asked.cookie ?? "", ...asked.headers },
    body,
  });
  const bindings = { ...env, DB: counting.binding };
  const created = await createContext(request, {
    env: bindings,
    execution: createExecutionContext(),
    routes: createRouteTable([]),
    handle: {},
  });
  const context = billing ? { ...created, billing: () => billing } : created;
  const { songId, submissionId, token } = asked;
  const params = Object.fromEntries(
    Object.entries({ songId, submissionId, token }).filter(([, value]) => value),
  );
  const answer = await answerOf(() => handler({ request, context, params }));
  return { ...counting, outcome: outcomeOf(answer), answer };
}

/** The result that Remix uses: the value returned, or the Response thrown. */
async function answerOf(run: () => unknown): Promise<unknown> {
  try {
    return await run();
  } catch (thrown) {
    if (thrown instanceof Response) return thrown;
    throw thrown;
  }
}

function outcomeOf(answer: unknown): string {
  if (answer instanceof Response) return String(answer.status);
  const { screen } = answer as { screen?: string };
  return screen ?? "page";
}
