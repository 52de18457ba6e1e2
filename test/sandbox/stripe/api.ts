/** api.stripe.com: what applies to every call, from the key to the log. */
import { type Context, Hono } from "hono";
import { musicianFor } from "../catalogue.ts";
import { applyFaults, bearerToken, logCall } from "../http.ts";
import { errorBody, StripeFailure } from "./errors.ts";
import { newId } from "./objects.ts";
import { type Route, stripeApiRoutes } from "./routes.ts";
import {
  musicianOfCustomer,
  musicianOfSession,
  SECRET_KEY,
  type StripeService,
  type StripeState,
} from "./state.ts";

interface Answer {
  status: number;
  body: unknown;
}

export function apiRoutes(service: StripeService): Hono {
  const app = new Hono();
  const { context, state } = service;
  /** The idempotency keys of the calls under way. */
  const inUse = new Set<string>();

  async function answer(c: Context, route: Route | null): Promise<Response> {
    const { pathname: path, search } = new URL(c.req.url);
    const body = await c.req.text();
    // GET and DELETE have their parameters in the query, POST in the body.
    const parameters = [search.slice(1), body].filter(Boolean).join("&");
    const fields = new URLSearchParams(parameters);
    const musician = musicianOfCall(state, path, fields);
    const key = (c.req.method === "POST" && c.req.header("Idempotency-Key")) || null;

    const respond = ({ status, body: answered }: Answer) =>
      c.json(answered as object, status as 200);
    async function carryOut(): Promise<Response> {
      if (bearerToken(c) !== SECRET_KEY) return respond(failed(401, "Invalid API Key provided"));
      const failure = await applyFaults(c, context.faults, path, musician);
      const ordered = failure && (await isCarriedOut(failure));
      if (failure && !ordered) return failure;
      const saved = key === null ? undefined : state.answers.get(key);
      const call = `${path}?${parameters}`;
      if (saved && saved.call !== call) {
        return respond(
          failed(400, `The key ${key} was used for another call`, "idempotency_error"),
        );
      }
      const first = saved ?? ordered ?? serve(route, c.req.param("id") ?? "", fields);
      if (key !== null) state.answers.set(key, { call, ...first });
      if (c.req.method !== "GET") context.store.changed();
      if (failure && !saved) return failure;
      return (await applyFaults(c, service.lostAnswers, path, musician)) ?? respond(first);
    }

    let response: Response;
    if (key !== null && inUse.has(key)) {
      response = respond(failed(409, `The key ${key} is in use`, "idempotency_error"));
    } else {
      if (key !== null) inUse.add(key);
      response = await carryOut().finally(() => inUse.delete(key ?? ""));
    }
    response.headers.set("request-id", newId("req_", 14));
    const call = { service: "stripe" as const, musician, path, body, response };
    await logCall(context, c, { ...call, idempotencyKey: key });
    return response;
  }

  for (const [key, route] of Object.entries(stripeApiRoutes(service))) {
    const [method = "", path = ""] = key.split(" ");
    app.on(method, path, (c) => answer(c, route));
  }
  app.all("*", (c) => answer(c, null));
  return app;
}

function failed(status: number, message: string, type?: string): Answer {
  return { status, body: errorBody(status, message, type) };
}

function serve(route: Route | null, id: string, fields: URLSearchParams): Answer {
  try {
    if (!route) return failed(404, "Unrecognized request URL");
    return { status: 200, body: structuredClone(route(fields, id)) };
  } catch (error) {
    if (error instanceof StripeFailure) return failed(error.status, error.message);
    throw error;
  }
}

/** An ordered failure of a call that was carried out is kept for repeated calls; others are not. */
async function isCarriedOut(response: Response): Promise<Answer | null> {
  const { status, headers } = response;
  const isOwn = headers.get("Content-Type") === "application/json" && status >= 400;
  if (!isOwn || [401, 403, 409, 429].includes(status)) return null;
  return { status, body: await response.clone().json() };
}

/** The musician that a call is about, found by the ids in its path and by its fields. */
function musicianOfCall(state: StripeState, path: string, fields: URLSearchParams): string | null {
  for (const id of [...path.split("/"), fields.get("customer"), fields.get("subscription")]) {
    if (!id) continue;
    const session = state.sessions.get(id)?.session;
    const customer = [id, session?.customer, state.subscriptions.get(id)?.customer]
      .map((candidate) => state.customers.get(String(candidate)))
      .find((known) => known !== undefined);
    const musician = musicianOfCustomer(customer) ?? musicianOfSession(session);
    if (musician !== null) return musician;
  }
  return musicianFor(
    /^metadata\["user_id"\]:"(.*)"$/.exec(fields.get("query") ?? "")?.[1] ??
      fields.get("metadata[user_id]") ??
      fields.get("client_reference_id"),
    fields.get("customer_email"),
  );
}
