import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";

const { scripts } = JSON.parse(readFileSync("package.json", "utf8"));
/** What npm's scripts and the programs that they start give to Node. */
const programs = [
  ...Object.values<string>(scripts).flatMap((script) => script.match(/(?<=node )\S+/g) ?? []),
  ...["build-dev", "start/database"].map((name) => `test/sandbox/${name}.ts`),
  ...globSync("test/bench/!(exchange)/*.ts"),
];

/** The files that a file imports by a path, in the file's own words. Types vanish before Node looks. */
function importedBy(file: string): string[] {
  const imports =
    /^(?:import|export) (?!type )(?:[^;]*? from )?"(\..*?)"|await import\("(\..*?)"\)/gm;
  return [...readFileSync(file, "utf8").matchAll(imports)].map(
    ([, one, other = ""]) => one ?? other,
  );
}

// Unlike a bundler, and the tests that go through one, plain Node adds no extension.
test("what plain Node runs imports files by their full names, all the way down", () => {
  const files = new Set(programs);
  const missing: string[] = [];
  for (const file of files) {
    for (const path of importedBy(file)) {
      const target = join(dirname(file), path);
      if (/\.\w+$/.test(path) && existsSync(target)) files.add(target);
      else missing.push(`${file}: ${path}`);
    }
  }
  expect(missing).toEqual([]);
  expect(files).toContain("app/platform/base64.ts");
});
