/**
 * `npm run build`: builds the app with Remix's compiler, as `remix build` does;
 * `node .ops/build.ts <folder>` another Remix app. Exit code 1 where that fails.
 *
 * `remix build` itself exits while its esbuild contexts are still open. esbuild's service pings
 * Node once a second; where a ping is unanswered at that moment, the service ends in "fatal error:
 * all goroutines are asleep - deadlock!", under a build that has succeeded. Here every context is
 * disposed of before the process ends.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { create } from "@remix-run/dev/dist/compiler/compiler.js";
import { createFileWatchCache } from "@remix-run/dev/dist/compiler/fileWatchCache.js";
import { logThrown } from "@remix-run/dev/dist/compiler/utils/log.js";
import { readConfig } from "@remix-run/dev/dist/config.js";
import { logger } from "@remix-run/dev/dist/tux/logger.js";
import { minifySync } from "@swc/core";

/**
 * Builds the app of a folder into its build/ and public/build, minified for production.
 * @returns whether it could be built; errors are printed.
 */
export async function build(folder = process.cwd()): Promise<boolean> {
  process.env.NODE_ENV = "production";
  const config = await readConfig(resolve(folder));
  rmSync(config.assetsBuildDirectory, { recursive: true, force: true });
  mkdirSync(config.assetsBuildDirectory, { recursive: true });
  const compiler = await create({
    config,
    options: { mode: "production", sourcemap: false },
    fileWatchCache: createFileWatchCache(),
    logger,
  });
  try {
    await compiler.compile();
    shortenManifest(config.assetsBuildDirectory);
    minifyScripts(config.assetsBuildDirectory);
    return true;
  } catch (error) {
    logThrown(error);
    return false;
  } finally {
    await compiler.dispose();
  }
}

/**
 * Leaves the routes without a screen out of the browser's list of routes: nothing there leads to them
 * but forms and requests that name their address themselves.
 */
function shortenManifest(folder: string): void {
  const name = readdirSync(folder).find((file) => file.startsWith("manifest-"));
  const file = join(folder, name ?? "");
  const [start, end] = ["window.__remixManifest=", ";"];
  const manifest = JSON.parse(readFileSync(file, "utf8").trim().slice(start.length, -end.length));
  for (const [id, { module }] of Object.entries<{ module: string }>(manifest.routes)) {
    const source = readFileSync(join(folder, module.slice("/build/".length)), "utf8");
    if (id !== "root" && !source.includes(" as default")) delete manifest.routes[id];
  }
  writeFileSync(file, start + JSON.stringify(manifest) + end);
}

/**
 * Minifies the browser's scripts once more: SWC makes 5 % less of what esbuild leaves, mostly of React
 * and the router, in a tenth of a second. Their names stay those of what esbuild wrote.
 */
function minifyScripts(folder: string): void {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  for (const name of names.filter((file) => file.endsWith(".js"))) {
    const file = join(folder, name);
    const { code } = minifySync(readFileSync(file, "utf8"), {
      module: true,
      // Nothing here asks a function how many parameters it has.
      compress: { passes: 4, keep_fargs: false },
      mangle: true,
    });
    writeFileSync(file, code);
  }
}

if (import.meta.main && !(await build(process.argv[2]))) process.exitCode = 1;
