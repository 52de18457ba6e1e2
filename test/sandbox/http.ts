/** What the HTTP APIs of all stand-ins do with a call: read its token, apply faults, log it. */
import { setTimeout as wait } from "node:timers/promises";
import type { Context } from "hono";
import type { SandboxContext } from "./context.ts";
import type { Faults } from "./faults.ts";
import { parseBody } from "./request-log.ts";

/** The status by which the sandbox itself marks a cut connection; nobody receives it. */
const CUT = 599;

export function bearerToken(c: Context): string | null {
  return /^Bearer (\S+)$/i.exec(c.req.header("Authorization") ?? "")?.[1] ?? null;
}

/** Waits as faults say, then returns the requested failure, or null if there is none. */
export async function applyFaults(
  c: Context,
  faults: Faults,
  path: string,
  musician: string | null,
): Promise<Response | null> {
  const { delayMs, failure } = faults.take(c.req.method, path, musician);
  if (delayMs > 0) await wait(delayMs);
  if (!failure) return null;
  if (failure.status === 0) {
    const { outgoing } = c.env as { outgoing?: { destroy(): void } };
    outgoing?.destroy();
    return new Response(null, { status: CUT });
  }
  // 204 and 304 may have no body.
  const body = failure.status === 204 || failure.status === 304 ? null : failure.body;
  return new Response(body, {
    status: failure.status,
    headers: { ...failure.headers, ...(body ? { "Content-Type": failure.contentType } : {}) },
  });
}

export async function logCall(
  context: SandboxContext,
  c: Context,
  call: {
    service: "spotify" | "stripe" | "resend";
    musician: string | null;
    path: string;
    body: string;
    response: Response;
    idempotencyKey?: string | null;
  },
): Promise<void> {
  const { service, musician, path, body, response, idempotencyKey = null } = call;
  const type = c.req.header("Content-Type") ?? "";
  const userAgent = c.req.header("User-Agent");
  context.log.add({
    at: context.now(),
    service,
    musician,
    method: c.req.method,
    path,
    query: c.req.query(),
    headers: {
      ...(type === "" ? {} : { "content-type": type }),
      ...(userAgent === undefined ? {} : { "user-agent": userAgent }),
      ...(idempotencyKey === null ? {} : { "idempotency-key": idempotencyKey }),
    },
    body: parseBody(body, type),
    status: response.status === CUT ? 0 : response.status,
    responseBody: parseBody(
      await response.clone().text(),
      response.headers.get("Content-Type") ?? "",
    ),
  });
}
