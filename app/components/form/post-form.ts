import { timeLimit } from "~/platform/signals";

/** The server's answer to a form that a script posted. */
export interface PostAnswer {
  /** True for a status from 200 to 299. */
  ok: boolean;
  /** The HTTP status, or 0 if the server did not answer. */
  status: number;
  /** The JSON object in the answer; empty if there was none. */
  data: Record<string, unknown>;
  /** The server's message to the user, or null if it sent none. */
  error: string | null;
}

/** The message for a server that did not answer. */
export const unreachable = "Fivefold could not be reached. Please try again.";

/**
 * Posts a form in the background and asks for JSON. All scripts post through here rather than through Remix's
 * forms, which reload the data of the whole screen: so the screen stays as it is, a song plays on, and a
 * failure only shows a message. An unreachable server is an answer with status 0, and no rejection.
 * @param options.timeoutMs time limit for the server, in milliseconds.
 * @param options.fetch sends the request; tests pass their own.
 */
export async function postForm(
  action: string,
  fields: Record<string, string> | [name: string, value: string][] = {},
  options: { timeoutMs?: number; fetch?: typeof fetch } = {},
): Promise<PostAnswer> {
  const { timeoutMs = 15_000, fetch: send = fetch } = options;
  const init = {
    method: "POST",
    headers: { Accept: "application/json" },
    body: new URLSearchParams(fields),
    signal: timeLimit(timeoutMs),
  };
  // Of the request alone: a mistake of ours is no failure to reach the server.
  const response = await send(action, init).catch(() => null);
  if (!response) return { ok: false, status: 0, data: {}, error: null };
  const data = await readObject(response);
  const error = typeof data.error === "string" && data.error !== "" ? data.error : null;
  return { ok: response.ok, status: response.status, data, error };
}

async function readObject(response: Response): Promise<Record<string, unknown>> {
  const body: unknown = await response.json().catch(() => null);
  return typeof body === "object" && body !== null ? { ...body } : {};
}
