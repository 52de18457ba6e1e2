import { keep } from "~/platform/kept";
import { timeLimit } from "~/platform/signals";

export interface PostAnswer {
  ok: boolean;
  /** 0 if the server did not answer. */
  status: number;
  data: Record<string, unknown>;
  error: string | null;
}

export const unreachable = "Fivefold could not be reached. Try again.";

/**
 * Posts a form in the background and asks for JSON. Never rejects. All scripts post through this function,
 * because Remix's forms would reload the data of the whole screen.
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
  // Catches only the request's failure, so that a mistake in this code is not taken for one.
  const response = await send(action, init).catch(() => null);
  if (!response) return { ok: false, status: 0, data: {}, error: null };
  const data = await readObject(response);
  const error = typeof data.error === "string" && data.error !== "" ? data.error : null;
  return { ok: response.ok, status: response.status, data, error };
}

export const changedKey = "changed";

/** Lets the screens in the reader's other tabs reload their data. */
export function tellOtherTabs(): void {
  keep(changedKey, `${Date.now()}`);
}

async function readObject(response: Response): Promise<Record<string, unknown>> {
  const body: unknown = await response.json().catch(() => null);
  return typeof body === "object" && body !== null ? { ...body } : {};
}
