import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

interface LockedPackage {
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

const { packages }: { packages: Record<string, LockedPackage> } = JSON.parse(
  readFileSync("package-lock.json", "utf8"),
);

/** Whether a package in a folder finds another one in the way that Node does. */
function finds(name: string, folder: string): boolean {
  if (packages[`${folder ? `${folder}/` : ""}node_modules/${name}`]) return true;
  if (!folder) return false;
  return finds(name, folder.slice(0, Math.max(0, folder.lastIndexOf("node_modules/") - 1)));
}

// `npm ci` only notices what is missing for its own machine.
test("the lock file has the optional packages for every operating system", () => {
  const missing = Object.entries(packages).flatMap(([folder, { optionalDependencies }]) =>
    Object.keys(optionalDependencies ?? {})
      .filter((name) => !finds(name, folder))
      .map((name) => `${name}, for ${folder}`),
  );
  expect(missing).toEqual([]);
});
