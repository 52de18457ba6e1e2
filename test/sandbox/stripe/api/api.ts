/** api.stripe.com: what applies to every call, from the key to the log. */
import { type Context, Hono } from "hono";
import { applyFaults, bearerToken, logCall } from "../../http.ts";
import { newId } from "../objects/ids.ts";
import { expireDue } from "../operations/expiry.ts";
import { API_VERSION, SECRET_KEY, type StripeService } from "../service.ts";
import { billingRoutes } from "./billing.ts";
import { musicianOfCall } from "./caller.ts";
import { catalogueRoutes } from "./catalogue.ts";
import { checkoutRoutes } from "./checkout.ts";
import { customerRoutes } from "./customers.ts";
import { StripeFailure, unauthenticated, unrecognized } from "./errors.ts";
import { expanded } from "./expand.ts";
import { type Form, parseForm } from "./form.ts";
import { type Answer, createIdempotency } from "./idempotency.ts";
import type { Route } from "./route.ts";

export function apiRoutes(service: StripeService): Hono {
  const app = new Hono();
  const idempotency = createIdempotency(service);
  const routes = [
    ...customerRoutes(service),
    ...catalogueRoutes(service),
    ...checkoutRoutes(service),
    ...billingRoutes(service),
  ];

  /** `route` is null for an unknown path. */
  async function answer(c: Context, route: Route | null): Promise<Response> {
    const { context, state } = service;
    const { pathname: path, search } = new URL(c.req.url);
    const body = await c.req.text();
    // GET and DELETE have their parameters in the query, POST in the body.
    const parameters = [search.slice(1), body].filter(Boolean).join("&");
    const musician = musicianOfCall(
      state,
      path,
      Object.fromEntries(new URLSearchParams(parameters)),
    );
    const requestId = newId("req_", 14);
    const key = (c.req.method === "POST" && c.req.header("Idempotency-Key")) || null;
    let failure: { response: Response; answer: Answer } | null = null;

    const refusal = checkKey(c);
    const result: Answer = refusal
      ? { status: refusal.status, body: refusal.body }
      : await idempotency.withKey(
          { key, path, fields: parameters, requestId },
          async () => {
            const response = await applyFaults(c, context.faults, path, musician);
            failure = response && { response, answer: await answerIn(response) };
            return failure?.answer ?? null;
          },
          () => serve(route, c, parameters, { id: requestId, key }),
        );
    const failed = failureOf(failure, result);
    const lost = failed ? null : await applyFaults(c, service.lostAnswers, path, musician);
    const response =
      failed ?? lost ?? c.json(result.body as object, result.status as 200, result.headers);
    response.headers.set("request-id", requestId);
    response.headers.set("stripe-version", API_VERSION);
    if (key !== null) response.headers.set("idempotency-key", key);
    await logCall(context, c, {
      service: "stripe",
      musician,
      path,
      body,
      response,
      idempotencyKey: key,
    });
    return response;
  }

  function serve(
    route: Route | null,
    c: Context,
    parameters: string,
    request: { id: string; key: string | null },
  ): { answer: Answer; kept: boolean } {
    try {
      if (!route) throw unrecognized(c.req.method, c.req.path);
      expireDue(service);
      service.request = request;
      const { expand = [], ...fields } = parseForm(parameters);
      const body = route.run(fields, c.req.param("id") ?? "");
      return {
        answer: { status: 200, body: expanded(service.state, body, expandPaths(expand)) },
        kept: true,
      };
    } catch (error) {
      if (!(error instanceof StripeFailure)) throw error;
      const { status, body } = error;
      // A call that was refused for its parameters may be repeated with corrected ones.
      const kept = !body.error.code?.startsWith("parameter_");
      return { answer: { status, body }, kept };
    } finally {
      service.request = null;
    }
  }

  for (const route of routes) {
    app.on(route.method, route.path.slice("/v1".length), (c) => answer(c, route));
  }
  app.all("*", (c) => answer(c, null));
  return app;
}

/** An ordered failure as an answer; its body is null if it is none of Stripe's. */
async function answerIn(response: Response): Promise<Answer> {
  const isJson = response.headers.get("Content-Type") === "application/json";
  return { status: response.status, body: isJson ? await response.clone().json() : null };
}

/** The ordered failure, unless an earlier answer was given again in its place. */
function failureOf(
  failure: { response: Response; answer: Answer } | null,
  result: Answer,
): Response | null {
  return failure?.answer === result ? failure.response : null;
}

/** null if the API key is the right one. */
function checkKey(c: Context): StripeFailure | null {
  const key = bearerToken(c);
  return key === SECRET_KEY ? null : unauthenticated(key);
}

function expandPaths(expand: Form): string[] {
  if (Array.isArray(expand)) return expand.map(String);
  throw new StripeFailure(400, "Invalid array", { param: "expand" });
}
