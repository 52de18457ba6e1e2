import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineConfig } from "@playwright/test";
import { findBrowser } from "../support/browser.ts";
import { freePorts } from "../support/free-ports.ts";

// Playwright reads this file once more in every worker; what is drawn here is drawn by the first.
if (!process.env.E2E_STATE_DIR) {
  const browser = findBrowser();
  if (!browser) throw new Error("No Chromium: run `npm run test:browser` first.");
  const stateDir = mkdtempSync(join(tmpdir(), "fivefold-e2e-"));
  process.on("exit", () => rmSync(stateDir, { recursive: true, force: true, maxRetries: 5 }));
  const [port, sandboxPort] = await freePorts(2);
  process.env.E2E_STATE_DIR = stateDir;
  process.env.E2E_ORIGIN = `http://127.0.0.1:${port}`;
  process.env.E2E_SANDBOX_ORIGIN = `http://127.0.0.1:${sandboxPort}`;
  process.env.CHROMIUM_PATH = browser;
}

const origin = process.env.E2E_ORIGIN ?? "";
const output = join(import.meta.dirname, "../../.cache/e2e");
mkdirSync(output, { recursive: true });

/**
 * The first starts a process ahead for a next page, which few tests have: an eighth of the processor
 * time. As Chromium takes the last of several such lists, the others are those of Playwright's own
 * that matter here.
 */
const disabledFeatures = [
  "SpareRendererForSitePerProcess",
  "AvoidUnnecessaryBeforeUnloadCheckSync",
  "AvoidCorsURLLoaderRestartOnRedirect",
  "DestroyProfileOnBrowserClose",
  "HttpsUpgrades",
  "PaintHolding",
  "ThirdPartyStoragePartitioning",
];

export default defineConfig({
  testDir: ".",
  outputDir: join(output, "results"),
  reporter: "list",
  workers: 5,
  fullyParallel: true,
  retries: 0,
  forbidOnly: true,
  // For machines that have other work, too: what passes waits for none of it.
  timeout: 300_000,
  expect: { timeout: 60_000 },
  globalTeardown: "./teardown.ts",
  use: {
    baseURL: origin,
    // Drawing what moves takes a tenth of the processor time. rating.spec.ts lets it move.
    contextOptions: { reducedMotion: "reduce" },
    // Recording every test takes a third of the time. `--trace on` records those of a run.
    trace: "off",
    launchOptions: {
      executablePath: process.env.CHROMIUM_PATH ?? "",
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        `--disable-features=${disabledFeatures}`,
      ],
    },
  },
  webServer: {
    command: "node test/sandbox/start.ts",
    cwd: join(import.meta.dirname, "../.."),
    url: `${origin}/health`,
    timeout: 180_000,
    // Errors of the app, each of which somebody has to look at.
    stdout: "pipe",
    gracefulShutdown: { signal: "SIGTERM", timeout: 15_000 },
    env: {
      PORT: new URL(origin).port,
      SANDBOX_PORT: new URL(process.env.E2E_SANDBOX_ORIGIN ?? "").port,
      STATE_DIR: process.env.E2E_STATE_DIR,
    },
  },
});
