/** The control endpoint of the stand-ins. */
import type { Page } from "@playwright/test";

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

/** Lets the Worker run its jobs of every ten minutes. */
export async function runJobs(): Promise<void> {
  const cron = encodeURIComponent("*/10 * * * *");
  const run = await fetch(`${process.env.E2E_ORIGIN}/cdn-cgi/handler/scheduled?cron=${cron}`);
  if (!run.ok) throw new Error(`the jobs: ${run.status}`);
}

/** Calls of the page to Spotify, from now on, other than for pictures. */
export function watchSpotify(page: Page): string[] {
  const asked: string[] = [];
  page.on("request", (request) => {
    const url = request.url();
    const isPicture = url.startsWith(`${sandboxOrigin}/spotify/images/`);
    if (url.startsWith(`${sandboxOrigin}/spotify/`) && !isPicture) asked.push(url);
  });
  return asked;
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
