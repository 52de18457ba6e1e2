import { resolve } from "node:path";
import { defineConfig } from "vitest/config";

const root = resolve(import.meta.dirname, "../..");

export default defineConfig({
  root,
  resolve: { alias: { "~": resolve(root, "app") } },
  test: { environment: "node", include: ["test/unit/**/*.test.ts"] },
});
