import { existsSync } from "node:fs";
import type { TestProject } from "vitest/node";
import { startSandbox } from "../sandbox/server.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Where the stand-ins of this run are. */
    sandboxOrigin: string;
  }
}

/**
 * One sandbox for the run, on any free port. Mails are limited by the second for all test files
 * together, which run side by side: here to more than they send.
 */
export default async function setup(project: TestProject) {
  // Vitest would remember for all later runs that the module is missing, and be ten times as slow.
  if (!existsSync("build/index.js"))
    throw new Error("Nothing is built: run `npm run build` first.");
  const sandbox = await startSandbox({ port: 0 });
  const order = { action: "mailRateLimit", limit: 100_000, windowSeconds: 1 };
  const answer = await fetch(`${sandbox.origin}/control`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(order),
  });
  if (!answer.ok) throw new Error(`control: ${await answer.text()}`);
  project.provide("sandboxOrigin", sandbox.origin);
  return () => sandbox.close();
}
