import { DrizzleQueryError } from "drizzle-orm";

/**
 * Writes one event as one line of JSON. Errors are written by name and message; no personal data
 * and no token belongs in here.
 */
export function logEvent(event: string, details: Record<string, unknown> = {}): void {
  const { error, ...rest } = details;
  // A failed query's own message holds the values it was made with; its cause says what happened.
  const plain = error instanceof DrizzleQueryError ? (error.cause ?? "query failed") : error;
  const told =
    plain instanceof Error ? { error: `${plain.name}: ${plain.message}` } : { error: plain };
  console.log(JSON.stringify({ event, ...rest, ...(error === undefined ? {} : told) }));
}
