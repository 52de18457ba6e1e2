/** POST /control, whose actions README.md lists. */
import { Hono } from "hono";
import { addActions, type SandboxContext } from "./context.ts";
import { controlError, faultTarget, type Input } from "./control-action.ts";
import type { Failure } from "./faults.ts";
import { mailErrorFor, namedMailError } from "./mail/errors.ts";
import { errorBody, isStripeRoute } from "./stripe/errors.ts";

export function controlRoutes(context: SandboxContext): Hono {
  const app = new Hono();

  context.links.push({
    href: "/control/requests",
    text: "Requests",
    note: "the last calls to the stand-ins, as JSON",
  });
  addActions(context, {
    fail(input) {
      context.faults.add({ ...faultTarget(input), delayMs: 0, failure: requestedFailure(input) });
      return undefined;
    },
    delay(input) {
      if (typeof input.ms !== "number") throw controlError("ms is missing");
      context.faults.add({ ...faultTarget(input), delayMs: input.ms, failure: null });
      return undefined;
    },
    reset(input) {
      const musician = input.musician === undefined ? undefined : String(input.musician);
      context.faults.clear(musician);
      context.log.clear(musician);
      for (const reset of context.resets) reset(musician);
      return undefined;
    },
  });

  app.post("/", async (c) => {
    // Other sites' pages cannot send JSON without asking first, which this endpoint does not allow.
    if (!c.req.header("Content-Type")?.includes("application/json")) {
      return c.json({ error: "the content type must be application/json" }, 415);
    }
    try {
      const input = (await c.req.json()) as Input;
      const action = context.actions.get(String(input.action));
      if (!action) throw controlError(`no action ${String(input.action)}`);
      return c.json({ ok: true, ...(await action(input)) });
    } catch (error) {
      if (
        error instanceof Error &&
        (error.name === "ControlError" || error.name === "SyntaxError")
      ) {
        return c.json({ error: error.message }, 400);
      }
      throw error;
    }
  });

  app.get("/requests", (c) => {
    const { musician, service, since } = c.req.query();
    return c.json({
      requests: context.log.list({
        ...(musician === undefined ? {} : { musician }),
        ...(service === undefined ? {} : { service }),
        ...(since === undefined ? {} : { since: Number(since) }),
      }),
    });
  });

  return app;
}

function requestedFailure(input: Input): Failure {
  const named = input.error === undefined ? null : namedMailError(String(input.error));
  const status = typeof input.status === "number" ? input.status : (named?.statusCode ?? 500);
  const body = input.body ?? named ?? defaultBody(String(input.route), status);
  const isText = typeof body === "string";
  return {
    status,
    body: isText ? body : JSON.stringify(body),
    contentType: String(input.contentType ?? (isText ? "text/plain" : "application/json")),
    headers:
      input.retryAfter === undefined ? {} : { "Retry-After": String(Number(input.retryAfter)) },
  };
}

function defaultBody(route: string, status: number): unknown {
  if (isStripeRoute(route)) return errorBody(status, "Ordered failure");
  if (route === "POST /emails") return mailErrorFor(status);
  if (route.endsWith("/api/token")) {
    const error = status === 400 ? "invalid_grant" : "server_error";
    return { error, error_description: "Ordered failure" };
  }
  return {
    error: { status, message: status === 429 ? "API rate limit exceeded" : "Ordered failure" },
  };
}
