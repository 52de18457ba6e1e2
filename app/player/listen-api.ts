import { postForm } from "~/components/form/post-form";

export type ListenApi = ReturnType<typeof createListenApi>;

export type OpenResult =
  /** `heard`: the song is already unlocked, and no listen was opened. */
  | { ok: true; listenId?: string; requiredSeconds: number; heard: boolean }
  /** `closed`: the song cannot be rated any more, perhaps because it was rated in another tab. */
  | { ok: false; error: string | null; closed?: boolean };

export type ConfirmResult =
  | { ok: true }
  /** `deliveredMs`: how much of an own recording has been delivered without a gap. */
  | { ok: false; error: string | null; secondsLeft: number | null; deliveredMs?: number };

/**
 * The server's two calls about a listen. They never reject: a network error is a refusal without a message.
 */
export function createListenApi({
  fetch,
  onLoggedOut,
}: {
  fetch: typeof window.fetch;
  onLoggedOut(): void;
}) {
  async function post(songId: string, action: string, fields: Record<string, string>) {
    const path = `/songs/${encodeURIComponent(songId)}/${action}`;
    const answer = await postForm(path, fields, { fetch });
    if (answer.status === 401) onLoggedOut();
    return answer;
  }

  return {
    async open(songId: string, deviceId: string | null): Promise<OpenResult> {
      const fields = deviceId === null ? {} : { deviceId };
      const { ok, data, error } = await post(songId, "play", fields);
      return ok && typeof data.requiredSeconds === "number"
        ? {
            ok: true,
            ...(typeof data.listenId === "string" ? { listenId: data.listenId } : {}),
            requiredSeconds: data.requiredSeconds,
            heard: data.heard === true,
          }
        : { ok: false, error, closed: data.closed === true };
    },
    async confirm(songId: string): Promise<ConfirmResult> {
      const { ok, data, error } = await post(songId, "listened", {});
      if (ok && data.ok === true) return { ok: true };
      const { secondsLeft, deliveredMs } = data;
      return {
        ok: false,
        error,
        secondsLeft: typeof secondsLeft === "number" ? secondsLeft : null,
        ...(typeof deliveredMs === "number" ? { deliveredMs } : {}),
      };
    },
  };
}
