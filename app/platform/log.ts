import { AsyncLocalStorage } from "node:async_hooks";
import { DrizzleQueryError } from "drizzle-orm";

/** Shared by all log lines of a request, batch or scheduled run. */
export interface LogScope {
  /** Also sent to the client as X-Request-Id. */
  requestId: string;
  /** The route's pattern, the queue or the cron: never the requested path. */
  route: string;
  metrics?: AnalyticsEngineDataset | undefined;
  /** How often each event was logged, by its name, and by "event kind". */
  seen?: Map<string, number>;
}

const scopes = new AsyncLocalStorage<LogScope>();

export function withLogScope<T>(scope: LogScope, run: () => T): T {
  return scopes.run(scope, run);
}

/**
 * Logs one line of JSON, and counts the event. No personal data or tokens belong here; whatever looks like an
 * e-mail address is removed.
 */
export function logEvent(event: string, details: Record<string, unknown> = {}): void {
  const { error, ...rest } = details;
  const { requestId, route, metrics, seen } = scopes.getStore() ?? {};
  for (const name of rest.kind === undefined ? [event] : [event, `${event} ${rest.kind}`]) {
    seen?.set(name, (seen.get(name) ?? 0) + 1);
  }
  const line = { event, requestId, route, ...rest, error: errorText(error) };
  console.log(JSON.stringify(line, withoutAddress));
  metrics?.writeDataPoint(pointOf(event, route, rest));
}

/** Counts the event without a line in the log. */
export function countEvent(event: string, details: Record<string, unknown>): void {
  const { route, metrics } = scopes.getStore() ?? {};
  metrics?.writeDataPoint(pointOf(event, route, details));
}

/** A failed query's own message contains its parameters; its cause says what happened. */
function errorText(error: unknown): unknown {
  const cause = error instanceof DrizzleQueryError ? (error.cause ?? "query failed") : error;
  return cause instanceof Error ? `${cause.name}: ${cause.message}` : cause;
}

function withoutAddress(_key: string, value: unknown): unknown {
  return typeof value === "string"
    ? value.replace(/[^\s@<>"'`:]+@[^\s@<>"'`]+/g, "[address]")
    : value;
}

/**
 * For the Analytics Engine. `index1` is the event, `blob1` the route, `blob2` the kind, `blob3` the reason or
 * status, `double1` 1, `double2` milliseconds, `double3` the count.
 */
function pointOf(event: string, route = "", details: Record<string, unknown>) {
  const { kind, type, status, reason, why, ms, count } = details;
  return {
    indexes: [event],
    blobs: [route, String(kind ?? type ?? ""), String(reason ?? why ?? status ?? "")],
    doubles: [1, Number(ms ?? 0), Number(count ?? 0)],
  };
}
