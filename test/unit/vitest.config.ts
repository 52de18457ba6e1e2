import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import { defineConfig } from "vitest/config";

const root = resolve(import.meta.dirname, "../..");

export default defineConfig({
  root,
  resolve: { alias: { "~": resolve(root, "app") } },
  test: {
    environment: "node",
    setupFiles: ["test/support/properties.ts"],
    include: ["test/unit/**/*.test.ts"],
    // A process a processor, each with the modules that its files before have loaded.
    isolate: false,
    maxWorkers: availableParallelism(),
    // `npm test` runs them beside the types and the build, perhaps on a machine that has other work.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // What the code under test logs is shown where a test fails.
    silent: "passed-only",
    restoreMocks: true,
    unstubGlobals: true,
  },
});
