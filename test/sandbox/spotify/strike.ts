/** Ordered faults, applied to a call. */
import type { Context } from "hono";
import { type Faults, pause } from "../faults.ts";

/**
 * Waits the ordered delay and answers the ordered failure; null where the call goes on as usual.
 * A failure of status 0 cuts the connection.
 */
export async function strike(
  c: Context,
  faults: Faults,
  path: string,
  musician: string | null,
): Promise<Response | null> {
  const { delayMs, failure } = faults.take(c.req.method, path, musician);
  await pause(delayMs);
  if (!failure) return null;
  if (failure.status === 0) {
    const { outgoing } = c.env as { outgoing?: { destroy(): void } };
    outgoing?.destroy();
    return new Response(null, { status: 599 });
  }
  // 204 and 304 may have no body.
  const body = failure.status === 204 || failure.status === 304 ? null : failure.body;
  return new Response(body, {
    status: failure.status,
    headers: { ...failure.headers, ...(body ? { "Content-Type": failure.contentType } : {}) },
  });
}
