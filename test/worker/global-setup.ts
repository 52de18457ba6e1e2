import type { TestProject } from "vitest/node";
import { startSandbox } from "../sandbox/server.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Where the stand-ins of this run are. */
    sandboxOrigin: string;
  }
}

/** One sandbox for the run, on any free port. */
export default async function setup(project: TestProject) {
  const sandbox = await startSandbox({ port: 0 });
  project.provide("sandboxOrigin", sandbox.origin);
  return () => sandbox.close();
}
