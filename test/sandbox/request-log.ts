/** The calls that the stand-ins have answered, for tests to inspect. */

const MAX_ENTRIES = 2_000;

interface LoggedRequest {
  at: number;
  service: string;
  musician: string | null;
  method: string;
  /** As the real service has it: /v1/me/player, /api/token, /emails. */
  path: string;
  query: Record<string, string>;
  /** The content type and the User-Agent; for Stripe and Resend also the idempotency key. */
  headers: Record<string, string>;
  /** Parsed JSON or form fields, or text if it is neither; null if empty. Has no client secrets. */
  body: unknown;
  /** 0: the connection was cut. */
  status: number;
  responseBody: unknown;
}

export interface RequestLog {
  add(entry: LoggedRequest): void;
  list(filter: { musician?: string; service?: string; since?: number }): LoggedRequest[];
  clear(musician?: string): void;
}

export function createRequestLog(): RequestLog {
  let entries: LoggedRequest[] = [];
  return {
    add(entry) {
      entries.push(entry);
      if (entries.length > MAX_ENTRIES) entries.shift();
    },
    list: ({ musician, service, since }) =>
      entries.filter(
        (entry) =>
          (musician === undefined || entry.musician === musician) &&
          (service === undefined || entry.service === service) &&
          (since === undefined || entry.at >= since),
      ),
    clear(musician) {
      entries = musician === undefined ? [] : entries.filter((e) => e.musician !== musician);
    },
  };
}

/** A body in the form in which tests see it: JSON and form fields parsed, client secrets removed. */
export function parseBody(text: string, contentType: string): unknown {
  if (text === "") return null;
  if (contentType.includes("json")) {
    try {
      return JSON.parse(text);
    } catch {
      return text;
    }
  }
  if (contentType.includes("x-www-form-urlencoded")) {
    const fields = new URLSearchParams(text);
    fields.delete("client_secret");
    return Object.fromEntries(fields);
  }
  return text;
}
