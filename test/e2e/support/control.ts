/** The control endpoint of the stand-ins. */

export const sandboxOrigin = process.env.E2E_SANDBOX_ORIGIN ?? "";

/** Orders something of the sandbox: an action of test/sandbox/control.ts with its fields. */
export async function order(
  action: string,
  fields: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  const response = await fetch(`${sandboxOrigin}/control`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ action, ...fields }),
  });
  if (!response.ok) throw new Error(`control ${action}: ${await response.text()}`);
  return (await response.json()) as Record<string, unknown>;
}

/** A call that a stand-in has answered. */
export interface SandboxRequest {
  /** Epoch milliseconds. */
  at: number;
  method: string;
  path: string;
  query: Record<string, string>;
  body: unknown;
  status: number;
  responseBody: unknown;
}

/** The calls made for a musician, oldest first. */
export async function sandboxRequests(musician: string): Promise<SandboxRequest[]> {
  const response = await fetch(`${sandboxOrigin}/control/requests?musician=${musician}`);
  return ((await response.json()) as { requests: SandboxRequest[] }).requests;
}
