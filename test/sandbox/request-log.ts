/** The calls the stand-ins have answered, for tests to look at. */

const KEPT = 2_000;

export interface LoggedRequest {
  /** Epoch milliseconds at which the answer went out. */
  at: number;
  /** "spotify", "stripe" or "resend". */
  service: string;
  musician: string | null;
  method: string;
  /** As the real service has it: /v1/me/player, /api/token, /emails. */
  path: string;
  query: Record<string, string>;
  /** The content type; at Stripe and Resend the idempotency key as well. */
  headers: Record<string, string>;
  /** Parsed JSON or form fields; text when neither; null when empty. Client secrets are left out. */
  body: unknown;
  status: number;
  /** Parsed JSON, or text, or null when empty. */
  responseBody: unknown;
}

export interface RequestLog {
  add(entry: LoggedRequest): void;
  /** Oldest first. */
  list(filter: { musician?: string; service?: string; since?: number }): LoggedRequest[];
  clear(musician?: string): void;
}

export function createRequestLog(): RequestLog {
  let entries: LoggedRequest[] = [];
  return {
    add(entry) {
      entries.push(entry);
      if (entries.length > KEPT) entries.shift();
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

/** A body as a test wants to see it. */
export function readable(text: string, contentType: string): unknown {
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
