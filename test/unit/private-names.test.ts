/**
 * What packages keep to themselves and we lean on all the same, each behind one door. At another
 * version, see in the package's source that the door still fits, and write the version here.
 */
import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

test.each([
  {
    name: "what `batch` reads of a statement",
    package: "drizzle-orm",
    version: "0.45.4",
    door: "app/db/prepared.ts",
    words: /\b_prepare\b|\bmapResult\b|\bstmt\b/,
  },
  {
    name: "how scripts ask for a page's data",
    package: "@remix-run/react",
    version: "2.17.5",
    door: "app/http/data-request.ts",
    words: /"_data"|X-Remix-/,
  },
  {
    name: "which features a page tells its scripts",
    package: "@remix-run/react",
    version: "2.17.5",
    door: ".ops/public-scripts.ts",
    words: /__remixContext/,
  },
  {
    name: "how a build lists the scripts of its routes",
    package: "@remix-run/dev",
    version: "2.17.5",
    door: ".ops/route-lists.ts",
    words: /__remixManifest|assets_manifest/,
  },
  {
    name: "which parts of a build a request handler reads",
    package: "@remix-run/server-runtime",
    version: "2.17.5",
    door: "app/http/bundle/route-handlers.ts",
    words: /\bbuild\.assets\b/,
  },
])("$name: $package is the version seen, and one file uses it", ({ package: name, ...seen }) => {
  const { version } = JSON.parse(readFileSync(`node_modules/${name}/package.json`, "utf8"));
  expect(version, `has ${name} changed what ${seen.door} relies on?`).toBe(seen.version);
  const users = globSync(["app/**/*.{ts,tsx}", ".ops/*.ts"]).filter((file) =>
    seen.words.test(readFileSync(file, "utf8")),
  );
  expect(users).toEqual([seen.door]);
});
