/** The server's two calls for a listen (design section 5). `error` is its text, if it sent one. */
export interface ListenApi {
  /** POST /songs/:songId/play */
  open(songId: string, deviceId: string | null): Promise<OpenResult>;
  /** POST /songs/:songId/listened */
  confirm(songId: string): Promise<ConfirmResult>;
}

export type OpenResult =
  | { ok: true; requiredSeconds: number }
  | { ok: false; error: string | null };

export type ConfirmResult =
  | { ok: true }
  | { ok: false; error: string | null; secondsLeft: number | null };

export interface ListenApiOptions {
  fetch: typeof fetch;
  /** Called when the server answers 401, because the session has ended. */
  onLoggedOut(): void;
}

const timeoutMs = 15_000;

/** Its calls never reject: a network error is a refusal without a text. */
export function createListenApi(options: ListenApiOptions): ListenApi {
  async function post(path: string, fields: Record<string, string>) {
    try {
      const response = await options.fetch(path, {
        method: "POST",
        headers: { Accept: "application/json" },
        body: new URLSearchParams(fields),
        signal: AbortSignal.timeout(timeoutMs),
      });
      if (response.status === 401) options.onLoggedOut();
      const body = (await response.json()) as Record<string, unknown>;
      return { ok: response.ok, body: body ?? {} };
    } catch {
      return { ok: false, body: {} as Record<string, unknown> };
    }
  }

  return {
    async open(songId, deviceId) {
      const { ok, body } = await post(
        `/songs/${encodeURIComponent(songId)}/play`,
        deviceId === null ? {} : { deviceId },
      );
      return ok && typeof body.requiredSeconds === "number"
        ? { ok: true, requiredSeconds: body.requiredSeconds }
        : { ok: false, error: textOf(body.error) };
    },
    async confirm(songId) {
      const { ok, body } = await post(`/songs/${encodeURIComponent(songId)}/listened`, {});
      if (ok && body.ok === true) return { ok: true };
      const secondsLeft = typeof body.secondsLeft === "number" ? body.secondsLeft : null;
      return { ok: false, error: textOf(body.error), secondsLeft };
    },
  };
}

function textOf(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}
