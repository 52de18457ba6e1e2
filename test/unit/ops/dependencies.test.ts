import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { bundledFolders, isAllowed, permissive } from "../../../.ops/licences";

interface LockedPackage {
  version?: string;
  license?: string;
  integrity?: string;
  resolved?: string;
  dev?: boolean;
  os?: string[];
  cpu?: string[];
  libc?: string[];
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

const lock: { packages: Record<string, LockedPackage> } = JSON.parse(
  readFileSync("package-lock.json", "utf8"),
);
/** By folder; the project itself is "". */
const packages = Object.entries(lock.packages);
const installed = packages.filter(([folder]) => folder !== "");

/** The folder in which a package finds another, as Node looks for it; null where there is none. */
function folderOf(name: string, from: string): string | null {
  const folder = `${from ? `${from}/` : ""}node_modules/${name}`;
  if (lock.packages[folder]) return folder;
  if (!from) return null;
  return folderOf(name, from.slice(0, Math.max(0, from.lastIndexOf("node_modules/") - 1)));
}

function nameOf(folder: string): string {
  return folder.slice(folder.lastIndexOf("node_modules/") + "node_modules/".length);
}

describe("the lock file", () => {
  test("has all that any package asks for, whatever the machine it was written on", () => {
    const missing = packages.flatMap(([folder, { dependencies, optionalDependencies }]) =>
      Object.keys({ ...dependencies, ...optionalDependencies })
        .filter((name) => !folderOf(name, folder))
        .map((name) => `${name}, for ${folder}`),
    );
    expect(missing).toEqual([]);
  });

  test("names the contents of every package, and one place at most to fetch them from", () => {
    const unnamed = installed.filter(([, { integrity }]) => !integrity?.startsWith("sha512-"));
    expect(unnamed.map(([folder]) => folder)).toEqual([]);
    const places = installed.flatMap(([, { resolved }]) => resolved ?? []);
    const origins = new Set(places.map((place) => new URL(place).origin));
    expect(origins.size).toBeLessThanOrEqual(1);
    expect(places.filter((place) => !place.startsWith("https://"))).toEqual([]);
  });
});

/** Packages that bring a program for each system, by folder, with the packages that hold it. */
const native = installed
  .map(([folder, { optionalDependencies = {} }]) => ({
    folder,
    // Those for one system alone, as fsevents, do without a processor.
    programs: Object.keys(optionalDependencies)
      .map((name) => lock.packages[folderOf(name, folder) ?? ""])
      .filter((program) => program?.os && program.cpu),
  }))
  .filter(({ programs }) => new Set(programs.flatMap((program) => program?.os)).size > 1);

test("the packages with native programs are among those known to have them", () => {
  const names = native.map(({ folder }) => nameOf(folder));
  expect(names).toEqual(
    expect.arrayContaining(["@biomejs/biome", "esbuild", "rollup", "sharp", "workerd"]),
  );
});

test.each([
  { os: "linux", cpu: "x64" },
  { os: "linux", cpu: "arm64" },
  { os: "darwin", cpu: "x64" },
  { os: "darwin", cpu: "arm64" },
  { os: "win32", cpu: "x64" },
])("each of them has one for $os on $cpu", ({ os, cpu }) => {
  const without = native.filter(
    ({ programs }) =>
      !programs.some(
        (program) =>
          program?.os?.includes(os) &&
          program.cpu?.includes(cpu) &&
          (program.libc?.includes("glibc") ?? true),
      ),
  );
  expect(without.map(({ folder }) => folder)).toEqual([]);
});

/** What development alone uses may also have these: nothing of it is passed on. */
const forDevelopment = new Set([...permissive, "BlueOak-1.0.0", "CC0-1.0"]);

/** Development packages with another licence, or none named, each with why that does no harm. */
const exceptions: Record<string, string> = {
  "@axe-core/playwright": "MPL-2.0: used unchanged, in browser tests",
  "axe-core": "MPL-2.0: used unchanged, in browser tests",
  "@img/sharp": "LGPL-3.0 of libvips: an image library of Cloudflare's simulator, linked unchanged",
  argparse: "Python-2.0: as permissive as BSD",
  "caniuse-lite": "CC-BY-4.0: data for build tools, named here",
  "spdx-exceptions": "CC-BY-3.0: a list of names, for build tools",
  eval: "names MIT in an older form",
  format: "names MIT in an older form",
  "require-like": "its licence file says MIT",
};

function exceptionFor(name: string): string | undefined {
  return Object.keys(exceptions).find((key) => name === key || name.startsWith(`${key}-`));
}

describe("licences", () => {
  test("what goes live is under permissive ones", () => {
    const others = installed.filter(
      ([, { dev, license = "none" }]) => !dev && !isAllowed(license, permissive),
    );
    expect(others.map(([folder, { license }]) => `${folder}: ${license}`)).toEqual([]);
  });

  test("those of development are harmless, each exception has its reason, and none is left over", () => {
    const others = installed
      .filter(([, { dev, license = "none" }]) => dev && !isAllowed(license, forDevelopment))
      .map(([folder, { license }]) => ({ name: nameOf(folder), license }));
    expect(others.filter(({ name }) => !exceptionFor(name))).toEqual([]);
    const used = new Set(others.map(({ name }) => exceptionFor(name)));
    expect([...used].sort()).toEqual(Object.keys(exceptions).sort());
  });

  test.each([
    ["MIT", true],
    ["GPL-3.0-only", false],
    ["(MIT OR GPL-3.0-only)", true],
    ["(MIT AND ISC)", true],
    ["MIT AND GPL-3.0-only", false],
    ["none", false],
  ])("%s is allowed: %s", (expression, allowed) => {
    expect(isAllowed(expression, permissive)).toBe(allowed);
  });
});

test("a bundle has the packages that something is left of, by the folder they come from", () => {
  const inputs = {
    "app/root.tsx": { bytesInOutput: 10 },
    "node_modules/@scope/a/dist/index.js": { bytesInOutput: 10 },
    "node_modules/@scope/a/dist/other.js": { bytesInOutput: 10 },
    "node_modules/b/node_modules/c/index.js": { bytesInOutput: 10 },
    "node_modules/shaken-off/index.js": { bytesInOutput: 0 },
  };
  expect(bundledFolders({ outputs: { "index.js": { inputs } } })).toEqual([
    "node_modules/@scope/a",
    "node_modules/b/node_modules/c",
  ]);
});
