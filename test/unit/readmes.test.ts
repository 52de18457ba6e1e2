import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, test } from "vitest";

const folders = "{app,test,migrations,public,.ops,.ci}";
const pages = globSync(["*.md", `${folders}/**/*.md`]);
const sources = globSync(["*.{ts,js,toml}", `${folders}/**/*.{ts,tsx,css}`]);
const { scripts } = JSON.parse(read("package.json"));

test("README.md is 12 KB at most", () => {
  expect(Buffer.byteLength(read("README.md"))).toBeLessThanOrEqual(12 * 1024);
});

describe.each(pages)("%s", (page) => {
  const text = read(page);
  const code = all(text, /```[^`]*```|`[^`\n]+`/g).join(" ");

  test("links lead to files and headings", () => {
    const links = all(text, /\]\(([^)\s]+)\)/g).filter((link) => !/^https?:/.test(link));
    const broken = links.filter((link) => {
      const [path = "", fragment] = link.split("#");
      const target = path ? join(dirname(page), path) : page;
      return !existsSync(target) || (fragment && !headings(target).map(slug).includes(fragment));
    });
    expect(broken).toEqual([]);
  });

  test("paths in code exist", () => {
    const paths = all(code, /[^\s`'"(),;]+/g).filter((word) =>
      /^(app|test|migrations|public|\.ops|\.ci)\/|^\w.*\.(tsx?|css|md|toml)$/.test(word),
    );
    const missing = paths.filter((path) => !exists(path) && !exists(join(dirname(page), path)));
    expect(missing).toEqual([]);
  });

  test("npm scripts exist", () => {
    const names = all(text, /npm run ([\w:-]+)/g);
    expect(names.filter((name) => !scripts[name])).toEqual([]);
  });
});

test("headings that comments refer to exist", () => {
  const stale = sources.flatMap((source) =>
    [...read(source).matchAll(/([\w./-]+\.md), "([^"]+)"/g)]
      .filter(([, page = "", heading = ""]) => !headings(page).includes(heading))
      .map(([reference]) => `${source}: ${reference}`),
  );
  expect(stale).toEqual([]);
});

test("the SQL for the operator fits the schema", () => {
  const db = new DatabaseSync(":memory:");
  for (const migration of globSync("migrations/*.sql").sort()) db.exec(read(migration));
  const code = all(
    read(".ops/README.md"),
    /```sql\n([^`]*)```|`((?:SELECT|UPDATE|DELETE) [^`]*)`/g,
  );
  const statements = code.flatMap((block) => block.split(/;[^\n]*/)).map((text) => text.trim());
  // `fivefold` is a data set of Analytics Engine, not a table.
  const ours = statements.filter((text) => text && !text.includes("FROM fivefold"));
  expect(ours.length).toBeGreaterThan(3);
  for (const statement of ours) expect(() => db.prepare(statement), statement).not.toThrow();
});

function read(file: string): string {
  return readFileSync(file, "utf8");
}

/** Whether a file or folder with this path exists, or one that matches the pattern. */
function exists(path: string): boolean {
  return existsSync(path) || globSync(path).length > 0;
}

/** All matches of a pattern in a text; of each the group that matched, or all if it has no group. */
function all(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map((match) => match[1] ?? match[2] ?? match[0]);
}

/** The headings of a Markdown file; none if there is no such file. */
function headings(file: string): string[] {
  return file.endsWith(".md") && existsSync(file) ? all(read(file), /^#+ (.+)$/gm) : [];
}

/** The fragment that GitHub makes of a heading. */
function slug(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .replaceAll(" ", "-");
}
