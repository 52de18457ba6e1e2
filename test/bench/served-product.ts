import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePorts } from "../support/free-ports.ts";

/** The product and its stand-ins, served for a measurement alone. */
export interface ServedProduct {
  origin: string;
  sandboxOrigin: string;
  /** For files that are to go when the measurement ends. */
  folder: string;
}

/** How long the build, the first migration and the seed may take, in milliseconds. */
const startLimit = 180_000;

/**
 * Builds and serves the product with the stand-ins, on free ports and a database of its own, for as
 * long as a measurement takes; stops them and removes their files however that ends.
 * @throws Error where the product does not start, and what `measure` throws.
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
  // Where something else, such as the browser's own handler of a signal, ends this process.
  process.on("exit", () => product.kill());
  try {
    await untilHealthy(origin, () => product.exitCode === null);
    await measure({ origin, sandboxOrigin: `http://127.0.0.1:${sandboxPort}`, folder });
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
