import type { ServerBuild } from "@remix-run/cloudflare";
import * as build from "@remix-run/dev/server-build";
import { createBilling } from "~/adapters/billing/stripe.server";
import { createMailer } from "~/adapters/mail/client.server";
import { createDatabase } from "~/db/client.server";
import { mailConfig } from "~/domain/outbox/config";
import { consumeOutbox } from "~/domain/outbox/outbox.server";
import { consumeDeadLetters, sweepOutbox } from "~/domain/outbox/sweep.server";
import { isRefusal, refuse } from "~/domain/refusal";
import { purgeExpired } from "~/domain/retention/forget.server";
import { sweepSubscriptions } from "~/domain/subscription/sweep.server";
import { internalError, replaceBareError } from "~/http/bare-errors.server";
import { routeHandlers } from "~/http/bundle/route-handlers";
import { createContext } from "~/http/context.server";
import { refusalResponse } from "~/http/error-response.server";
import { guardRequest } from "~/http/guard";
import { cachedPublicPage } from "~/http/public-page-cache";
import { isTooMany, limitPeriodSeconds } from "~/http/rate-limit";
import { routeNames } from "~/http/route-name";
import { secureHeaders } from "~/http/security-headers";
import { type Bindings, isLoopback, readConfig } from "~/platform/env";
import { runJob } from "~/platform/job";
import { logEvent, withLogScope } from "~/platform/log";

/** As in wrangler.toml. */
const deadLetterQueue = "fivefold-outbox-dead";
const mailCron = "*/10 * * * *";

const handlerOf = routeHandlers(build as unknown as ServerBuild);
const routeName = routeNames(Object.values(build.routes));

export default {
  async fetch(request, env, execution) {
    const url = new URL(request.url);
    const began = Date.now();
    const requestId = crypto.randomUUID();
    const route = routeName(url.pathname);
    return withLogScope({ requestId, route, metrics: env.METRICS }, async () => {
      const response = await answer(request, url, route, env, execution);
      const { status } = response;
      logEvent("request", { method: request.method, status, ms: Date.now() - began });
      return secureHeaders(response, { requestId, https: url.protocol === "https:" });
    });
  },
  async queue(batch, env) {
    const scope = { requestId: crypto.randomUUID(), route: batch.queue, metrics: env.METRICS };
    return withLogScope(scope, async () => {
      const db = createDatabase(env.DB);
      if (batch.queue === deadLetterQueue) return consumeDeadLetters(batch, db, Date.now());
      const config = readConfig(env);
      const mailer = createMailer(config.mail, env.EMAIL);
      await consumeOutbox(batch, { db, mailer, settings: mailConfig(config), now: Date.now });
    });
  },
  async scheduled({ cron }, env) {
    const scope = { requestId: crypto.randomUUID(), route: cron, metrics: env.METRICS };
    const done = await withLogScope(scope, () => runJobs(cron, env));
    // Cloudflare lists the run as failed.
    if (done.includes(false)) throw new Error("A scheduled job failed; the log says which.");
  },
} satisfies ExportedHandler<Bindings, { outboxId: string }>;

async function runJobs(cron: string, env: Bindings): Promise<boolean[]> {
  const db = createDatabase(env.DB);
  if (cron !== mailCron) {
    return [
      await runJob("subscriptions", async () => {
        const billing = createBilling(readConfig(env).stripe);
        const outcome = await sweepSubscriptions(db, billing, Date.now);
        if (outcome.failed > 0 && outcome.synced === 0) throw new Error("Stripe told of nobody");
        return outcome;
      }),
    ];
  }
  return [
    await runJob("outbox", async () => ({
      count: await sweepOutbox(db, env.OUTBOX_QUEUE, Date.now()),
    })),
    await runJob("retention", async () => ({ ...(await purgeExpired(db, Date.now())) })),
  ];
}

async function answer(
  request: Request,
  url: URL,
  route: string,
  env: Bindings,
  execution: ExecutionContext,
): Promise<Response> {
  try {
    const { development, analytics } = readConfig(env);
    if (development && !isLoopback(url)) {
      return plain(503, "This is a development configuration. It answers on this machine alone.");
    }
    const asked = guardRequest(request, url);
    if (isRefusal(asked)) return refusalResponse(request, asked);
    const render = async () => handlerOf(route)(asked, await createContext(asked, env, execution));
    // What counts visits has a nonce of its own in each page.
    const kept = analytics ? null : await cachedPublicPage(asked, url, env, render);
    if (kept) return kept;
    const context = await createContext(asked, env, execution);
    const failed = (error: unknown) => logEvent("rate_limit_failed", { error });
    if (await isTooMany(asked, route, context.sessionId, env, failed)) {
      return refusalResponse(asked, tooMany);
    }
    const response = await handlerOf(route)(asked, context);
    const instead = replaceBareError(response);
    return withCookie(
      instead ? refusalResponse(asked, instead) : response,
      await context.bookmark(),
    );
  } catch (error) {
    logEvent("request_failed", { error });
    return refusalResponse(request, internalError);
  }
}

function withCookie(response: Response, cookie: string | null): Response {
  if (!cookie) return response;
  const answer = new Response(response.body, response);
  answer.headers.append("Set-Cookie", cookie);
  return answer;
}

const tooMany = refuse(
  429,
  "That was a lot within a short time. Please wait a minute, then try again.",
  { secondsLeft: limitPeriodSeconds },
);

function plain(status: number, text: string): Response {
  return new Response(text, { status, headers: { "Content-Type": "text/plain; charset=utf-8" } });
}
