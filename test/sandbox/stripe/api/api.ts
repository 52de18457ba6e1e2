/** api.stripe.com: what holds for every call, from the key to the log. */
import { type Context, Hono } from "hono";
import { readable } from "../../request-log.ts";
import { strike } from "../../spotify/strike.ts";
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

  async function answer(c: Context, route: Route | null): Promise<Response> {
    const { context, state } = service;
    const { pathname: path, search } = new URL(c.req.url);
    const text = await c.req.text();
    // GET and DELETE have their parameters in the query, POST in the body.
    const encoded = [search.slice(1), text].filter(Boolean).join("&");
    const musician = musicianOfCall(state, path, Object.fromEntries(new URLSearchParams(encoded)));
    const requestId = newId("req_", 14);
    const key = (c.req.method === "POST" && c.req.header("Idempotency-Key")) || null;
    let struck: Response | null = null;

    const refusal = keyRefusal(c);
    const result: Answer = refusal
      ? { status: refusal.status, body: refusal.body }
      : await idempotency.under(
          { key, path, fields: encoded, requestId },
          async () => {
            struck = await strike(c, context.faults, path, musician);
            return struck && { status: struck.status, body: null };
          },
          () => serve(route, c, encoded, { id: requestId, key }),
        );
    const lost = struck ? null : await strike(c, service.lostAnswers, path, musician);
    const response =
      struck ?? lost ?? c.json(result.body as object, result.status as 200, result.headers);
    response.headers.set("request-id", requestId);
    response.headers.set("stripe-version", API_VERSION);
    if (key !== null) response.headers.set("idempotency-key", key);
    const type = c.req.header("Content-Type") ?? "";
    context.log.add({
      at: context.now(),
      service: "stripe",
      musician,
      method: c.req.method,
      path,
      query: c.req.query(),
      headers: {
        ...(type === "" ? {} : { "content-type": type }),
        ...(key === null ? {} : { "idempotency-key": key }),
      },
      body: readable(text, type),
      status: response.status === 599 ? 0 : response.status,
      responseBody: readable(
        await response.clone().text(),
        response.headers.get("Content-Type") ?? "",
      ),
    });
    return response;
  }

  function serve(
    route: Route | null,
    c: Context,
    encoded: string,
    request: { id: string; key: string | null },
  ): { answer: Answer; kept: boolean } {
    try {
      if (!route) throw unrecognized(c.req.method, c.req.path);
      expireDue(service);
      service.request = request;
      const { expand = [], ...fields } = parseForm(encoded);
      const body = route.run(fields, c.req.param("id") ?? "");
      return {
        answer: { status: 200, body: expanded(service.state, body, paths(expand)) },
        kept: true,
      };
    } catch (error) {
      if (!(error instanceof StripeFailure)) throw error;
      const { status, body } = error;
      // What is refused for its parameters has not begun, and may come again corrected.
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

function keyRefusal(c: Context): StripeFailure | null {
  const key = /^Bearer (\S+)$/i.exec(c.req.header("Authorization") ?? "")?.[1] ?? null;
  return key === SECRET_KEY ? null : unauthenticated(key);
}

function paths(expand: Form): string[] {
  if (Array.isArray(expand)) return expand.map(String);
  throw new StripeFailure(400, "Invalid array", { param: "expand" });
}
