import { AsyncLocalStorage } from "node:async_hooks";
import { DrizzleQueryError } from "drizzle-orm";

/** What the lines of one request, batch or scheduled run have in common. */
export interface LogScope {
  /** Joins the lines that belong together; a request's answer carries it as X-Request-Id. */
  requestId: string;
  /** The route by its pattern, the queue or the job: never a path as it was asked for. */
  route: string;
  /** Where events are counted, if anywhere. */
  metrics?: AnalyticsEngineDataset | undefined;
}

const scopes = new AsyncLocalStorage<LogScope>();

/** Runs something whose events belong to a scope. */
export function withLogScope<T>(scope: LogScope, run: () => T): T {
  return scopes.run(scope, run);
}

/**
 * Writes one event as one line of JSON, and counts it. Errors are written by name and message; no
 * personal data and no token belongs in here, and what looks like an e-mail address is taken out.
 */
export function logEvent(event: string, details: Record<string, unknown> = {}): void {
  const { error, ...rest } = details;
  const { requestId, route, metrics } = scopes.getStore() ?? {};
  // A failed query's own message holds the values it was made with; its cause says what happened.
  const plain = error instanceof DrizzleQueryError ? (error.cause ?? "query failed") : error;
  const told =
    plain instanceof Error ? { error: `${plain.name}: ${plain.message}` } : { error: plain };
  const line = { event, requestId, route, ...rest, ...(error === undefined ? {} : told) };
  console.log(JSON.stringify(line, withoutAddress));
  metrics?.writeDataPoint(pointOf(event, route, rest));
}

function withoutAddress(_key: string, value: unknown): unknown {
  return typeof value === "string"
    ? value.replace(/[^\s@<>"'`:]+@[^\s@<>"'`]+/g, "[address]")
    : value;
}

/**
 * An event as Analytics Engine counts it: `index1` its name; `blob1` the route, `blob2` what kind of
 * it, `blob3` why or with which status; `double1` 1, `double2` milliseconds, `double3` how many, where
 * it says.
 */
function pointOf(event: string, route = "", details: Record<string, unknown>) {
  const { kind, type, status, reason, why, ms, count } = details;
  return {
    indexes: [event],
    blobs: [route, String(kind ?? type ?? ""), String(reason ?? why ?? status ?? "")],
    doubles: [1, Number(ms ?? 0), Number(count ?? 0)],
  };
}
