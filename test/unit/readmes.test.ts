import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
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
  const code = codeOf(text);

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

test("the measurements that pages name exist", () => {
  const named = pages.flatMap((page) => all(read(page), /npm run bench -- ([a-z]+)/g));
  const programs = read("test/bench/all.ts");
  expect(named.filter((name) => !programs.includes(`  ${name}: "`))).toEqual([]);
});

test("the tests that THREATS.md names exist", () => {
  const proofs = all(read("app/THREATS.md"), /^\|.*\|([^|]+)\|$/gm).join();
  const missing = all(proofs, /`([\w/*-]+)`/g).filter(
    (name) => !exists(`test/**/${name}.{test,spec}.ts`),
  );
  expect(missing).toEqual([]);
});

test("headings that comments refer to exist", () => {
  const stale = sources.flatMap((source) =>
    [...read(source).matchAll(/([\w./-]+\.md), "([^"]+)"/g)]
      .filter(([, page = "", heading = ""]) => !headings(page).includes(heading))
      .map(([reference]) => `${source}: ${reference}`),
  );
  expect(stale).toEqual([]);
});

/** Commands that need an account or a registry. */
const outside = [
  ...["ci", "install", "audit"].map((name) => `npm ${name}`),
  ...["login", "deploy", "rollback", "queues create", "r2 bucket create", "secret put"].map(
    (name) => `npx wrangler ${name}`,
  ),
  ...["create", "execute", "time-travel"].map((name) => `npx wrangler d1 ${name}`),
];

test("every other command is run by `npm test`", () => {
  const command =
    /(npm (?:run )?[a-z][\w:-]*|npx wrangler (?:d1 |queues |secret |r2 bucket )?[\w-]+|curl)\b/g;
  const named = new Set(pages.flatMap((page) => all(codeOf(read(page)), command)));
  const parts = all(scripts.test, /npm:([\w:]+)|npm run ([\w:]+)/g);
  const run = [
    "npm test",
    ...parts.map((part) => `npm run ${part}, which is ${scripts[part]}`),
    ...globSync("test/commands/*.test.ts").map(read),
    ...outside,
  ].join();
  expect([...named].filter((one) => !run.includes(one))).toEqual([]);
});

test("the examples of running some tests find them", () => {
  const example = /npm run test:(unit|worker|e2e) -- (\S+)(?: -[tg] "(.*)")?/g;
  const examples = [...read("test/README.md").matchAll(example)];
  expect(examples.length).toBeGreaterThan(2);
  for (const [typed, kind, part = "", title = ""] of examples) {
    const files = globSync(`test/${kind}/**/*.{test,spec}.ts`).filter((file) =>
      file.includes(part),
    );
    expect(files.map(read).join(), typed).toContain(title);
    expect(files, typed).not.toEqual([]);
  }
});

function read(file: string): string {
  return readFileSync(file, "utf8");
}

/** What stands in a Markdown text as code. */
function codeOf(text: string): string {
  return all(text, /```[^`]*```|`[^`\n]+`|^ {4}\S.*$/gm).join(" ");
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
