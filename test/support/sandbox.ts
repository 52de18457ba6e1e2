import { env } from "cloudflare:workers";

/**
 * Posts a control action of test/sandbox/control.ts to the sandbox. An action with a `musician` affects
 * nobody else. Test files run side by side, so each uses different musicians.
 * @throws Error if the action makes no sense to the sandbox.
 */
export async function control<Answer = unknown>(
  action: string,
  fields: Record<string, unknown> = {},
): Promise<Answer> {
  const response = await fetch(`${env.SANDBOX_ORIGIN}/control`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ action, ...fields }),
  });
  if (!response.ok) throw new Error(`control ${action}: ${await response.text()}`);
  return response.json<Answer>();
}

/** A call that a stand-in has served. */
export interface SandboxRequest {
  service: string;
  method: string;
  path: string;
  query: Record<string, string>;
  headers: Record<string, string>;
  body: unknown;
  status: number;
}

/** The calls the Worker made to the sandbox on behalf of a musician, oldest first. */
export async function sandboxRequests(musician: string): Promise<SandboxRequest[]> {
  const response = await fetch(
    `${env.SANDBOX_ORIGIN}/control/requests?musician=${encodeURIComponent(musician)}`,
  );
  const { requests } = await response.json<{ requests: SandboxRequest[] }>();
  return requests;
}
