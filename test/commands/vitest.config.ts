import { resolve } from "node:path";
import { defineConfig } from "vitest/config";

export default defineConfig({
  root: resolve(import.meta.dirname, "../.."),
  test: {
    include: ["test/commands/*.test.ts"],
    // Most of the time they wait for programs. Long enough for a busy machine.
    testTimeout: 180_000,
    hookTimeout: 180_000,
  },
});
