/**
 * Writes one event as one line of JSON. Errors are written by name and message; no personal data
 * and no token belongs in here.
 */
export function logEvent(event: string, details: Record<string, unknown> = {}): void {
  const { error, ...rest } = details;
  const told = error instanceof Error ? { error: `${error.name}: ${error.message}` } : { error };
  console.log(JSON.stringify({ event, ...rest, ...(error === undefined ? {} : told) }));
}
