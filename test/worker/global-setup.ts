import { existsSync } from "node:fs";
import type { TestProject } from "vitest/node";
import { startSandbox } from "../sandbox/server.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The origin of this run's stand-ins. */
    sandboxOrigin: string;
  }
}

/** One sandbox for the run, on any free port. */
export default async function setup(project: TestProject) {
  // Otherwise Vitest would cache that the module is missing, and all later runs would be ten times as slow.
  if (!existsSync("build/index.js"))
    throw new Error("Nothing is built: run `npm run build` first.");
  // The stand-ins run in this process. This clock does not step when the machine's is set.
  Date.now = () => Math.floor(performance.timeOrigin + performance.now());
  const sandbox = await startSandbox({ port: 0 });
  project.provide("sandboxOrigin", sandbox.origin);
  return () => sandbox.close();
}
