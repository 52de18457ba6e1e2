import { createRequestHandler, type ServerBuild } from "@remix-run/cloudflare";
import * as build from "@remix-run/dev/server-build";
import { createMailer } from "~/adapters/mail/client.server";
import { createBilling } from "~/adapters/stripe/client.server";
import { createDatabase } from "~/db/client.server";
import { mailSettings } from "~/domain/notification/mail-settings";
import { consumeOutbox } from "~/domain/notification/outbox.server";
import {
  consumeDeadLetters,
  forgetUnconfirmed,
  sweepOutbox,
} from "~/domain/notification/outbox-sweep.server";
import { sweepSubscriptions } from "~/domain/subscription/sweep.server";
import { createContext } from "~/platform/context.server";
import { type Bindings, isLoopback, readConfig } from "~/platform/env";
import { secureHeaders } from "~/platform/headers";
import { logEvent } from "~/platform/log";

/** As in wrangler.toml. */
const deadLetterQueue = "fivefold-outbox-dead";
const mailCron = "*/10 * * * *";

/** Mail clients unsubscribe from where they are, some of them in a browser (RFC 8058). */
const unsubscribePath = "/unsubscribe";

const handleRequest = createRequestHandler(build as unknown as ServerBuild, "production");

export default {
  async fetch(request, env, execution) {
    const url = new URL(request.url);
    return secureHeaders(await answer(request, url, env, execution), url.protocol === "https:");
  },
  async queue(batch, env) {
    const db = createDatabase(env.DB);
    if (batch.queue === deadLetterQueue) return consumeDeadLetters(batch, db, Date.now());
    const config = readConfig(env);
    const mailer = createMailer(config.mail, env.EMAIL);
    await consumeOutbox(batch, { db, mailer, settings: mailSettings(config), now: Date.now });
  },
  async scheduled({ cron }, env) {
    const db = createDatabase(env.DB);
    if (cron === mailCron) {
      const queued = await sweepOutbox(db, env.OUTBOX_QUEUE, Date.now());
      await forgetUnconfirmed(db, Date.now());
      return logEvent("outbox_swept", { queued });
    }
    const billing = createBilling(readConfig(env).stripe);
    const outcome = await sweepSubscriptions(db, billing, Date.now);
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
    let asked = request;
    if (isForeign(request, url)) {
      if (url.pathname !== unsubscribePath)
        return plain(403, "This request came from another site.");
      asked = withoutOrigin(request);
    }
    return await handleRequest(asked, await createContext(asked, env, execution));
  } catch (error) {
    logEvent("request_failed", { path: url.pathname, error });
    return plain(500, "Something went wrong on our side. Please try again in a moment.");
  }
}

/** Whether another site makes the browser write. Cookies are SameSite=Lax; this goes without. */
function isForeign({ method, headers }: Request, { origin }: URL): boolean {
  const from = headers.get("Origin");
  return method !== "GET" && method !== "HEAD" && from !== null && from !== origin;
}

/** A request that counts by what it says alone, wherever and from whomever it comes. */
function withoutOrigin(request: Request): Request {
  const headers = new Headers(request.headers);
  headers.delete("Origin");
  headers.delete("Cookie");
  return new Request(request, { headers });
}

function plain(status: number, text: string): Response {
  return new Response(text, { status, headers: { "Content-Type": "text/plain; charset=utf-8" } });
}
