import { createRequestHandler, type ServerBuild } from "@remix-run/cloudflare";
import * as build from "@remix-run/dev/server-build";
import { createBilling } from "~/adapters/stripe/client.server";
import { createDatabase } from "~/db/client.server";
import { consumeOutbox } from "~/domain/notification/outbox.server";
import { sweepSubscriptions } from "~/domain/subscription/sweep.server";
import { createContext } from "~/platform/context.server";
import { type Bindings, isLoopback, readConfig } from "~/platform/env";
import { secureHeaders } from "~/platform/headers";
import { logEvent } from "~/platform/log";

const handleRequest = createRequestHandler(build as unknown as ServerBuild, "production");

export default {
  async fetch(request, env, execution) {
    const url = new URL(request.url);
    return secureHeaders(await answer(request, url, env, execution), url.protocol === "https:");
  },
  async queue(batch, env) {
    await consumeOutbox(batch, { db: createDatabase(env.DB) });
  },
  async scheduled(_event, env) {
    const billing = createBilling(readConfig(env).stripe);
    const outcome = await sweepSubscriptions(createDatabase(env.DB), billing, Date.now);
    logEvent("subscriptions_swept", outcome);
  },
} satisfies ExportedHandler<Bindings, { outboxId: string }>;

async function answer(
  request: Request,
  url: URL,
  env: Bindings,
  execution: ExecutionContext,
): Promise<Response> {
  try {
    if (readConfig(env).development && !isLoopback(url)) {
      return plain(503, "This is a development configuration. It answers on this machine alone.");
    }
    // Cookies are SameSite=Lax already; this also stops what a browser would send without them.
    const origin = request.headers.get("Origin");
    if (request.method !== "GET" && request.method !== "HEAD" && origin && origin !== url.origin) {
      return plain(403, "This request came from another site.");
    }
    return await handleRequest(request, await createContext(request, env, execution));
  } catch (error) {
    logEvent("request_failed", { path: url.pathname, error });
    return plain(500, "Something went wrong on our side. Please try again in a moment.");
  }
}

function plain(status: number, text: string): Response {
  return new Response(text, { status, headers: { "Content-Type": "text/plain; charset=utf-8" } });
}
