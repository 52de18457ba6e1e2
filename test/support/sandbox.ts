import { env } from "cloudflare:workers";

/** Posts a control action (test/sandbox/README.md). Each test file uses other musicians. */
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
