/** The server's answer to a form that a script posted. */
export interface PostAnswer {
  /** The server accepted the form: a status from 200 to 299. */
  ok: boolean;
  /** The HTTP status, or 0 if the server did not answer. */
  status: number;
  /** The JSON object in the answer; empty if there is none. */
  data: Record<string, unknown>;
  /** The server's message to the user, or null if it sent none. */
  error: string | null;
}

/** Message where the server did not answer. */
export const unreachable = "Fivefold could not be reached. Please try again.";

/**
 * Posts a form in the background and asks for JSON. Every post of a script comes through here, and not
 * through Remix's own forms, because those read the data of the whole screen again: this way it stays as
 * it is, a song plays on, and a failure costs no more than a message. Never rejects: a server that cannot
 * be reached is an answer with status 0.
 * @param options.timeoutMs how long the server may take, in milliseconds.
 * @param options.fetch what sends the request; tests pass their own.
 */
export async function postForm(
  action: string,
  fields: Record<string, string> | [name: string, value: string][] = {},
  options: { timeoutMs?: number; fetch?: typeof fetch } = {},
): Promise<PostAnswer> {
  const { timeoutMs = 15_000, fetch: send = fetch } = options;
  try {
    const response = await send(action, {
      method: "POST",
      headers: { Accept: "application/json" },
      body: new URLSearchParams(fields),
      signal: AbortSignal.timeout(timeoutMs),
    });
    const data = await readObject(response);
    const error = typeof data.error === "string" && data.error !== "" ? data.error : null;
    return { ok: response.ok, status: response.status, data, error };
  } catch {
    return { ok: false, status: 0, data: {}, error: null };
  }
}

async function readObject(response: Response): Promise<Record<string, unknown>> {
  const body: unknown = await response.json().catch(() => null);
  return typeof body === "object" && body !== null ? { ...body } : {};
}
