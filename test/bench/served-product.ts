import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePorts } from "../support/free-ports.ts";

/** The product and its stand-ins, served for one measurement. */
export interface ServedProduct {
  origin: string;
  sandboxOrigin: string;
}

/** The maximum time for the build, the first migration and the seed, in milliseconds. */
const startLimit = 180_000;

/**
 * Builds and serves the product with the stand-ins, on free ports and with a separate database, for
 * the duration of a measurement. Always stops them and removes their files afterwards.
 * @throws Error if the product does not start, and the errors of `measure`.
 */
export async function withProduct(
  measure: (product: ServedProduct) => Promise<void>,
): Promise<void> {
  const [port, sandboxPort] = await freePorts(2);
  const origin = `http://127.0.0.1:${port}`;
  const folder = mkdtempSync(join(tmpdir(), "fivefold-bench-"));
  const product = spawn("node", ["test/sandbox/start.ts"], {
    cwd: join(import.meta.dirname, "../.."),
    stdio: ["ignore", "ignore", "inherit"],
    env: {
      ...process.env,
      PORT: String(port),
      SANDBOX_PORT: String(sandboxPort),
      STATE_DIR: join(folder, "state"),
    },
  });
  const ended = new Promise((resolve) => product.once("exit", resolve));
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => product.kill());
  // In case something else ends this process, such as the browser's signal handler.
  process.on("exit", () => product.kill());
  try {
    await untilHealthy(origin, () => product.exitCode === null);
    await measure({ origin, sandboxOrigin: `http://127.0.0.1:${sandboxPort}` });
  } finally {
    product.kill("SIGTERM");
    await ended;
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function untilHealthy(origin: string, running: () => boolean): Promise<void> {
  const until = Date.now() + startLimit;
  while (running() && Date.now() < until) {
    const answer = await fetch(`${origin}/health`).catch(() => null);
    if (answer?.ok) return;
    await new Promise((wait) => setTimeout(wait, 300));
  }
  throw new Error("The product did not start.");
}
